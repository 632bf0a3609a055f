import MediaEdits
import MediaModel
import Presets
import Testing
import WorkerProtocol

@testable import Exporter

/// What becomes of pictures under the contract's presets.
struct PictureDecisionTests {
  @Test(arguments: [
    (UniformType.jpeg, "photo.jpg"), (.png, "photo.png"), (.gif, "photo.gif"),
  ])
  func compatibleCopiesWhatAnyProgramOpensWithoutALook(type: UniformType, name: String) throws {
    let request = try request()
    let asset = sample("/l/\(name)", type: type)
    #expect(ExportPlanner(request).examinations([subject(asset)]).isEmpty)
    let file = try #require(planned(asset, request)?.files.first)
    #expect(file.decision.work == .copy)
    #expect(file.target == name)
  }

  @Test(arguments: [
    UniformType.heic, .avif, .webP, .tiff, .jpegXL, .bmp, .jpeg2000, .dng, .canonCR3,
  ])
  func compatibleMakesAJPEGOfEverythingElse(type: UniformType) throws {
    let item = try #require(planned(sample("/l/a.x", type: type), request(), examined: picture()))
    let file = try #require(item.files.first)
    #expect(file.target == "a.jpg")
    #expect(file.decision.type == .jpeg)
    #expect(
      file.decision.work
        == .render(.picture(type, PictureRendering(format: .jpeg, quality: 90)), .keep))
    #expect(item.action == .transcoded)
  }

  @Test func whatIsTransparentBecomesPNG() throws {
    let item = planned(
      sample("/l/a.webp", type: .webP), try request(), examined: picture(hasAlpha: true))
    let file = try #require(item?.files.first)
    #expect(file.target == "a.png")
    #expect(file.decision.reasons == ["to PNG, since it is transparent"])
  }

  /// A preset that makes JPEGs of PNGs makes them of other graphics too.
  @Test(arguments: [
    ("compatible", "a.png", "to PNG, since it has few colours"), ("email", "a.jpg", "to JPEG"),
  ])
  func graphicsWithFewColoursBecomePNG(preset: String, name: String, reason: String) throws {
    let item = planned(
      sample("/l/a.bmp", type: .bmp), try request(image: preset),
      examined: picture(hasFewColors: true))
    let file = try #require(item?.files.first)
    #expect(file.target == name)
    #expect(file.decision.reasons.contains(reason))
  }

  /// What stays as it is if it is whole stays of its kind if it is cut.
  @Test(arguments: [
    ("compatible", UniformType.gif, "a.png"), ("compatible", .png, "a.png"),
    ("compatible", .jpeg, "a.jpg"), ("email", .png, "a.jpg"),
  ])
  func aPartOfAGraphicIsAGraphic(preset: String, type: UniformType, name: String) throws {
    var request = try request(image: preset)
    request.crop = .pixels(x: 0, y: 0, width: 10, height: 10)
    let item = planned(sample("/l/a", type: type), request, examined: picture())
    #expect(item?.files.map(\.target) == [name])
    #expect(item?.crop == CropRect(x: 0, y: 0, width: 10, height: 10))
  }

  @Test(arguments: [UniformType.jpeg, .heic, .webP, .dng, .png])
  func currentKeepsTheBytes(type: UniformType) throws {
    let request = try request(image: "current")
    let asset = sample("/l/a.x", type: type)
    #expect(ExportPlanner(request).examinations([subject(asset)]).isEmpty)
    #expect(planned(asset, request)?.files.map(\.decision.work) == [.copy])
    #expect(planned(asset, request)?.action == .copied)
  }

  @Test(arguments: [
    ("IMG_1.HEIC", UniformType.heic, "IMG_1.HEIC"), ("IMG_1.heic", .jpeg, "IMG_1.jpg"),
    ("IMG_1.jpg", .heic, "IMG_1.heic"), ("IMG_1.JPEG", .jpeg, "IMG_1.JPEG"),
    ("IMG_1", .png, "IMG_1.png"), ("a.b.tiff", .tiff, "a.b.tiff"), ("IMG.MP", .mpeg4, "IMG.mp4"),
    ("scan.jpg", .pentaxPEF, "scan.pef"), ("a.HIF", .heic, "a.HIF"), ("a.heif", .avif, "a.avif"),
    ("a.j2c", .jpeg2000, "a.j2c"),
  ])
  func resultsAreNamedByWhatTheyAre(name: String, type: UniformType, result: String) throws {
    let item = planned(sample("/l/\(name)", type: type), try request(image: "current"))
    #expect(item?.files.map(\.target) == [result])
  }

  private static var compatible: ExportRequest { get throws { try request() } }

  /// A JPEG of an HDR picture gets a gain map. A PNG cannot, so that the picture is kept as it is.
  @Test func highDynamicRangeIsKeptOrDroppedAsRequested() throws {
    func item(
      _ type: UniformType, _ choice: DynamicRangeChoice?, crop: Bool = false,
      preset: String = "compatible"
    ) throws -> ExportItem? {
      let asset = sample("/l/a.x", type: type, subtypes: [.hdr])
      var request = try ExporterTests.request(image: preset)
      request.dynamicRange = choice
      if crop { request.crop = .pixels(x: 0, y: 0, width: 10, height: 10) }
      return planned(asset, request, examined: picture(hasGainMap: true))
    }
    let archived = try item(.heic, .keep, preset: "archive-png")
    #expect(archived?.files.map(\.decision.work) == [.copy])
    #expect(archived?.files.first?.decision.reasons == ["HDR stays HDR"])
    #expect(try item(.heic, .keep, crop: true, preset: "archive-png")?.action == .transcoded)
    for choice in [nil, DynamicRangeChoice.keep, .drop] {
      let file = try #require(try item(.heic, choice)?.files.first)
      #expect(
        file.decision.reasons.contains(choice == .drop ? "HDR to SDR" : "HDR as a gain map"))
      guard case .render(.picture(_, let rendering), _) = file.decision.work else {
        Issue.record("The picture is not rendered.")
        continue
      }
      #expect(rendering.keepsDynamicRange == (choice != .drop))
    }
    #expect(try item(.jpeg, nil)?.action == .copied)
    #expect(try item(.jpeg, .drop)?.action == .transcoded)
    #expect(try item(.jpeg, .drop)?.files.first?.decision.reasons.contains("HDR to SDR") == true)
    let standard = sample("/l/b.x", type: .heic)
    var request = try Self.compatible
    request.imagePreset.format = .source
    request.imagePreset.keepsDynamicRange = false
    let reduced = planned(
      sample("/l/a.x", type: .heic, subtypes: [.hdr]), request, examined: picture(hasGainMap: true))
    #expect(reduced?.files.first?.decision.reasons.contains("HDR to SDR") == true)
    #expect(planned(standard, request, examined: picture())?.action == .copied)
    request = try Self.compatible
    request.dynamicRange = .keep
    #expect(planned(standard, request, examined: picture())?.action == .transcoded)
    let digests = [nil, DynamicRangeChoice.keep, .drop].map { choice in
      request.dynamicRange = choice
      return request.settingsDigest(of: .image)
    }
    #expect(Set(digests).count == 3)
  }

  @Test(arguments: ["compatible", "current"])
  func `a JPEG that only loses its gain map is not re-encoded`(preset: String) throws {
    var request = try request(image: preset)
    request.dynamicRange = .drop
    let asset = sample("/l/a.jpg", type: .jpeg, subtypes: [.hdr])
    func decision(
      _ copy: SDRCopy?, _ change: (inout ExportRequest) -> Void = { _ in }
    ) -> FileDecision? {
      var request = request
      change(&request)
      return planned(asset, request, examined: picture(hasGainMap: true, sdrCopy: copy))?
        .files.first?.decision
    }
    let copied = try #require(decision(.withoutGainMap))
    #expect(copied.work == .render(.copy(.jpeg), .keep))
    #expect(copied.removesGainMap)
    #expect(copied.action == .remuxed)
    #expect(copied.reasons == ["without its gain map", "not re-encoded"])
    #expect(copied.promisesPicture == (preset == "compatible"))
    let stripped = try #require(decision(.withoutGainMap) { $0.metadata = .withoutLocation })
    #expect(stripped.work == .render(.copy(.jpeg), .withoutLocation))
    #expect(stripped.removesGainMap)
    let whole = try #require(decision(.unchanged))
    #expect(whole.work == .copy)
    #expect(!whole.removesGainMap)
    #expect(whole.reasons == ["its picture is SDR", "not re-encoded"])
    // The picture itself is HDR, or changes anyway.
    let changed = [
      decision(nil), decision(.withoutGainMap) { $0.maxPixels = 100 },
      decision(.withoutGainMap) { $0.crop = .pixels(x: 0, y: 0, width: 10, height: 10) },
    ]
    for decision in changed {
      #expect(decision?.isReencodedPicture == true)
      #expect(decision?.removesGainMap == false)
    }
    // Only these are examined.
    let ordinary = sample("/l/b.jpg", type: .jpeg)
    #expect(ExportPlanner(request).examinations([subject(ordinary)]).isEmpty)
    #expect(ExportPlanner(request).examinations([subject(asset)]).count == 1)
    request.dynamicRange = nil
    #expect(ExportPlanner(request).examinations([subject(asset)]).isEmpty)
  }

  @Test func `a preset for SDR that keeps formats removes the gain map of a JPEG`() throws {
    var request = try request(image: "current")
    request.imagePreset.keepsDynamicRange = false
    let asset = sample("/l/a.jpg", type: .jpeg, subtypes: [.hdr])
    let examined = picture(hasGainMap: true, sdrCopy: .withoutGainMap)
    #expect(
      planned(asset, request, examined: examined)?.files.first?.decision.removesGainMap == true)
  }

  @Test func aPictureIsMadeSmallerOnlyIfItIsTooLarge() throws {
    var request = try request()
    request.maxPixels = 4032
    #expect(planned(sample("/l/a.jpg"), request)?.files.first?.decision.work == .copy)
    request.maxPixels = 4031
    let file = try #require(planned(sample("/l/a.jpg"), request)?.files.first)
    #expect(
      file.decision.work
        == .render(.picture(.jpeg, PictureRendering(quality: 90, maxPixels: 4031)), .keep))
    #expect(file.decision.reasons == ["at most 4031 pixels"])
    // If the catalog does not contain a size, the file is examined.
    let unknown = subject(sample("/l/a.jpg", size: nil))
    #expect(ExportPlanner(request).examinations([unknown]).count == 1)
  }

  @Test func theStricterOfTwoLimitsHolds() throws {
    var request = try request(image: "web")
    request.maxPixels = 3000
    guard
      case .render(.picture(_, let rendering), _) =
        planned(sample("/l/a.jpg"), request)?.files.first?.decision.work
    else {
      Issue.record("not rendered")
      return
    }
    #expect(rendering.maxPixels == 2048)
    #expect(rendering.chroma == .yuv420)
  }

  @Test func whatCurrentHasToChangeKeepsItsKind() throws {
    var request = try request(image: "current")
    request.maxPixels = 100
    let types: [(UniformType, UniformType)] = [(.jpeg, .jpeg), (.png, .png), (.heic, .jpeg)]
    for (source, result) in types {
      let item = planned(sample("/l/a", type: source), request, examined: picture())
      #expect(item?.files.first?.decision.type == result)
    }
  }

  @Test func aCropIsCutToThePictureAndRefusedOutsideOfIt() throws {
    var request = try request()
    request.crop = .pixels(x: 4000, y: 10, width: 100, height: 20)
    guard
      case .render(.picture(_, let rendering), _) =
        planned(sample("/l/a.jpg"), request)?.files.first?.decision.work
    else {
      Issue.record("not rendered")
      return
    }
    #expect(rendering.crop == CropRect(x: 4000, y: 10, width: 32, height: 20))
    request.crop = .pixels(x: 4032, y: 0, width: 1, height: 1)
    #expect(
      planned(sample("/l/a.jpg"), request)?.fate
        == .fail("The crop is outside the picture's 4032 × 3024 pixels."))
  }

  /// The picture has 4032 × 3024 pixels.
  @Test(
    arguments: [
      (.centered(width: 4000, height: 9000), CropRect(x: 16, y: 0, width: 4000, height: 3024)),
      (.aspectRatio(width: 1, height: 1), CropRect(x: 504, y: 0, width: 3024, height: 3024)),
      (.aspectRatio(width: 16, height: 9), CropRect(x: 0, y: 378, width: 4032, height: 2268)),
      (
        .fractions(x: 0.25, y: 0.5, width: 0.75, height: 0.5),
        CropRect(x: 1008, y: 1512, width: 3024, height: 1512)
      ),
      (
        .fractions(x: 0.9999, y: 0, width: 1, height: 0.0001),
        CropRect(x: 4031, y: 0, width: 1, height: 1)
      ),
    ] as [(PictureCrop, CropRect)])
  func aCropIsCountedInThePicturesOwnPixels(crop: PictureCrop, part: CropRect) throws {
    var request = try request()
    request.crop = crop
    #expect(planned(sample("/l/a.jpg"), request)?.crop == part)
  }

  @Test(arguments: [
    PictureCrop.aspectRatio(width: 4, height: 3), .centered(width: 9000, height: 9000),
  ])
  func aCropThatLeavesAllChangesNothing(crop: PictureCrop) throws {
    var request = try request(image: "current")
    request.crop = crop
    let item = planned(sample("/l/a.jpg"), request)
    #expect(item?.crop == nil)
    #expect(item?.action == .copied)
  }

  @Test func metadataIsTakenOutOfCopiesToo() throws {
    var request = try request()
    request.metadata = .withoutLocation
    #expect(
      planned(sample("/l/a.jpg"), request)?.files.first?.decision.work
        == .render(.copy(.jpeg), .withoutLocation))
    request.metadata = [.withoutLocation, .withoutCaptions]
    let both = planned(sample("/l/a.jpg"), request)?.files.first?.decision
    #expect(both?.work == .render(.copy(.jpeg), [.withoutLocation, .withoutCaptions]))
    #expect(both?.reasons.dropFirst().prefix(2) == ["without location", "without captions"])
    request.metadata = .appearanceOnly
    #expect(planned(sample("/l/a.jpg"), request)?.action == .copied)
    #expect(
      planned(sample("/l/a.jpg"), request)?.files.first?.decision.reasons[1]
        == "without metadata")
    // What a preset leaves out, a flag does not bring back.
    var thumbnail = try ExporterTests.request(image: "thumbnail")
    thumbnail.metadata = .withoutLocation
    guard
      case .render(_, let policy) =
        planned(sample("/l/a.jpg"), thumbnail)?.files.first?.decision.work
    else {
      Issue.record("not rendered")
      return
    }
    #expect(policy == .appearanceOnly)
    // What a preset and a flag remove is removed together.
    var preset = try ExporterTests.request(image: "current")
    preset.imagePreset.metadata = .withoutLocation
    preset.metadata = .withoutCaptions
    #expect(planned(sample("/l/a.jpg"), preset)?.metadata == [.withoutLocation, .withoutCaptions])
  }

  @Test func whatCannotBeDecodedFailsWithItsReason() throws {
    let asset = sample("/l/a.heic", type: .heic)
    let obstacle = "No decoder for it is installed."
    #expect(
      planned(asset, try request(), examined: picture(obstacle: obstacle))?.fate == .fail(obstacle))
    let failure = ExamineReply.failed(ProbeFailure(.damaged, "It is cut off."))
    #expect(planned(asset, try request(), examined: failure)?.fate == .fail("It is cut off."))
  }
}
