import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// A page with the pictures of each set next to each other, the one to keep first.
struct DuplicateSheet {
  private let library: PhotoLibrary
  private let sets: [DuplicateSet]
  private let images: StoredImages

  /// - Throws: ``Failure`` if there are more assets than a page can show.
  init(_ library: PhotoLibrary, _ sets: [DuplicateSet]) throws {
    let count = sets.reduce(0) { $0 + $1.members.count }
    guard count <= ContactSheet.maximumCount else {
      throw Failure(
        .usage,
        "a contact sheet shows at most \(humanCount(ContactSheet.maximumCount)) pictures: select fewer assets, "
          + "for example with --under")
    }
    (self.library, self.sets) = (library, sets)
    images = try library.storedImages(longerSide: ContactSheet.longerSide)
  }

  /// Makes the missing previews, then the page at `path`.
  func make(
    at path: BytePath, isQuiet: Bool, in context: CommandContext
  ) async throws -> ExitStatus {
    let target = try path.absolute()
    let isReplacing = try ContactSheet.kind.exists(at: target, flag: "--to")
    try await makePreviews(isQuiet: isQuiet, in: context)
    let file = try PageFile(target, isReplacing: isReplacing)
    let gaps = try write(to: Output { try file.write($0) })
    try file.publish()
    for (path, reason) in gaps {
      context.complain("\(path.display.terminalSafe): \(reason.terminalSafe)")
    }
    return gaps.isEmpty ? .success : .someFailed
  }

  private func makePreviews(isQuiet: Bool, in context: CommandContext) async throws {
    let missing = try sets.flatMap(\.members).map(\.asset).filter { try images.isMissing(for: $0) }
    try await ContactSheet.makeThumbnails(of: missing, in: library, isQuiet: isQuiet, context)
  }

  /// - Returns: the assets without a preview, with the reasons.
  private func write(to output: Output) throws -> [(path: BytePath, reason: String)] {
    var gaps: [(path: BytePath, reason: String)] = []
    try output.append(beginning.utf8)
    for (number, set) in zip(1..., sets) {
      try output.append(opening(set, number).utf8)
      for member in set.members {
        let picture = try images.picture(of: member.asset)
        if case .failure(let gap) = picture { gaps.append((member.asset.path, gap.reason)) }
        let tile = SheetTile(
          asset: member.asset, heading: .undivided, picture: picture, note: note(member, of: set))
        try output.append(tile.html)
      }
      try output.append("</ul>\n</section>\n".utf8)
    }
    let end = sets.isEmpty ? "<p>No duplicates.</p>\n" : ""
    try output.append(
      "\(end)</main>\n<footer>\n<p>Made by Shoebox \(shoeboxVersion).</p>\n</footer>\n</body>\n</html>\n"
        .utf8)
    try output.flush()
    return gaps
  }

  private var beginning: String {
    SheetPage.mark + """
      <meta http-equiv="Content-Security-Policy" content="\(SheetPage.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Duplicates</title>
      <style>\(SheetStyle.text)</style>
      </head>
      <body>
      <a class="skip" href="#pictures">Skip to the pictures</a>
      <header>
      <h1>Duplicates</h1>
      <p>\(DuplicateSummary(sets).text)</p>
      </header>
      <main id="pictures" tabindex="-1">

      """
  }

  private func opening(_ set: DuplicateSet, _ number: Int) -> String {
    """
    <section aria-labelledby="set\(number)">
    <h2 id="set\(number)">Set \(humanCount(number)), \(set.kind.rawValue) <small>\(humanBytes(set.reclaimableBytes))</small></h2>
    <ul role="list">

    """
  }

  private func note(_ member: DuplicateSet.Member, of set: DuplicateSet) -> String {
    let pixels = member.asset.pixelSize.map { "\($0.width)×\($0.height), " } ?? ""
    let facts = "\(pixels)\(humanBytes(member.asset.size))"
    guard member.isSpare else { return "keep: \(set.reason) (\(facts))" }
    let alike = set.kind == .similar ? ", \(Int(member.similarity * 100)) % alike" : ""
    return "spare\(alike) (\(facts))"
  }
}
