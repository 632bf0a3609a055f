import Catalog
import Foundation
import Linux
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import Exporter

/// What an export does with what earlier ones made.
struct RecordTests {
  private let asset = sample("/l/a.jpg")
  private let made = ExportRecord.Version(size: 1000, modified: 77)

  /// A target in which an export with these settings has made the asset's file.
  private func target(
    _ request: ExportRequest, source: FileStamp = usualStamp,
    now: FileStamp? = FileStamp(size: 1000, modified: 77, inode: 9),
    name: String = "a.jpg", isDone: Bool = true, isOwn: Bool = true, keepsInodes: Bool = true
  ) -> TargetState {
    var record = ExportRecord()
    record.add(
      ExportRecord.Key(identifier: asset.identifier, resource: .photo),
      ExportRecord.Entry(
        source: ExportRecord.Version(source), settings: request.settingsDigest(of: .image),
        naming: request.naming, target: name, made: made, inode: 9, isDone: isDone,
        isOwn: isOwn))
    return TargetState(
      record: record, versions: now.map { [name: $0] } ?? [:],
      names: now == nil ? [:] : ["": [name]],
      keepsInodes: keepsInodes)
  }

  private func item(
    _ replacement: Replacement, target: TargetState,
    _ change: (inout ExportRequest) -> Void = { _ in }
  ) throws -> ExportItem? {
    var request = try request()
    change(&request)
    request.replacement = replacement
    return planned(asset, request, target: target)
  }

  @Test(arguments: [Replacement.never, .outdated])
  func whatIsThereAsItWouldBeMadeIsSkipped(replacement: Replacement) throws {
    let item = try item(replacement, target: target(request()))
    #expect(item?.action == .skipped)
    #expect(item?.files.map(\.target) == ["a.jpg"])
  }

  /// Only the still is exported without location, but the clip of an earlier export may contain it.
  @Test func whatAnEarlierExportLeftBesideIsNotPassedOverWhereItMayTellMore() throws {
    let pair = sample("/l/IMG_1.HEIC", type: .heic, clip: clip("/l/IMG_1.MOV"))
    func item(_ policy: MetadataPolicy, made earlier: MetadataPolicy) throws -> ExportItem? {
      var request = try request(image: "current")
      request.metadata = earlier
      var record = ExportRecord()
      record.add(
        ExportRecord.Key(identifier: pair.identifier, resource: .pairedVideo),
        ExportRecord.Entry(
          source: ExportRecord.Version(usualStamp), settings: request.settingsDigest(of: .image),
          naming: request.naming, target: "IMG_1.MOV", made: made, inode: 9,
          isDone: true, isOwn: true))
      let target = TargetState(
        record: record, versions: ["IMG_1.MOV": FileStamp(size: 1000, modified: 77, inode: 9)],
        names: ["": ["IMG_1.MOV"]])
      request.metadata = policy
      request.livePhotos = .still
      request.replacement = .outdated
      return planned(pair, request, target: target)
    }
    #expect(try item(.keep, made: .keep)?.fate == .make)
    #expect(try item(.withoutLocation, made: .withoutLocation)?.fate == .make)
    let refused = try item(.withoutLocation, made: .keep)
    #expect(refused?.action == .failed)
    #expect(refused?.reason?.hasPrefix("IMG_1.MOV of an earlier export exists") == true)
    #expect(try item(.withoutCaptions, made: .withoutCaptions)?.fate == .make)
    let captioned = try item(.withoutCaptions, made: .withoutLocation)
    #expect(captioned?.reason?.contains("may still contain the captions") == true)
  }

  /// The edited version is gone from the library, but not what an earlier export made of it.
  @Test(arguments: [Replacement.never, .outdated, .always])
  func `results of files that are gone are named`(replacement: Replacement) throws {
    func item(_ policy: MetadataPolicy, made earlier: MetadataPolicy) throws -> ExportItem? {
      var request = try request(image: "current")
      request.metadata = earlier
      var record = ExportRecord()
      for (variant, resource, target) in [
        ("", ResourceType.fullSizePhoto, "a_E.jpg"),
        ("xmp fullSizePhoto", .sidecar, "a_E.jpg.xmp"),
      ] {
        record.add(
          ExportRecord.Key(identifier: asset.identifier, resource: resource, variant: variant),
          ExportRecord.Entry(
            source: ExportRecord.Version(usualStamp),
            settings: resource == .sidecar ? "77" : request.settingsDigest(of: .image),
            naming: request.naming, target: target, made: made, inode: 9, isDone: true, isOwn: true)
        )
      }
      let stamp = FileStamp(size: 1000, modified: 77, inode: 9)
      let target = TargetState(
        record: record, versions: ["a_E.jpg": stamp, "a_E.jpg.xmp": stamp],
        names: ["": ["a_E.jpg", "a_E.jpg.xmp"]])
      (request.metadata, request.replacement) = (policy, replacement)
      return planned(asset, request, target: target)
    }
    #expect(try item(.keep, made: .keep)?.fate == .make)
    #expect(try item(.withoutLocation, made: .withoutLocation)?.fate == .make)
    let refused = try item(.withoutLocation, made: .keep)
    #expect(
      refused?.reason
        == "a_E.jpg, a_E.jpg.xmp of an earlier export exist and may still contain the location, and "
        + "the source is no longer part of the asset: remove them.")
  }

  @Test func overwritingMakesItAnewUnderItsName() throws {
    let item = try item(.always, target: target(request()))
    #expect(item?.fate == .make)
    #expect(item?.files.map(\.target) == ["a.jpg"])
    #expect(item?.files.first?.replacesOwn == true)
  }

  @Test func anUpdateFollowsTheSourceAndTheSettings() throws {
    let older = FileStamp(size: 999, modified: 1, inode: 1)
    for target in [try target(request(), source: older), try target(request(image: "web"))] {
      let updated = try item(.outdated, target: target)
      #expect(updated?.fate == .make)
      #expect(updated?.files.map(\.target) == ["a.jpg"])
      let kept = try item(.never, target: target)
      #expect(kept?.fate == .skip(.outdated))
      #expect(
        kept?.reason == "the target has an older or different version: --update replaces it")
    }
  }

  /// An export without location must not leave an earlier result that contains it.
  @Test func whatMayTellItsPlaceDoesNotPassForAResultWithout() throws {
    let altered = FileStamp(size: 1001, modified: 78, inode: 9)
    let cases: [(Replacement, FileStamp?, String)] = [
      (.never, FileStamp(size: 1000, modified: 77, inode: 9), "--update"),
      (.never, altered, "--overwrite"),
      (.outdated, altered, "--overwrite"),
    ]
    for (replacement, now, remedy) in cases {
      let item = try item(replacement, target: target(request(), now: now)) {
        $0.metadata = .withoutLocation
      }
      #expect(item?.action == .failed)
      #expect(item?.reason?.contains(remedy) == true)
    }
    let updated = try item(.outdated, target: target(request())) { $0.metadata = .withoutLocation }
    #expect(updated?.fate == .make)
  }

  /// A new result with another extension does not replace the earlier one, which may contain the location.
  @Test(arguments: [Replacement.outdated, .always])
  func whatWouldStayUnderAnotherNameAndMayTellItsPlaceFails(replacement: Replacement) throws {
    func item(
      _ policy: MetadataPolicy, made earlier: MetadataPolicy, now: FileStamp?, isOwn: Bool = true
    ) throws -> ExportItem? {
      var before = try request()
      before.metadata = earlier
      let target = target(before, now: now, isOwn: isOwn)
      var request = try request(image: "archive-png")
      (request.metadata, request.replacement) = (policy, replacement)
      return planned(asset, request, examined: picture(), target: target)
    }
    let there = FileStamp(size: 1000, modified: 77, inode: 9)
    let refused = try item(.withoutLocation, made: .keep, now: there)
    #expect(refused?.action == .failed)
    #expect(
      refused?.reason
        == "a.jpg of an earlier export exists and may still contain the location, and a.png would "
        + "not replace it: remove it.")
    #expect(try item(.withoutLocation, made: .withoutCaptions, now: there)?.action == .failed)
    #expect(try item(.appearanceOnly, made: .withoutLocation, now: there)?.action == .failed)
    for (policy, earlier, now) in [
      (MetadataPolicy.keep, MetadataPolicy.keep, there), (.withoutLocation, .keep, nil),
      (.withoutLocation, .withoutLocation, there), (.withoutLocation, .appearanceOnly, there),
    ] {
      let made = try item(policy, made: earlier, now: now)
      #expect(made?.fate == .make)
      #expect(made?.files.map(\.target) == ["a.png"])
    }
    let unproven = try item(.withoutLocation, made: .keep, now: there, isOwn: false)
    #expect(unproven?.action == .failed)
  }

  @Test func aFileThatIsGoneIsMadeAgainUnderItsName() throws {
    for replacement in [Replacement.never, .outdated] {
      let item = try item(replacement, target: target(request(), now: nil, name: "b/a (7).jpg"))
      #expect(item?.fate == .make)
      #expect(item?.files.map(\.target) == ["b/a (7).jpg"])
    }
  }

  @Test func whatSomebodyChangedIsLeftAlone() throws {
    let altered = FileStamp(size: 1001, modified: 78, inode: 9)
    let item = try item(.outdated, target: target(request(), now: altered))
    #expect(item?.action == .skipped)
    #expect(item?.reason?.contains("--overwrite") == true)
  }

  @Test func otherNamesAreOtherResults() throws {
    let target = try target(request())
    let item = try item(.outdated, target: target) {
      $0.template = try? NameTemplate(typed: "{id:4}")
    }
    #expect(item?.fate == .make)
    #expect(item?.files.map(\.target) == ["ID-_.jpg"])
  }

  @Test func aNameOnceGivenStaysWithItsAsset() throws {
    let newcomer = subject(sample("/l/A.JPG"))
    let plan = ExportPlanner(try request(), target: try target(request()))
      .plan([subject(asset), newcomer])
    #expect(plan.items.map { $0.files.map(\.target) } == [["A (2).JPG"], ["a.jpg"]])
  }

  // MARK: Intents, commits, proofs

  /// An export was killed before its rename: the file that it was to replace is still there, with the same
  /// size and time, since what takes a place out keeps both.
  @Test func whatWasOnlyIntendedIsNotBelieved() throws {
    var target = try target(request())
    var intent = try #require(target.record.latest(key))
    intent.settings = try asked { $0.metadata = .withoutLocation }.settingsDigest(of: .image)
    (intent.inode, intent.isDone) = (10, false)
    target.record.add(key, intent)
    let killed = try item(.outdated, target: target) { $0.metadata = .withoutLocation }
    #expect(killed?.fate == .make)
    #expect(killed?.files.first?.replacesOwn == true)
    // The rename was done, and the line that says so is missing.
    target.versions["a.jpg"]?.inode = 10
    let named = try item(.outdated, target: target) { $0.metadata = .withoutLocation }
    #expect(named?.fate == .skip(.unchanged))
    // Where inodes say nothing, it is made again.
    target.keepsInodes = false
    target.versions["a.jpg"]?.inode = 11
    let unsure = try item(.outdated, target: target) { $0.metadata = .withoutLocation }
    #expect(unsure?.fate == .make)
  }

  @Test(arguments: [true, false])
  func aFileOfTheSameSizeAndTimeIsNotTheOneThatWasMade(keepsInodes: Bool) throws {
    let other = FileStamp(size: 1000, modified: 77, inode: 8)
    let item = try item(
      .outdated, target: target(request(), now: other, keepsInodes: keepsInodes))
    #expect(item?.fate == .skip(keepsInodes ? .keptChange : .unchanged))
  }

  /// The picture was replaced when the export was killed, the clip was not: the next one completes the pair,
  /// whether or not it was asked to update.
  @Test(arguments: [Replacement.never, .outdated])
  func aPairThatWasReplacedByHalfIsCompleted(replacement: Replacement) throws {
    let pair = sample("/l/IMG_1.HEIC", type: .heic, clip: clip("/l/IMG_1.MOV"))
    var request = try request(image: "current")
    let older = request.settingsDigest(of: .image)
    request.metadata = .withoutLocation
    request.replacement = replacement
    let now = request.settingsDigest(of: .image)
    var record = ExportRecord()
    for (resource, name, inode) in [
      (ResourceType.photo, "IMG_1.HEIC", UInt64(1)), (.pairedVideo, "IMG_1.MOV", 2),
    ] {
      for (settings, inode, isDone) in [(older, inode, true), (now, inode + 10, false)] {
        record.add(
          ExportRecord.Key(identifier: pair.identifier, resource: resource),
          ExportRecord.Entry(
            source: ExportRecord.Version(usualStamp), settings: settings, naming: "", target: name,
            made: made, inode: inode, isDone: isDone, isOwn: true))
      }
    }
    let target = TargetState(
      record: record,
      versions: [
        "IMG_1.HEIC": FileStamp(size: 1000, modified: 77, inode: 11),
        "IMG_1.MOV": FileStamp(size: 1000, modified: 77, inode: 2),
      ])
    let item = planned(pair, request, target: target)
    #expect(item?.fate == .make)
    #expect(item?.files.map(\.target) == ["IMG_1.HEIC", "IMG_1.MOV"])
    #expect(item?.files.allSatisfy(\.replacesOwn) == true)
  }

  /// Another catalog's line, one of an earlier version, or a planted one: nothing is replaced for it.
  @Test func aLineWithoutProofReplacesNothing() throws {
    let same = try item(.outdated, target: target(request(), isOwn: false))
    #expect(same?.fate == .skip(.unchanged))
    let other = try item(.outdated, target: target(request(image: "web"), isOwn: false))
    #expect(other?.fate == .skip(.unproven))
    let private_ = try item(.outdated, target: target(request(image: "web"), isOwn: false)) {
      $0.metadata = .withoutLocation
    }
    #expect(private_?.action == .failed)
    #expect(private_?.reason?.contains("--overwrite") == true)
    // One that names what is not there does not give a result its name.
    let absent = try item(
      .outdated, target: target(request(), now: nil, name: "sub/thesis.jpg", isOwn: false))
    #expect(absent?.files.map(\.target) == ["a.jpg"])
  }

  private var key: ExportRecord.Key {
    ExportRecord.Key(identifier: asset.identifier, resource: .photo)
  }

  private func asked(_ change: (inout ExportRequest) -> Void) throws -> ExportRequest {
    var request = try request()
    change(&request)
    return request
  }

  // MARK: The file

  private static let secret = [UInt8](repeating: 7, count: 32)

  /// Reads bytes as a record's file.
  private func read(
    _ bytes: [UInt8], key: [UInt8]? = secret, _ interest: ExportRecord.Interest? = nil
  ) throws -> ExportRecord {
    let folder = try ScratchFolder()
    try folder.write(bytes, to: "record")
    let file = try ReadOnlyFile(path: BytePath(folder.path("record")))
    return try ExportRecord(file, key: key, interest: interest)
  }

  private func line(name: String = "a.jpg", inode: UInt64 = 9, proof: [UInt8]? = secret) throws
    -> [UInt8]
  {
    var entry = try #require(try target(request(), name: name).record.latest(key))
    entry.inode = inode
    return ExportRecord.line(key, entry, proof: proof)
  }

  @Test func aRecordIsReadAsItWasWritten() throws {
    var entry = try #require(
      try target(request(), name: "f/ü \"1\".jpg", isDone: false).record.latest(key))
    let bytes = ExportRecord.line(key, entry, proof: Self.secret)
    #expect(try read(bytes).history == [key: [entry]])
    let done = bytes + ExportRecord.line(done: [8, 9])
    entry.isDone = true
    #expect(try read(done).history == [key: [entry]])
    // A line cut off by a crash, nonsense, and one that is too long.
    let torn = done + Array("{\"id\":\"x\",\"reso".utf8)
    #expect(try read(torn).history == [key: [entry]])
    #expect(try !read(torn).isEnded)
    #expect(try read(Array("\u{0}\n[]\n\n{}".utf8)).history.isEmpty)
    var long = [UInt8](repeating: 0x20, count: ExportRecord.lineLimit + 1)
    long.append(0x0A)
    let mixed: [UInt8] = Array([long, done, long, done].joined())
    #expect(try read(mixed).history == [key: [entry]])
  }

  @Test(arguments: ["copied", "0123456789abcdef0123456789abcdef"])
  func aLineHasTheContentOfItsSource(text: String) throws {
    var entry = try #require(try target(request(), isDone: false).record.latest(key))
    entry.content = SourceContent(text: text)
    let bytes = ExportRecord.line(key, entry, proof: Self.secret)
    #expect(String(decoding: bytes, as: UTF8.self).contains(#","content":"\#(text)","settings":""#))
    #expect(try read(bytes).history == [key: [entry]])
    let done = ExportRecord.line(key, entry, proof: Self.secret, isDone: true)
    entry.isDone = true
    #expect(try read(done).history == [key: [entry]])
  }

  /// What is compared by content: own lines that have it, if the size is equal.
  @Test func onlyATimeStampThatDiffersIsComparedByContent() throws {
    let request = try request()
    let touched = FileStamp(size: 1000, modified: 6_000_000_000, inode: 1)
    func count(
      _ stamp: FileStamp = touched, content: SourceContent? = .copied, isOwn: Bool = true
    ) throws -> Int {
      var record = ExportRecord()
      var entry = try #require(target(request, isOwn: isOwn).record.latest(key))
      entry.content = content
      record.add(key, entry)
      return ContentCheck.candidates([subject(asset, stamp: stamp)], request, record).count
    }
    #expect(try count() == 1)
    #expect(try count(usualStamp) == 0)
    #expect(try count(FileStamp(size: 999, modified: 6_000_000_000, inode: 1)) == 0)
    #expect(try count(content: nil) == 0)
    #expect(try count(isOwn: false) == 0)
  }

  /// A line of an earlier version has no content: then the time stamp decides.
  @Test func aTouchedSourceIsCurrent() throws {
    var target = try target(request(), source: FileStamp(size: 1000, modified: 1, inode: 1))
    #expect(try item(.outdated, target: target)?.changes == [.source])
    target.touched[key] = ExportRecord.Version(usualStamp)
    #expect(try item(.outdated, target: target)?.fate == .skip(.unchanged))
    // The source changed after its content was compared.
    target.touched[key] = ExportRecord.Version(size: 1000, modified: 2)
    #expect(try item(.outdated, target: target)?.fate == .make)
  }

  @Test func onlyTheCatalogsOwnLinesAreProven() throws {
    let own = try line()
    #expect(try read(own).latest(key)?.isOwn == true)
    #expect(try read(own, key: nil).latest(key)?.isOwn == false)
    #expect(try read(own, key: [1]).latest(key)?.isOwn == false)
    #expect(try read(line(proof: nil)).latest(key)?.isOwn == false)
    // Another name under the proof of a line, which anybody can read.
    let planted = Array(
      String(decoding: own, as: UTF8.self).replacing(
        #""target":"a.jpg""#, with: #""target":"b.jpg""#
      ).utf8)
    #expect(try read(planted).latest(key)?.isOwn == false)
    #expect(try read(own + planted).latest(key)?.target == "a.jpg")
  }

  @Test(arguments: ["../a.jpg", "/etc/passwd", "a/../../b", "", "a//b", "."])
  func aRecordLeadsNowhereElse(name: String) throws {
    let record = try read(line(name: name))
    #expect(record.history.isEmpty)
    #expect(record.names.isEmpty)
  }

  /// Of other assets only the names in the folders that matter are kept.
  @Test func aLongRecordIsNotHeldInMemory() throws {
    let lines = try (0..<1000).flatMap { number in
      var entry = try #require(
        try target(request(), name: "d\(number % 10)/\(number).jpg").record.latest(key))
      entry.inode = UInt64(number)
      return ExportRecord.line(
        ExportRecord.Key(identifier: "ID-\(number)", resource: .photo), entry, proof: nil)
    }
    let record = try read(
      lines, ExportRecord.Interest(identifiers: ["ID-7"], folders: ["D3"]))
    #expect(record.history.count == 1)
    #expect(record.otherNames.count == 100)
    #expect(record.otherNames.allSatisfy { $0.hasPrefix("d3/") })
    #expect(record.folders == Set((0..<10).map { "d\($0)" }))
    #expect(record.lineCount == 1000)
  }

  @Test func aRewrittenRecordHasWhatCounts() throws {
    let folder = try ScratchFolder()
    let other = try String(decoding: line(name: "b.jpg", proof: nil), as: UTF8.self)
      .replacing(asset.identifier, with: "other")
    let lines: [[UInt8]] = [
      try line(inode: 1), ExportRecord.line(done: [1]), ExportRecord.line(beginning: ["x"]),
      try line(inode: 2), Array(other.utf8), try line(inode: 3), ExportRecord.line(done: [3]),
      try line(inode: 4),
    ]
    let bytes: [UInt8] = Array(lines.joined())
    try folder.write(bytes, to: ExportRecord.fileName)
    let open = try OpenFolder(BytePath(folder.url.path))
    try RecordRewriting(open, lineCount: 8, compactedCount: 0).run()
    let file = try ReadOnlyFile(path: BytePath(folder.path(ExportRecord.fileName)))
    let record = try ExportRecord(file, key: Self.secret)
    #expect(record.history[key]?.map(\.inode) == [3, 4])
    #expect(record.history[key]?.map(\.isDone) == [true, false])
    #expect(record.history[key]?.allSatisfy(\.isOwn) == true)
    #expect(record.names == ["a.jpg", "b.jpg"])
    #expect(record.lineCount == 3)
  }

  /// A file could not get its name and was removed, and the file system gave its inode to the next one: what is
  /// done of that is not done of the other.
  @Test func aFailedFileIsNotDoneWithTheNextOfItsInode() throws {
    let other = try String(decoding: line(name: "b.jpg", inode: 7, proof: nil), as: UTF8.self)
      .replacing(asset.identifier, with: "other")
    let lines: [[UInt8]] = [
      try line(inode: 1), ExportRecord.line(done: [1]), try line(inode: 7), Array(other.utf8),
      ExportRecord.line(done: [7]),
    ]
    let bytes = Array(lines.joined())
    let alone = ExportRecord.Interest(identifiers: [asset.identifier], folders: [""])
    for interest in [nil, alone] {
      let record = try read(bytes, interest)
      #expect(record.history[key]?.map(\.inode) == [1, 7])
      #expect(record.history[key]?.map(\.isDone) == [true, false])
    }
    let folder = try ScratchFolder()
    try folder.write(bytes, to: ExportRecord.fileName)
    try RecordRewriting(
      OpenFolder(BytePath(folder.url.path)), lineCount: 5, compactedCount: 0
    ).run()
    let file = try ReadOnlyFile(path: BytePath(folder.path(ExportRecord.fileName)))
    let record = try ExportRecord(file, key: Self.secret)
    #expect(record.history[key]?.map(\.isDone) == [true, false])
    let rest = record.history.filter { $0.key != key }.values.flatMap { $0 }
    #expect(rest.map(\.isDone) == [true])
  }

  /// Lines that no export has written must not cost more than those that one has.
  @Test func aRewrittenRecordHasFewLinesOfEachPart() throws {
    var lines: [[UInt8]] = [try line(inode: 1), ExportRecord.line(done: [1])]
    for inode in UInt64(2)..<102 { lines.append(try line(inode: inode)) }
    // The line about this one no longer counts.
    lines.append(ExportRecord.line(done: [5]))
    let bytes: [UInt8] = Array(lines.joined())
    let folder = try ScratchFolder()
    try folder.write(bytes, to: ExportRecord.fileName)
    try RecordRewriting(
      OpenFolder(BytePath(folder.url.path)), lineCount: lines.count, compactedCount: 0
    ).run()
    let path = folder.path(ExportRecord.fileName)
    let kept = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(kept.count == 17)
    let record = try ExportRecord(ReadOnlyFile(path: BytePath(path)), key: Self.secret)
    let history = try read(bytes).history
    #expect(record.history == history)
    let inodes = record.history[key]?.map(\.inode)
    let expected: [UInt64] = [1] + Array(86..<102)
    #expect(inodes == expected)
  }
}
