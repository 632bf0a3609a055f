import MediaModel

// How the values of MediaModel are encoded. Both programs are built from the same source, and `Hello` rejects another
// version, so fields have a fixed order and no names.

extension WireWriter {
  mutating func write(_ facts: MediaFacts) {
    write(facts.mediaType.rawValue)
    write(facts.uniformType.rawValue)
    write(optional: facts.pixelSize) {
      $0.write($1.width)
      $0.write($1.height)
    }
    write(optional: facts.orientation) { $0.write($1.rawValue) }
    write(optional: facts.duration) { $0.write($1) }
    write(optional: facts.captureTime) { $0.write($1) }
    write(optional: facts.location) { $0.write($1) }
    write(facts.camera)
    write(facts.exposure)
    write(optional: facts.video) { $0.write($1) }
    write(text: facts.title)
    write(text: facts.caption)
    write(list: facts.keywords) { $0.write($1) }
    write(list: facts.people) { $0.write($1) }
    write(optional: facts.rating) { $0.write($1) }
    write(facts.isFavorite)
    write(text: facts.label)
    write(optional: facts.pick?.rawValue) { $0.write($1) }
    write(list: facts.keywordPaths) { $0.write($1) }
    write(text: facts.contentIdentifier)
    write(text: facts.burstIdentifier)
    write(optional: facts.embeddedClip) {
      $0.write($1.offset)
      $0.write($1.length)
      $0.write($1.evidence)
    }
    write(list: facts.clues) { $0.write($1.line) }
    write(list: facts.warnings) { $0.write($1) }
  }

  mutating func write(_ facts: SidecarFacts) {
    write(facts.kind.rawValue)
    write(optional: facts.captureTime) { $0.write($1) }
    write(optional: facts.location) { $0.write($1) }
    write(text: facts.title)
    write(text: facts.caption)
    write(list: facts.keywords) { $0.write($1) }
    write(list: facts.people) { $0.write($1) }
    write(optional: facts.rating) { $0.write($1) }
    write(facts.isFavorite)
    write(text: facts.label)
    write(optional: facts.pick?.rawValue) { $0.write($1) }
    write(list: facts.keywordPaths) { $0.write($1) }
    write(optional: facts.orientation) { $0.write($1.rawValue) }
    write(text: facts.adjustmentFormat)
    write(list: facts.adjustments.words) { $0.write($1) }
    write(optional: facts.adjustments.cornerCrop) { $0.write($1) }
    write(text: facts.describedName)
  }

  mutating func write(_ time: CaptureTime) {
    write(time.wallSeconds)
    write(time.fraction)
    write(optional: time.offsetMinutes) { $0.write($1) }
    write(time.source)
  }

  mutating func write(_ location: Location) {
    write(location.latitude)
    write(location.longitude)
    write(optional: location.altitude) { $0.write($1) }
  }

  mutating func write(_ camera: Camera) {
    write(text: camera.make)
    write(text: camera.model)
    write(text: camera.lens)
    write(text: camera.software)
  }

  mutating func write(_ exposure: Exposure) {
    write(optional: exposure.time) { $0.write($1) }
    write(optional: exposure.fNumber) { $0.write($1) }
    write(optional: exposure.iso) { $0.write($1) }
    write(optional: exposure.focalLength) { $0.write($1) }
    write(optional: exposure.focalLengthIn35mm) { $0.write($1) }
  }

  mutating func write(_ video: VideoProperties) {
    write(text: video.codec)
    write(optional: video.frameRate) { $0.write($1) }
    write(text: video.dynamicRange?.rawValue)
    write(text: video.audioCodec)
  }

  mutating func write(_ range: ByteRange) {
    write(range.offset)
    write(range.length)
  }

  mutating func write(_ size: PixelSize) {
    write(size.width)
    write(size.height)
  }

  mutating func write(text: String?) {
    write(optional: text) { $0.write($1) }
  }
}

extension WireReader {
  mutating func fingerprint() throws(WireError) -> Fingerprint {
    let bytes = try byteString()
    guard bytes.count == Fingerprint.length else { throw .outOfRange }
    return Fingerprint(bytes: bytes)
  }

  mutating func mediaFacts() throws(WireError) -> MediaFacts {
    let kind = try byte()
    guard let mediaType = MediaType(rawValue: kind) else { throw .unknownCase(kind) }
    var facts = MediaFacts(mediaType: mediaType, uniformType: UniformType(rawValue: try string()))
    facts.pixelSize = try optionalPixelSize()
    facts.orientation = try orientation()
    facts.duration = try duration()
    facts.captureTime = try captureTime()
    facts.location = try location()
    facts.camera = Camera(
      make: try text(), model: try text(), lens: try text(), software: try text())
    facts.exposure = Exposure(
      time: try optionalDouble(), fNumber: try optionalDouble(), iso: try optionalInteger(),
      focalLength: try optionalDouble(), focalLengthIn35mm: try optionalInteger())
    facts.video = try optional { (reader) throws(WireError) in try reader.videoProperties() }
    facts.title = try text()
    facts.caption = try text()
    facts.keywords = try texts()
    facts.people = try texts()
    facts.rating = try optionalInteger()
    facts.isFavorite = try bool()
    facts.label = try text()
    facts.pick = try optionalInteger().flatMap(Pick.init(rawValue:))
    facts.keywordPaths = try texts()
    facts.contentIdentifier = try text()
    facts.burstIdentifier = try text()
    facts.embeddedClip = try optional { (reader) throws(WireError) in
      EmbeddedClip(
        offset: try reader.unsigned(), length: try reader.unsigned(),
        evidence: try reader.string())
    }
    facts.clues = try texts().map { Clue(line: $0) }
    facts.warnings = try texts()
    return facts
  }

  mutating func sidecarFacts() throws(WireError) -> SidecarFacts {
    let rawKind = try byte()
    guard let kind = SidecarKind(rawValue: rawKind) else { throw .unknownCase(rawKind) }
    var facts = SidecarFacts(kind: kind)
    facts.captureTime = try captureTime()
    facts.location = try location()
    facts.title = try text()
    facts.caption = try text()
    facts.keywords = try texts()
    facts.people = try texts()
    facts.rating = try optionalInteger()
    facts.isFavorite = try bool()
    facts.label = try text()
    facts.pick = try optionalInteger().flatMap(Pick.init(rawValue:))
    facts.keywordPaths = try texts()
    facts.orientation = try orientation()
    facts.adjustmentFormat = try text()
    facts.adjustments.words = try texts()
    facts.adjustments.cornerCrop = try optionalPixelSize()
    facts.describedName = try text()
    return facts
  }

  /// An optional time; one outside of the calendar counts as missing.
  mutating func captureTime() throws(WireError) -> CaptureTime? {
    guard try bool() else { return nil }
    return CaptureTime(
      wallSeconds: try signed(), fraction: try string(), offsetMinutes: try optionalInteger(),
      source: try string())
  }

  /// A duration in seconds; nil for an implausible one, which a damaged header can contain.
  mutating func duration() throws(WireError) -> Double? {
    try optionalDouble().flatMap { (0..<Self.longestDuration).contains($0) ? $0 : nil }
  }

  /// Thirty years, in seconds.
  private static let longestDuration = 1e9

  mutating func location() throws(WireError) -> Location? {
    guard try bool() else { return nil }
    return Location(
      latitude: try double(), longitude: try double(), altitude: try optionalDouble())
  }

  mutating func orientation() throws(WireError) -> Orientation? {
    guard try bool() else { return nil }
    return Orientation(rawValue: try byte())
  }

  private mutating func videoProperties() throws(WireError) -> VideoProperties {
    VideoProperties(
      codec: try text(), frameRate: try optionalDouble(),
      dynamicRange: try text().flatMap(DynamicRange.init(rawValue:)), audioCodec: try text())
  }

  mutating func text() throws(WireError) -> String? {
    try optional { (reader) throws(WireError) in try reader.string() }
  }

  mutating func texts() throws(WireError) -> [String] {
    try list { (reader) throws(WireError) in try reader.string() }
  }

  /// An optional number; infinity and NaN count as missing.
  mutating func optionalDouble() throws(WireError) -> Double? {
    try optional { (reader) throws(WireError) in try reader.double() }
      .flatMap { $0.isFinite ? $0 : nil }
  }

  mutating func optionalInteger() throws(WireError) -> Int? {
    try optional { (reader) throws(WireError) in try reader.integer() }
  }

  mutating func byteRange() throws(WireError) -> ByteRange? {
    try optional { (reader) throws(WireError) in
      ByteRange(offset: try reader.unsigned(), length: try reader.unsigned())
    }
  }

  mutating func pixelSize() throws(WireError) -> PixelSize {
    guard let size = try possibleSize() else { throw .outOfRange }
    return size
  }

  /// An optional size; an impossible one counts as missing.
  mutating func optionalPixelSize() throws(WireError) -> PixelSize? {
    try bool() ? try possibleSize() : nil
  }

  /// Nil for a size that could overflow: no format has more than 32 bits for a side.
  private mutating func possibleSize() throws(WireError) -> PixelSize? {
    let size = PixelSize(width: try integer(), height: try integer())
    let isPossible = [size.width, size.height].allSatisfy { UInt32(exactly: $0) != nil }
    return isPossible ? size : nil
  }

  mutating func dynamicRange() throws(WireError) -> DynamicRange {
    // Both programs know the same values: an unknown one counts as the default.
    DynamicRange(rawValue: try string()) ?? .sdr
  }

  /// An enumeration case, coded as a byte.
  mutating func enumeration<Value: RawRepresentable<UInt8>>() throws(WireError) -> Value {
    let raw = try byte()
    guard let value = Value(rawValue: raw) else { throw .unknownCase(raw) }
    return value
  }
}
