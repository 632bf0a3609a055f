import MediaEdits
import MediaModel
import Testing

@testable import Catalog
@testable import Exporter
@testable import Query

/// Which version of an edited picture is exported, and what all of its files are called.
struct EditsPlanTests {
  private func edited(
    clip: ResourceRecord? = nil, editedClip: Bool = false, more: [ResourceRecord] = []
  ) -> AssetRecord {
    var asset = sample("/l/IMG_0001.JPG", captured: "2024-06-01T10:15:30", clip: clip)
    if editedClip {
      asset.resources.append(
        ResourceRecord(
          type: .pairedVideo, path: BytePath("/l/IMG_E0001.MOV"), uniformType: .quickTimeMovie,
          size: 400, owner: BytePath("/l/IMG_E0001.JPG")))
    }
    asset.resources.append(
      ResourceRecord(
        type: .fullSizePhoto, path: BytePath("/l/IMG_E0001.JPG"), uniformType: .jpeg, size: 900))
    asset.resources += more
    return asset
  }

  private let all = [
    ResourceRecord(
      type: .alternatePhoto, path: BytePath("/l/IMG_0001.DNG"), uniformType: .dng, size: 5000),
    ResourceRecord(
      type: .adjustmentData, path: BytePath("/l/IMG_0001.AAE"), uniformType: .aae, size: 10),
    ResourceRecord(
      type: .adjustmentData, path: BytePath("/l/IMG_O0001.AAE"), uniformType: .aae, size: 10),
    ResourceRecord(
      type: .sidecar, path: BytePath("/l/IMG_0001.xmp"), uniformType: .xmp, size: 10),
    ResourceRecord(
      type: .sidecar, path: BytePath("/l/IMG_0001.JPG.xmp"), uniformType: .xmp, size: 10),
  ]

  private func targets(_ item: ExportItem?) -> [String] { item?.files.map(\.target) ?? [] }

  @Test(arguments: [
    (EditsChoice.current, ["IMG_E0001.JPG"]), (.original, ["IMG_0001.JPG"]),
    (.both, ["IMG_E0001.JPG", "IMG_0001.JPG"]),
  ])
  func theVersionThatIsAskedForIsExported(edits: EditsChoice, expected: [String]) throws {
    var request = try request()
    request.edits = edits
    #expect(targets(planned(edited(), request)) == expected)
    #expect(targets(planned(sample("/l/a.jpg"), request)) == ["a.jpg"])
  }

  @Test func aNamedFileIsTheOneThatIsExported() throws {
    var request = try request(image: "current")
    for edits in EditsChoice.allCases {
      request.edits = edits
      for name in ["IMG_E0001.JPG", "IMG_0001.JPG", "IMG_0001.DNG", "IMG_0001.AAE"] {
        var subject = subject(edited(more: all))
        subject.named = [BytePath("/l/" + name)]
        let item = ExportPlanner(request).plan([subject]).items.first
        #expect(targets(item) == [name])
        #expect(item?.files.map { BytePath("/l/" + name) == $0.part.path } == [true])
      }
    }
  }

  @Test func anEditedLivePhotoIsNeverAMix() throws {
    var request = try request(image: "current")
    let whole = edited(clip: clip("/l/IMG_0001.MOV"), editedClip: true)
    #expect(targets(planned(whole, request)) == ["IMG_E0001.JPG", "IMG_E0001.MOV"])
    let half = edited(clip: clip("/l/IMG_0001.MOV"))
    let item = planned(half, request)
    #expect(targets(item) == ["IMG_E0001.JPG"])
    #expect(item?.notes.first?.contains("IMG_0001.MOV") == true)
    request.livePhotos = .motion
    #expect(targets(planned(whole, request)) == ["IMG_E0001.MOV"])
    #expect(targets(planned(half, request)) == ["IMG_0001.MOV"])
    #expect(planned(half, request)?.notes.count == 1)
    request.livePhotos = .pair
    request.edits = .both
    #expect(
      targets(planned(whole, request))
        == ["IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.JPG", "IMG_0001.MOV"])
    #expect(planned(half, request)?.notes == [])
  }

  @Test func allFilesKeepTheirNamesTogether() throws {
    var request = try request(image: "current")
    request.resources = .all
    let asset = edited(clip: clip("/l/IMG_0001_HEVC.MOV"), editedClip: true, more: all)
    #expect(
      targets(planned(asset, request)) == [
        "IMG_E0001.JPG", "IMG_E0001.MOV", "IMG_0001.JPG", "IMG_0001.MOV", "IMG_0001.DNG",
        "IMG_0001.AAE", "IMG_O0001.AAE", "IMG_0001.xmp", "IMG_0001.JPG.xmp",
      ])
    request.template = try NameTemplate(typed: "{captureDate:yyyy}/a{ext}")
    #expect(
      targets(planned(asset, request)) == [
        "2024/a-edited.JPG", "2024/a-edited.MOV", "2024/a.JPG", "2024/a.MOV", "2024/a.DNG",
        "2024/a.AAE", "2024/a.o.AAE", "2024/a.xmp", "2024/a.JPG.xmp",
      ])
  }

  @Test func namesThatAreTakenNumberAllFilesAlike() throws {
    var request = try request(image: "current")
    request.resources = .all
    request.isFlat = true
    var other = edited(more: all)
    other.path = BytePath("/l/b/IMG_0001.JPG")
    other.identifier = "other"
    other.resources = other.resources.map {
      var resource = $0
      resource.path = BytePath("/l/b").appending(resource.path.lastComponent)
      return resource
    }
    let plan = ExportPlanner(request).plan([subject(edited(more: all)), subject(other)])
    #expect(
      targets(plan.items.last) == [
        "IMG_E0001 (2).JPG", "IMG_0001 (2).JPG", "IMG_0001 (2).DNG", "IMG_0001 (2).AAE",
        "IMG_O0001 (2).AAE", "IMG_0001 (2).xmp", "IMG_0001 (2).JPG.xmp",
      ])
  }

  /// Sidecars are copied or left out, never changed.
  @Test func sidecarsAreLeftOutWhereMetadataIs() throws {
    var request = try request()
    request.resources = .all
    request.metadata = .withoutLocation
    let item = planned(edited(more: all), request)
    #expect(targets(item) == ["IMG_E0001.JPG", "IMG_0001.JPG", "IMG_0001.DNG"])
    #expect(item?.notes.first?.contains("IMG_O0001.AAE") == true)
    request.resources = .main
    var subject = subject(edited(more: all))
    subject.named = [BytePath("/l/IMG_0001.xmp")]
    #expect(ExportPlanner(request).plan([subject]).items.first?.action == .failed)
  }

  @Test func aLaterWishForMoreKeepsTheNamesOfWhatIsThere() throws {
    var request = try request(image: "current")
    request.edits = .both
    let asset = edited()
    var record = ExportRecord()
    let part = subject(asset).edited[0].main
    let version = ExportRecord.Version(usualStamp)
    record.add(
      ExportRecord.Key(asset, part),
      ExportRecord.Entry(
        source: version, settings: request.settingsDigest(of: .image), naming: request.naming,
        target: "IMG_E0001.JPG", made: version, inode: 1,
        isDone: true, isOwn: true))
    let target = TargetState(
      record: record, versions: ["IMG_E0001.JPG": usualStamp], names: ["": ["IMG_E0001.JPG"]])
    let item = planned(asset, request, target: target)
    #expect(targets(item) == ["IMG_E0001.JPG", "IMG_0001.JPG"])
    request.edits = .current
    #expect(planned(asset, request, target: target)?.action == .skipped)
  }

  /// A user who removes locations must not find an earlier version that still contains one.
  @Test func anotherVersionOfAnEarlierExportIsNotPassedOver() throws {
    var request = try request(image: "current")
    let asset = edited()
    var record = ExportRecord()
    let version = ExportRecord.Version(usualStamp)
    record.add(
      ExportRecord.Key(asset, subject(asset).original.main),
      ExportRecord.Entry(
        source: version, settings: request.settingsDigest(of: .image), naming: request.naming,
        target: "IMG_0001.JPG", made: version, inode: 1,
        isDone: true, isOwn: true))
    let target = TargetState(record: record, versions: ["IMG_0001.JPG": usualStamp])
    #expect(planned(asset, request, target: target)?.action == .copied)
    request.metadata = .withoutLocation
    let item = planned(asset, request, target: target)
    #expect(item?.action == .failed)
    #expect(item?.reason?.contains("IMG_0001.JPG") == true)
  }
}
