import Foundation
import Linux
import MediaModel

/// The copies of the catalog in one folder, `shoebox-2026-05-14.sqlite`, of which the newest are kept. A library whose
/// configuration has a name of its own, `archive.yaml`, has copies of that name: several may share the folder.
struct CatalogCopies {
  let folder: BytePath
  /// How many are kept.
  let kept: Int

  /// The configuration of the library.
  var configuration: BytePath?

  private var beginning: [UInt8] {
    let stem = configuration.map { FileNameParts(name: $0.lastComponent).stem } ?? []
    return (stem.isEmpty || stem == Array("config".utf8) ? Array("shoebox".utf8) : stem)
      + [UInt8(ascii: "-")]
  }
  private static let ending = Array(".sqlite".utf8)

  /// The copy of a day, on this machine's clock. A second one on that day replaces the first.
  func path(at date: Date) -> BytePath {
    let offset = Int64(TimeZone.current.secondsFromGMT(for: date)) * 1000
    let day = wallText(Int64(date.timeIntervalSince1970 * 1000) + offset).prefix(10)
    return folder.appending(beginning + Array(day.utf8) + Self.ending)
  }

  /// The copies that the folder has, the oldest first; none if there is no such folder.
  ///
  /// A copy of a later day than the present one has the date of a wrong clock. It was made before now, so it counts as
  /// older than all others: otherwise it would push out each new copy.
  ///
  /// - Parameter date: now.
  func paths(at date: Date) throws -> [BytePath] {
    let opened: OpenFolder
    do {
      opened = try OpenFolder(folder)
    } catch {
      guard error.isNotFound else { throw error }
      return []
    }
    let newest = path(at: date).lastComponent
    let copies = try opened.names().map(\.name).filter(isCopy)
      .sorted { $0.lexicographicallyPrecedes($1) }
    let isLater = { (name: [UInt8]) in newest.lexicographicallyPrecedes(name) }
    return (copies.filter(isLater) + copies.filter { !isLater($0) }).map(folder.appending)
  }

  /// Removes the oldest copies. Files of other names stay. The folder may be a symbolic link: the user has named it.
  ///
  /// - Parameter date: when the newest copy was made.
  /// - Returns: how many were removed.
  func removeOldest(at date: Date) throws -> Int {
    let superfluous = try paths(at: date).dropLast(kept)
    guard !superfluous.isEmpty else { return 0 }
    let opened = try OpenFolder(folder)
    for path in superfluous { try opened.removeFile(path.lastComponent) }
    return superfluous.count
  }

  /// Whether a name is `shoebox-NNNN-NN-NN.sqlite` or that of the library.
  private func isCopy(_ name: [UInt8]) -> Bool {
    let day = name.dropFirst(beginning.count).dropLast(Self.ending.count)
    return name.starts(with: beginning) && name.suffix(Self.ending.count).elementsEqual(Self.ending)
      && day.count == 10
      && day.enumerated().allSatisfy { index, byte in
        index == 4 || index == 7
          ? byte == UInt8(ascii: "-") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
