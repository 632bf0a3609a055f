/// The names that the file system has just listed in a folder. They are sorted when the first one is looked up.
final class ListedNames {
  private let files: ListedFiles
  /// Names that could not be examined.
  private let unseen: Set<[UInt8]>
  private lazy var sorted = files.sortedByName(Array(0..<UInt32(files.count)))

  init(_ files: ListedFiles, unseen: Set<[UInt8]>) {
    self.files = files
    self.unseen = unseen
  }

  func contains(_ name: [UInt8]) -> Bool { isUnseen(name) || index(of: name) != nil }

  func isUnseen(_ name: [UInt8]) -> Bool { unseen.contains(name) }

  /// The index of the file with this name.
  func index(of name: [UInt8]) -> Int? {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if files.name(at: Int(sorted[middle])).lexicographicallyPrecedes(name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < sorted.count else { return nil }
    let index = Int(sorted[low])
    return files.name(at: index).elementsEqual(name) ? index : nil
  }
}
