import Foundation
import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// The folder next to a contact sheet with larger pictures of its assets: `2023_files` for `2023.html`, the name that
/// browsers use when they save a page.
///
/// It contains a `.shoeboxignore`, so that a scan does not index the pictures, and by which Shoebox recognises the
/// folder. Files are written only into a folder that Shoebox has made.
struct SheetRenditions: Sendable {
  /// Pixels of a picture's longer side.
  static let longerSide = 1600

  /// The links to the pictures by row, and what could not be made.
  struct Made: Sendable {
    var links: [Int64: String] = [:]
    var failures: [(path: BytePath, reason: String)] = []
  }

  private let folder: BytePath
  private static let mark = "# Larger pictures of a Shoebox contact sheet.\n*\n"

  /// Makes the folder.
  ///
  /// - Parameter page: absolute.
  /// - Throws: ``Failure`` if the name is taken or the folder cannot be made.
  init(of page: BytePath) throws {
    let name = page.lastComponent
    let stem = name.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
    folder = page.parent.appending(Array(stem.isEmpty ? name[...] : stem) + Array("_files".utf8))
    let shown = folder.display.terminalSafe
    let ignore = folder.appending(Array(".shoeboxignore".utf8))
    let mark = Array(Self.mark.utf8)
    let kind = ResultFile.Kind("mark", headLength: mark.count) { $0 == mark }
    do {
      if try folder.status() != nil {
        guard (try? kind.exists(at: ignore)) == true else {
          throw Failure(
            .usage,
            "\(shown) exists and is not the folder of a contact sheet: name another file with --to")
        }
        return
      }
      try folder.makeFolders(isShared: true)
      let file = try ResultFile(ignore, isReplacing: false)
      try file.write(mark, at: 0)
      try file.publish()
    } catch let error as SystemError {
      throw Failure(.inputOutput, "\(shown) cannot be made: \(error.reason)")
    }
  }

  /// Makes a picture of every image on the page that has a thumbnail.
  func make(
    for sheet: ContactSheet, isQuiet: Bool, _ context: CommandContext
  ) async throws -> Made {
    var assets: [AssetRecord] = []
    try sheet.forEachTile { asset in
      guard asset.mediaType == .image, asset.status == .present,
        case .made = try sheet.images.state(of: asset)
      else { return }
      assets.append(asset)
    }
    let display = ProgressDisplay(isQuiet: isQuiet, in: context)
    let (library, all) = (sheet.library, assets)
    return try await cancelledBySignals {
      try await counting("large pictures", total: all.count, on: display) { isDone in
        try await make(of: all, in: library, isDone)
      }
    }
  }

  private func make(
    of assets: [AssetRecord], in library: PhotoLibrary, _ isDone: @Sendable () -> Void
  ) async throws -> Made {
    try await withThrowingTaskGroup(of: (AssetRecord, String?).self) { group in
      var made = Made()
      var rest = assets[...]
      func addNext() {
        guard let asset = rest.popFirst() else { return }
        group.addTask { (asset, try await failure(of: asset, in: library)) }
      }
      for _ in 0..<Self.width { addNext() }
      while let (asset, reason) = try await group.next() {
        if let reason {
          made.failures.append((asset.path, reason))
        } else {
          made.links[asset.rowID] = link(to: asset)
        }
        isDone()
        addNext()
      }
      return made
    }
  }

  /// Pictures in memory at the same time; more than there are workers on most machines.
  private static let width = 16

  /// Writes one picture.
  ///
  /// - Returns: why there is none.
  private func failure(of asset: AssetRecord, in library: PhotoLibrary) async throws -> String? {
    let image: EncodedImage
    do {
      image = try await library.originalImage(of: asset, longerSide: Self.longerSide)
    } catch .unreadable(_, let reason) {
      return reason
    }
    let path = folder.appending(Array("\(asset.identifier).jpg".utf8))
    let file = try ResultFile(path, isReplacing: true, removingLeftovers: false)
    try file.write(Array(image.data), at: 0)
    try file.publish()
    return nil
  }

  /// Relative to the page. The name of the folder is the user's and may contain any byte.
  private func link(to asset: AssetRecord) -> String {
    let name = BytePath(bytes: [UInt8(ascii: "/")] + folder.lastComponent)
    // A dot at the beginning: a name with a colon would otherwise be another scheme.
    return "." + name.fileURL.dropFirst("file://".count) + "/\(asset.identifier).jpg"
  }
}
