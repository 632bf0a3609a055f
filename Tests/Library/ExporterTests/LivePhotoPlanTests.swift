import Linux
import MediaEdits
import MediaModel
import Testing
import WorkerProtocol

@testable import Exporter

/// Pictures that come with a clip.
struct LivePhotoPlanTests {
  private let pair = sample("/l/IMG_1.HEIC", type: .heic, clip: clip("/l/IMG_1_HEVC.MOV"))
  private let motionPhoto = sample("/l/PXL.jpg", clip: embedded(in: "/l/PXL.jpg"))

  private func targets(_ item: ExportItem?) -> [String] { item?.files.map(\.target) ?? [] }

  @Test func aPairKeepsOneStem() throws {
    let item = planned(pair, try request(), examined: picture())
    #expect(targets(item) == ["IMG_1.jpg", "IMG_1.MOV"])
    #expect(item?.action == .transcoded)
    let current = planned(pair, try request(image: "current"))
    #expect(targets(current) == ["IMG_1.HEIC", "IMG_1.MOV"])
    #expect(current?.action == .copied)
  }

  @Test func oneHalfCanBeAskedFor() throws {
    var request = try request(image: "current")
    request.livePhotos = .still
    #expect(targets(planned(pair, request)) == ["IMG_1.HEIC"])
    request.livePhotos = .motion
    #expect(targets(planned(pair, request)) == ["IMG_1.MOV"])
    #expect(planned(sample("/l/a.jpg"), request)?.files.map(\.target) == ["a.jpg"])
  }

  @Test func aMotionPhotoStaysOneFileWhereItStaysAsItIs() throws {
    #expect(targets(planned(motionPhoto, try request())) == ["PXL.jpg"])
    var still = try request()
    still.livePhotos = .still
    let reason = "its clip stays inside"
    #expect(planned(motionPhoto, still)?.files[0].decision.reasons.contains(reason) == true)
    #expect(
      planned(pair, still, examined: picture())?.files[0].decision.reasons.contains(reason) == false
    )
    still.metadata = .appearanceOnly
    #expect(planned(motionPhoto, still)?.files[0].decision.reasons.contains(reason) == false)
  }

  @Test func aClipThatKeepsItsLengthIsNamed() throws {
    let photo = sample("/l/PXL.jpg", clip: embedded(in: "/l/PXL.jpg"), duration: 3)
    let reason = "its clip keeps its length"
    func isNamed(_ change: (inout ExportRequest) -> Void) throws -> Bool? {
      var request = try request()
      change(&request)
      return planned(photo, request)?.files[0].decision.reasons.contains(reason)
    }
    #expect(try isNamed { $0.maxDuration = 0.5 } == true)
    #expect(try isNamed { $0.trim = TimeSpan(start: 0, end: 1) } == true)
    #expect(try isNamed { $0.maxDuration = 3 } == false)
    #expect(try isNamed { _ in } == false)
  }

  @Test func theClipInsideIsHandedOutByItselfWhereThePictureIsMadeAnew() throws {
    let heic = sample("/l/M.heic", type: .heic, clip: embedded(in: "/l/M.heic"))
    let item = planned(heic, try request(), examined: picture())
    #expect(targets(item) == ["M.jpg", "M.mp4"])
    #expect(item?.files.last?.part.range == ByteRange(offset: 700, length: 300))
    #expect(item?.files.last?.decision.work == .copy)
    var motion = try request()
    motion.livePhotos = .motion
    #expect(targets(planned(motionPhoto, motion)) == ["PXL.mp4"])
    // A clip alone is made by the preset for videos, and its item says so.
    #expect(planned(motionPhoto, motion)?.preset == "current")
    #expect(item?.preset == "compatible")
  }

  @Test func halfAPairIsNone() throws {
    var subject = subject(pair)
    subject.stamps[BytePath("/l/IMG_1_HEVC.MOV")] = nil
    let item = ExportPlanner(try request(image: "current")).plan([subject]).items.first
    #expect(item?.action == .failed)
    #expect(item?.reason?.contains("IMG_1_HEVC.MOV") == true)
    #expect(item?.files.isEmpty == true)
  }

  @Test func pairsAndOthersOfOneNameShareNone() throws {
    let other = sample("/l/b/IMG_1.mov", type: .quickTimeMovie)
    var request = try request(image: "current")
    request.isFlat = true
    let plan = ExportPlanner(request).plan([subject(other), subject(pair)])
    #expect(
      plan.items.map { $0.files.map(\.target) }
        == [["IMG_1.HEIC", "IMG_1.MOV"], ["IMG_1 (2).mov"]])
  }

  // MARK: Other forms

  /// A clip of Apple's, or of another camera.
  private func movie(_ identifier: String?, in container: UniformType) -> ExamineReply {
    var tracks = [
      TrackDescription(index: 0, kind: .video), TrackDescription(index: 1, kind: .audio),
    ]
    for (index, codec) in ["h264", "aac"].enumerated() {
      tracks[index].codec = codec
      tracks[index].isDecodable = true
      if index == 0 { tracks[index].size = PixelSize(width: 320, height: 240) }
    }
    return .movie(
      MovieDescription(
        container: container, duration: 2, tracks: tracks, contentIdentifier: identifier,
        derivedIdentifier: "derived", stillImageTime: identifier == nil ? nil : 1.5))
  }

  @Test func applesPairIsCopied() throws {
    var live = pair
    live.contentIdentifier = "own"
    let request = try request(image: "apple-live-photo", video: "apple-live-photo")
    let item = planned(live, request, examined: movie("own", in: .quickTimeMovie))
    #expect(targets(item) == ["IMG_1.HEIC", "IMG_1.MOV"])
    #expect(item?.action == .copied)
  }

  @Test func aMotionPhotoBecomesTwoFilesWithOneIdentifier() throws {
    let request = try request(image: "apple-live-photo", video: "apple-live-photo")
    let item = planned(motionPhoto, request, examined: movie(nil, in: .mpeg4))
    #expect(targets(item) == ["PXL.jpg", "PXL.mov"])
    #expect(item?.action == .remuxed)
    #expect(
      item?.files.map(\.decision.livePhoto) == [
        .paired(identifier: "derived"), .paired(identifier: "derived"),
      ])
    var still = request
    still.livePhotos = .still
    #expect(targets(planned(motionPhoto, still)) == ["PXL.jpg"])
  }

  @Test func aPairBecomesOneFile() throws {
    let request = try request(image: "motion-photo", video: "motion-photo")
    let live = sample("/l/IMG_1.JPG", clip: clip("/l/IMG_1.MOV"))
    let item = planned(live, request, examined: movie("own", in: .quickTimeMovie))
    #expect(targets(item) == ["IMG_1.MP.JPG"])
    #expect(item?.files.first?.decision.livePhoto == .motionPhoto(moment: 1_500_000))
    #expect(item?.files.first?.clip?.decision.type == .mpeg4)
    #expect(targets(planned(motionPhoto, request)) == ["PXL.jpg"])
  }

  /// The moment is 1.5 s of 2 s.
  @Test(
    arguments: [
      (TimeSpan(start: 0.5), false, -1), (TimeSpan(start: 0.5), true, 1_000_000),
      (TimeSpan(start: 0.5, end: 1.5), true, -1), (TimeSpan(start: 1.6), true, -1),
      (TimeSpan(start: 0, end: 1.7), false, 1_500_000), (TimeSpan(start: 0, end: 1), false, -1),
    ] as [(TimeSpan, Bool, Int64)])
  func `the moment moves with the part if its start is known`(
    trim: TimeSpan, isExact: Bool, expected: Int64
  ) throws {
    var request = try request(image: "motion-photo", video: "motion-photo")
    (request.trim, request.cutsExactly) = (trim, isExact)
    let live = sample("/l/IMG_1.JPG", clip: clip("/l/IMG_1.MOV"))
    let item = planned(live, request, examined: movie("own", in: .quickTimeMovie))
    #expect(item?.files.first?.decision.livePhoto == .motionPhoto(moment: expected))
  }

  @Test func `a re-encoded motion photo becomes two files with one identifier`() throws {
    var request = try request()
    request.maxPixels = 320
    func parts(_ change: (inout ExportRequest) -> Void = { _ in }) -> [LivePhotoPart?]? {
      var request = request
      change(&request)
      return planned(motionPhoto, request, examined: movie(nil, in: .mpeg4))?
        .files.map(\.decision.livePhoto)
    }
    let both = LivePhotoPart.paired(identifier: "derived")
    #expect(parts() == [both, both])
    #expect(parts { $0.metadata = .withoutLocation } == [both, both])
    #expect(parts { $0.metadata = .appearanceOnly } == [nil, nil])
    #expect(parts { $0.livePhotos = .still } == [nil])
    #expect(parts { $0.livePhotos = .motion } == [nil])
    // The picture's own identifier, if it has one.
    var known = motionPhoto
    known.contentIdentifier = "own"
    let item = planned(known, request, examined: movie(nil, in: .mpeg4))
    #expect(targets(item) == ["PXL.jpg", "PXL.mp4"])
    let own = LivePhotoPart.paired(identifier: "own")
    #expect(item?.files.map(\.decision.livePhoto) == [own, own])
    // A clip that cannot be read is copied.
    let failure = ExamineReply.failed(ProbeFailure(.damaged, "The file is damaged."))
    let damaged = planned(motionPhoto, request, examined: failure)
    #expect(damaged?.files.map(\.decision.livePhoto) == [nil, nil])
    #expect(damaged?.files.last?.decision.work == .copy)
  }

  @Test func `a re-encoded motion photo becomes one file under motion-photo`() throws {
    var request = try request(image: "motion-photo", video: "motion-photo")
    request.maxPixels = 320
    let item = planned(motionPhoto, request, examined: movie("own", in: .mpeg4))
    #expect(targets(item) == ["PXL.MP.jpg"])
    #expect(item?.files.first?.decision.livePhoto == .motionPhoto(moment: 1_500_000))
    #expect(item?.files.first?.decision.type == .jpeg)
    #expect(item?.files.first?.clip?.part.range == ByteRange(offset: 700, length: 300))
    #expect(item?.files.first?.clip?.decision.work == .copy)
  }

  @Test func `HDR of a motion photo is dropped under motion-photo`() throws {
    var request = try request(image: "motion-photo", video: "motion-photo")
    request.dynamicRange = .drop
    let photo = sample("/l/PXL.jpg", clip: embedded(in: "/l/PXL.jpg"), subtypes: .hdr)
    let item = motionPhotoItem(photo, request, sdrCopy: nil)
    #expect(targets(item) == ["PXL.MP.jpg"])
    #expect(item?.files.first?.decision.isReencodedPicture == true)
    // A gain map alone goes without a change of the picture, and the clip stays inside.
    let kept = motionPhotoItem(photo, request, sdrCopy: .withoutGainMap)
    #expect(targets(kept) == ["PXL.jpg"])
    #expect(kept?.files.first?.decision.work == .render(.copy(.jpeg), .keep))
    #expect(kept?.files.first?.decision.removesGainMap == true)
    #expect(kept?.files.first?.decision.livePhoto == nil)
  }

  @Test func `a picture with a Live Photo's identifier loses its gain map too`() throws {
    var request = try request(image: "apple-live-photo", video: "apple-live-photo")
    request.dynamicRange = .drop
    let photo = sample("/l/PXL.jpg", clip: embedded(in: "/l/PXL.jpg"), subtypes: .hdr)
    let decision = try #require(
      motionPhotoItem(photo, request, sdrCopy: .withoutGainMap)?.files.first?.decision)
    #expect(decision.work == .render(.copy(.jpeg), .keep))
    #expect(decision.removesGainMap)
    #expect(decision.livePhoto == .paired(identifier: "derived"))
    #expect(decision.reasons.contains("without its gain map"))
  }

  /// The item of a plan for a motion photo.
  private func motionPhotoItem(
    _ photo: AssetRecord, _ request: ExportRequest, sdrCopy: SDRCopy?
  ) -> ExportItem? {
    let planner = ExportPlanner(request)
    let subjects = [subject(photo)]
    let replies = planner.examinations(subjects).map { item in
      let reply =
        item.range == nil
        ? picture(hasGainMap: true, sdrCopy: sdrCopy) : movie(nil, in: .mpeg4)
      return (item, reply)
    }
    return planner.plan(subjects, examined: Dictionary(replies) { first, _ in first }).items.first
  }

  /// The clip of an earlier export with other settings may still be in the target.
  @Test(arguments: [true, false])
  func `a clip that the latest export left inside is not exported again`(
    isThere: Bool
  ) throws {
    var request = try request()
    request.replacement = .outdated
    let settings = SettingsDigests(request)[motionPhoto]
    let made = FileStamp(size: 1000, modified: 77, inode: 9)
    var record = ExportRecord()
    func add(_ resource: ResourceType, _ target: String, _ settings: String) {
      record.add(
        ExportRecord.Key(identifier: motionPhoto.identifier, resource: resource),
        ExportRecord.Entry(
          source: ExportRecord.Version(usualStamp), settings: settings, naming: request.naming,
          target: target, made: ExportRecord.Version(made), inode: 9, isDone: true, isOwn: true))
    }
    add(.pairedVideo, "PXL.mp4", "other")
    add(.photo, "PXL.jpg", settings)
    let versions = isThere ? ["PXL.jpg": made, "PXL.mp4": made] : ["PXL.jpg": made]
    let target = TargetState(
      record: record, versions: versions, names: ["": Set(versions.keys)], keepsInodes: true)
    let item = planned(motionPhoto, request, target: target)
    #expect(item?.action == .skipped)
    #expect(targets(item) == ["PXL.jpg"])
  }

  @Test func `motion photos have settings of their own`() throws {
    let digests = SettingsDigests(try request())
    #expect(digests[motionPhoto] != digests[sample("/l/PXL.jpg")])
    #expect(digests[pair] == digests[sample("/l/PXL.jpg")])
  }
}
