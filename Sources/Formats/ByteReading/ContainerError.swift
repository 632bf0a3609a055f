/// Why a file's structure could not be followed.
package enum ContainerError: Error, Hashable, CustomStringConvertible {
  /// The bytes are not of the format that was asked for; its name.
  case notThisFormat(String)
  /// They are, but end or break before the picture is described: what is missing, as the end of a
  /// sentence that begins "The file".
  case damaged(String)

  package var description: String {
    switch self {
    case .notThisFormat(let name): "The file is no \(name)."
    case .damaged(let what): "The file \(what)."
    }
  }
}
