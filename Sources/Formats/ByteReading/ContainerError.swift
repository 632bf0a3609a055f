/// The reason why the structure of a file cannot be read.
package enum ContainerError: Error, Hashable, CustomStringConvertible {
  /// The file is not in the expected format: the name of the format, which follows the article "a".
  case notThisFormat(String)
  /// The file is in the format, but is damaged before the description of its content ends: a predicate for the subject
  /// "The file".
  case damaged(String)

  /// The file ends before all that describes its content.
  package static let truncatedHeader = ContainerError.damaged(
    "is truncated: it ends within its header")

  package var description: String {
    switch self {
    case .notThisFormat(let name): "The file is not a \(name)."
    case .damaged(let what): "The file \(what)."
    }
  }
}
