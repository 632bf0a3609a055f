import Linux
import MediaEdits
import MediaModel
import SeededRandom
import Testing

@testable import WorkerProtocol

struct MessageTests {
  private static let fingerprint = Fingerprint(bytes: Array(0..<16))

  /// Facts with every field set, so that a field missing from the coding is noticed.
  private static var fullFacts: MediaFacts {
    var facts = MediaFacts(mediaType: .video, uniformType: .quickTimeMovie)
    facts.pixelSize = PixelSize(width: 3024, height: 4032)
    facts.orientation = .right
    facts.duration = 1.85
    facts.captureTime = CaptureTime(
      wallSeconds: -62_135_596_800, fraction: "123", offsetMinutes: -210, source: "exif:x")
    facts.location = Location(latitude: -47.36, longitude: 8.54, altitude: -3.5)
    facts.camera = Camera(make: "Apple", model: "iPhone", lens: "back", software: "15.2.1")
    facts.exposure = Exposure(
      time: 1.0 / 60, fNumber: 1.5, iso: 250, focalLength: 5.7, focalLengthIn35mm: 26)
    facts.video = VideoProperties(
      codec: "hevc", frameRate: 29.97, dynamicRange: .hlg, audioCodec: "aac")
    facts.title = "title"
    facts.caption = "caption \u{1F4F7}"
    facts.keywords = ["a", "", "ü"]
    facts.people = ["Zoë"]
    facts.isFavorite = true
    facts.rating = -1
    facts.contentIdentifier = "id"
    facts.burstIdentifier = "burst"
    facts.embeddedClip = EmbeddedClip(offset: .max, length: 0, evidence: "sef")
    facts.clues = [Clue(.exifCustomRendered, "6"), Clue(.disparityTrack)]
    facts.warnings = ["cut off"]
    return facts
  }

  @Test(arguments: [
    ProbeReply.media(fullFacts, fingerprint),
    .media(MediaFacts(mediaType: .image, uniformType: .jpeg), fingerprint),
    .other, .failed(ProbeFailure(.crashed, "It crashed.")),
  ])
  func replyArrivesAsItWasSent(reply: ProbeReply) throws {
    #expect(try ProbeReply(payload: reply.payload) == reply)
  }

  @Test(arguments: [
    DigestReply.working, .digest(Array(0..<32)),
    .failed(ProbeFailure(.inaccessible, "It is gone.")),
  ])
  func digestReplyArrivesAsItWasSent(reply: DigestReply) throws {
    #expect(try DigestReply(payload: reply.payload) == reply)
    #expect(reply.isInterim == (reply == .working))
  }

  @Test func sidecarReplyArrivesAsItWasSent() throws {
    var facts = SidecarFacts(kind: .takeoutJSON)
    facts.captureTime = CaptureTime(wallSeconds: 1, offsetMinutes: 0, source: "takeout")
    facts.location = Location(latitude: 1, longitude: 2)
    facts.title = "t"
    facts.caption = "c"
    facts.keywords = ["k"]
    facts.people = ["p", "q"]
    facts.isFavorite = true
    facts.rating = 5
    facts.orientation = .left
    facts.adjustments = AdjustmentList(
      words: ["crop", "filter"], cornerCrop: PixelSize(width: 4032, height: 2268))
    let reply = ProbeReply.sidecar(facts, Self.fingerprint)
    #expect(try ProbeReply(payload: reply.payload) == reply)
  }

  @Test(arguments: [0, 15, 17])
  func aFingerprintOfAnotherLengthIsRefused(count: Int) {
    let fingerprint = Fingerprint(bytes: Array(repeating: 1, count: count))
    let reply = ProbeReply.sidecar(SidecarFacts(kind: .xmp), fingerprint)
    #expect(throws: WireError.outOfRange) { try ProbeReply(payload: reply.payload) }
  }

  @Test func requestsAndGreetingArriveAsTheyWereSent() throws {
    let requests: [WorkerRequest] = [
      .probe([BytePath("a b"), BytePath(bytes: [0xFF, 0x0A])]), .inspect(BytePath("x")),
      .digest([BytePath("a"), BytePath("b")]), .describe, .selfTest,
    ]
    for request in requests { #expect(try WorkerRequest(payload: request.payload) == request) }
    let hello = Hello(sandbox: SandboxState(landlockLevel: 7, filtersCalls: true))
    #expect(try Hello(payload: hello.payload) == hello)
    let description = ProgramDescription(libraries: ["libheif 1.19.7"], codecs: ["decoder hevc"])
    #expect(try ProgramDescription(payload: description.payload) == description)
  }

  @Test(arguments: [
    MetadataPolicy.keep, .withoutLocation, .withoutCaptions, [.withoutLocation, .withoutCaptions],
    .appearanceOnly,
  ])
  func `a policy arrives as it was sent`(policy: MetadataPolicy) throws {
    let path = BytePath("a.jpg")
    let request = WorkerRequest.render([
      RenderStep(source: path, work: .copy(.jpeg), metadata: policy)
    ])
    #expect(try WorkerRequest(payload: request.payload) == request)
  }

  @Test(
    arguments: [.paired(identifier: "0B6A"), .motionPhoto(moment: -1), nil] as [LivePhotoPart?])
  func `a part of a live photo arrives as it was sent`(part: LivePhotoPart?) throws {
    let step = RenderStep(source: BytePath("a.jpg"), work: .copy(.jpeg), livePhoto: part)
    let request = WorkerRequest.render([step])
    #expect(try WorkerRequest(payload: request.payload) == request)
  }

  @Test(arguments: [true, false])
  func `the removal of a gain map arrives as it was sent`(isRemoved: Bool) throws {
    let step = RenderStep(
      source: BytePath("a.jpg"), work: .copy(.jpeg), removesGainMap: isRemoved)
    let request = WorkerRequest.render([step])
    #expect(try WorkerRequest(payload: request.payload) == request)
  }

  @Test(arguments: [SDRCopy.unchanged, .withoutGainMap, nil])
  func `how a copy is SDR arrives as it was sent`(copy: SDRCopy?) throws {
    let reply = ExamineReply.picture(
      PictureDescription(
        uprightSize: PixelSize(width: 3, height: 4), hasGainMap: true, sdrCopy: copy,
        obstacle: "no"))
    var writer = WireWriter()
    reply.write(to: &writer)
    var reader = WireReader(writer.bytes)
    #expect(try ExamineReply(from: &reader) == reply)
  }

  @Test func `facts of the catalog arrive as they were sent`() throws {
    var facts = CatalogFacts()
    facts.captureTime = CaptureTime(wallSeconds: 1, fraction: "5", offsetMinutes: -30, source: "x")
    facts.location = Location(latitude: 1, longitude: -2, altitude: 3)
    (facts.title, facts.caption, facts.originalName) = ("title", "caption", "name.jpg")
    (facts.albums, facts.keywords, facts.people) = (["a"], ["b", "c"], ["d"])
    (facts.rating, facts.isFavorite, facts.replacing) = (-1, true, .replacedTitle)
    let step = RenderStep(source: BytePath("a.jpg"), work: .copy(.jpeg), facts: facts)
    let request = WorkerRequest.render([step])
    #expect(try WorkerRequest(payload: request.payload) == request)
  }

  @Test func `the identity of a clip arrives as it was sent`() throws {
    let reply = ExamineReply.movie(
      MovieDescription(
        container: .quickTimeMovie, duration: 2, contentIdentifier: "0B6A", derivedIdentifier: "1",
        stillImageTime: 1.4))
    var writer = WireWriter()
    reply.write(to: &writer)
    var reader = WireReader(writer.bytes)
    #expect(try ExamineReply(from: &reader) == reply)
  }

  @Test(arguments: [true, false])
  func `what to keep of a movie arrives as it was sent`(keepsTimedMetadata: Bool) throws {
    let movie = MovieRendering(
      container: .mp4, tracks: [TrackRendering(index: 3, work: .copy)],
      trim: TimeSpan(start: 1, end: 2), keepsTimedMetadata: keepsTimedMetadata, threads: 5)
    let request = WorkerRequest.render([RenderStep(source: BytePath("a.mp4"), work: .movie(movie))])
    #expect(try WorkerRequest(payload: request.payload) == request)
  }

  @Test(arguments: [4, 5, 6, 8, 255] as [UInt8])
  func `a policy that nothing asks for is refused`(value: UInt8) throws {
    let step = RenderStep(
      source: BytePath("a.jpg"), work: .copy(.jpeg), metadata: MetadataPolicy(rawValue: value))
    #expect(throws: WireError.unknownCase(value)) {
      try WorkerRequest(payload: WorkerRequest.render([step]).payload)
    }
  }

  /// A worker has no use for the folders of a user.
  @Test func aRequestHasNamesOnly() {
    let path = BytePath("/home/name/secret/a.jpg")
    let step = RenderStep(source: path, work: .copy(.jpeg))
    let requests: [WorkerRequest] = [
      .probe([path]), .inspect(path), .digest([path]), .render([step]),
      .examine([ExamineItem(path: path, uniformType: .jpeg)]),
      .thumbnails([ThumbnailItem(path: path, uniformType: .jpeg)], longerSide: 320),
    ]
    for request in requests {
      #expect(request.payload.firstRange(of: Array("a.jpg".utf8)) != nil)
      #expect(request.payload.firstRange(of: Array("secret".utf8)) == nil)
      #expect(request.fileCount == (request == .render([step]) ? 2 : 1))
    }
  }

  /// Found by fuzzing: a name with a slash was accepted, and another name was sent on.
  @Test func aNameWithAFolderIsRefused() {
    #expect(throws: WireError.outOfRange) {
      try WorkerRequest(payload: [1, 1, 4, 0x2F, 2, 0, 0])
    }
  }

  /// Found by fuzzing: coordinates that round to (0, 0) were sent as a location, which the other side took for none.
  @Test(
    arguments: [(1e-10, 0), (-4e-9, 4e-9), (0, -1e-300), (6e-9, 0), (0.1 + 0.2, 180)]
      as [(Double, Double)])
  func aLocationArrivesAsItWasSent(latitude: Double, longitude: Double) throws {
    var facts = SidecarFacts(kind: .takeoutJSON)
    facts.location = Location(latitude: latitude, longitude: longitude)
    #expect((facts.location == nil) == (abs(latitude) < 5e-9 && abs(longitude) < 5e-9))
    let reply = ProbeReply.sidecar(facts, Self.fingerprint)
    #expect(try ProbeReply(payload: reply.payload) == reply)
  }

  @Test func everyTruncationAndSurplusIsRefused() {
    let payload = ProbeReply.media(Self.fullFacts, Self.fingerprint).payload
    for count in payload.indices {
      #expect(throws: WireError.self) { try ProbeReply(payload: Array(payload.prefix(count))) }
    }
    #expect(throws: WireError.surplus) { try ProbeReply(payload: payload + [0]) }
  }

  /// A file may have taken over the worker: its numbers must be safe to calculate with.
  @Test(arguments: [
    (Int64.max, Double.infinity, Int.max), (.min, .nan, -1), (1 << 60, 1e300, 1 << 40),
  ])
  func impossibleNumbersAreMissing(seconds: Int64, length: Double, side: Int) throws {
    var writer = WireWriter()
    writer.write(true)
    writer.write(seconds)
    writer.write("")
    writer.write(false)
    writer.write("exif:x")
    var reader = WireReader(writer.bytes)
    #expect(try reader.captureTime() == nil)
    #expect(reader.isAtEnd)
    var facts = MediaFacts(mediaType: .video, uniformType: .mpeg4)
    facts.duration = length
    facts.pixelSize = PixelSize(width: side, height: 1)
    facts.video = VideoProperties(codec: "h264", frameRate: length == 1e300 ? nil : length)
    let reply = ProbeReply.media(facts, Self.fingerprint)
    guard case .media(let decoded, _) = try ProbeReply(payload: reply.payload) else {
      Issue.record("It should be media.")
      return
    }
    #expect(decoded.duration == nil)
    #expect(decoded.pixelSize == nil)
    #expect(decoded.video == VideoProperties(codec: "h264"))
  }

  /// Damaged bytes that are accepted as a message can be encoded and decoded again.
  @Test func damagedBytesAreRefusedOrAMessage() throws {
    var generator = SeededGenerator(seed: 1)
    var refused = 0
    let payload = ProbeReply.media(Self.fullFacts, Self.fingerprint).payload
    for _ in 0..<5_000 {
      var damaged = payload
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        damaged[Int.random(in: damaged.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      guard let reply = try? ProbeReply(payload: damaged) else {
        refused += 1
        continue
      }
      #expect(try ProbeReply(payload: reply.payload).payload == reply.payload)
    }
    #expect(refused > 1_000)
  }

  @Test func framesSurviveAnyCut() throws {
    let payloads: [[UInt8]] = [[], [1], Array(repeating: 7, count: 100_000), [2, 3]]
    let stream = payloads.flatMap(FrameBuffer.frame)
    for step in [1, 3, 4096, stream.count] {
      var buffer = FrameBuffer()
      var received: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: step) {
        buffer.append(stream[start..<min(start + step, stream.count)])
        while let frame = try buffer.next() { received.append(frame) }
      }
      #expect(received == payloads)
    }
  }

  @Test func aFrameBeyondTheLimitIsRefused() {
    var buffer = FrameBuffer()
    buffer.append([0xFF, 0, 0, 0])
    #expect(throws: WireError.tooLarge(0xFF00_0000)) { try buffer.next() }
  }
}
