import Catalog
import MediaModel
import Testing

@testable import Exporter

/// What an export does with what earlier ones made.
struct RecordTests {
  private let asset = sample("/l/a.jpg")
  private let made = ExportRecord.Version(size: 1000, modified: 77)

  /// A target in which an export with these settings has made the asset's file.
  private func target(
    _ request: ExportRequest, source: FileStamp = usualStamp,
    now: ExportRecord.Version? = ExportRecord.Version(size: 1000, modified: 77),
    name: String = "a.jpg"
  ) -> TargetState {
    var record = ExportRecord()
    record.add(
      ExportRecord.Key(identifier: asset.identifier, resource: .photo),
      ExportRecord.Entry(
        source: ExportRecord.Version(source), settings: request.settingsDigest(of: .image),
        naming: request.naming, target: name, made: made, inode: 9))
    return TargetState(
      record: record, versions: now.map { [name: $0] } ?? [:],
      names: now == nil ? [:] : ["": [name]])
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

  /// The still alone is wanted without its place, but the clip that lies there may tell it.
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
          naming: request.naming, target: "IMG_1.MOV", made: made, inode: 9))
      let target = TargetState(
        record: record, versions: ["IMG_1.MOV": made], names: ["": ["IMG_1.MOV"]])
      request.metadata = policy
      request.livePhotos = .still
      request.replacement = .outdated
      return planned(pair, request, target: target)
    }
    #expect(try item(.keep, made: .keep)?.fate == .make)
    #expect(try item(.withoutLocation, made: .withoutLocation)?.fate == .make)
    let refused = try item(.withoutLocation, made: .keep)
    #expect(refused?.action == .failed)
    #expect(refused?.reason?.hasPrefix("IMG_1.MOV of an earlier export is there") == true)
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
        kept?.reason == "an older or different version is there: --update replaces it")
    }
  }

  /// Nobody who asks for a copy without its place may be left with one that tells it.
  @Test func whatMayTellItsPlaceDoesNotPassForAResultWithout() throws {
    let altered = ExportRecord.Version(size: 1001, modified: 78)
    let cases: [(Replacement, ExportRecord.Version?, String)] = [
      (.never, made, "--update"), (.never, altered, "--overwrite"),
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

  @Test func aFileThatIsGoneIsMadeAgainUnderItsName() throws {
    for replacement in [Replacement.never, .outdated] {
      let item = try item(replacement, target: target(request(), now: nil, name: "b/a (7).jpg"))
      #expect(item?.fate == .make)
      #expect(item?.files.map(\.target) == ["b/a (7).jpg"])
    }
  }

  @Test func whatSomebodyChangedIsLeftAlone() throws {
    let altered = ExportRecord.Version(size: 1001, modified: 78)
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

  @Test func aRecordIsReadAsItWasWritten() throws {
    let record = try target(request(), name: "f/ü \"1\".jpg").record
    #expect(ExportRecord(record.bytes).entries == record.entries)
    // A line cut off by a crash, nonsense, and a line that a later one takes the place of.
    let torn = record.bytes + Array("{\"id\":\"x\",\"reso".utf8)
    #expect(ExportRecord(torn).entries == record.entries)
    #expect(ExportRecord(torn).staleLines == 1)
    #expect(ExportRecord(record.bytes + record.bytes).staleLines == 1)
    #expect(ExportRecord(Array("\u{0}\n[]\n\n{}".utf8)).entries.isEmpty)
  }

  @Test(arguments: ["../a.jpg", "/etc/passwd", "a/../../b", "", "a//b", "."])
  func aRecordLeadsNowhereElse(name: String) throws {
    #expect(ExportRecord(try target(request(), name: name).record.bytes).entries.isEmpty)
  }
}
