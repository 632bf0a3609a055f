import MediaEdits
import MediaModel

// How requests to make files are encoded; see FactsCoding.swift for the rules.

extension WireWriter {
  mutating func write(_ item: ExamineItem) {
    write(item.path.bytes)
    write(item.uniformType.rawValue)
    write(optional: item.range) { $0.write($1) }
  }

  mutating func write(_ range: ByteRange) {
    write(range.offset)
    write(range.length)
  }

  mutating func write(_ step: RenderStep) {
    write(step.source.bytes)
    write(optional: step.range) { $0.write($1) }
    write(step.target.bytes)
    write(optional: step.targetInode) { $0.write($1) }
    write(step.metadata.rawValue)
    switch step.work {
    case .copy(let type):
      write(UInt8(1))
      write(type.rawValue)
    case .picture(let type, let rendering):
      write(UInt8(2))
      write(type.rawValue)
      write(rendering)
    case .movie(let rendering):
      write(UInt8(3))
      write(rendering)
    }
  }

  private mutating func write(_ rendering: PictureRendering) {
    write(rendering.format.rawValue)
    write(rendering.quality)
    write(rendering.chroma.rawValue)
    write(optional: rendering.maxPixels) { $0.write($1) }
    write(optional: rendering.crop) {
      for value in [$1.x, $1.y, $1.width, $1.height] { $0.write(value) }
    }
    write(rendering.colorSpace.rawValue)
  }

  mutating func write(_ size: PixelSize) {
    write(size.width)
    write(size.height)
  }

  mutating func write(_ result: RenderResult) {
    write(result.size)
    write(optional: result.pixelSize) { $0.write($1) }
    write(list: result.notes) { $0.write($1) }
  }

  mutating func write(_ picture: PictureDescription) {
    write(picture.uprightSize)
    write(optional: picture.rawSize) { $0.write($1) }
    write(picture.orientation.rawValue)
    write(picture.bitDepth)
    write(picture.isTransparent)
    write(picture.hasMorePictures)
    write(picture.isSequenceFrame)
    write(picture.dynamicRange.rawValue)
    write(text: picture.obstacle)
  }
}

extension WireReader {
  mutating func examineItem() throws(WireError) -> ExamineItem {
    ExamineItem(
      path: BytePath(bytes: try byteString()), uniformType: UniformType(rawValue: try string()),
      range: try byteRange())
  }

  private mutating func byteRange() throws(WireError) -> ByteRange? {
    try optional { (reader) throws(WireError) in
      ByteRange(offset: try reader.unsigned(), length: try reader.unsigned())
    }
  }

  mutating func renderStep() throws(WireError) -> RenderStep {
    let source = BytePath(bytes: try byteString())
    let range = try byteRange()
    let target = BytePath(bytes: try byteString())
    let targetInode = try optional { (reader) throws(WireError) in try reader.unsigned() }
    let metadata: MetadataPolicy = try enumeration()
    let work: RenderWork =
      switch try byte() {
      case 1: .copy(UniformType(rawValue: try string()))
      case 2: .picture(UniformType(rawValue: try string()), try pictureRendering())
      case 3: .movie(try movieRendering())
      case let other: throw .unknownCase(other)
      }
    return RenderStep(
      source: source, range: range, target: target, targetInode: targetInode, work: work,
      metadata: metadata)
  }

  private mutating func pictureRendering() throws(WireError) -> PictureRendering {
    PictureRendering(
      format: try enumeration(), quality: try integer(), chroma: try enumeration(),
      maxPixels: try optionalInteger(),
      crop: try optional { (reader) throws(WireError) in
        CropRect(
          x: try reader.integer(), y: try reader.integer(), width: try reader.integer(),
          height: try reader.integer())
      },
      colorSpace: try enumeration())
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

  mutating func renderResult() throws(WireError) -> RenderResult {
    RenderResult(
      size: try unsigned(),
      pixelSize: try optionalPixelSize(),
      notes: try texts())
  }

  mutating func pictureDescription() throws(WireError) -> PictureDescription {
    PictureDescription(
      uprightSize: try pixelSize(), rawSize: try optionalPixelSize(),
      orientation: try enumeration(), bitDepth: try integer(),
      isTransparent: try bool(), hasMorePictures: try bool(), isSequenceFrame: try bool(),
      dynamicRange: try dynamicRange(), obstacle: try text())
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

extension ExamineReply {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .picture(let picture):
      writer.write(UInt8(1))
      writer.write(picture)
    case .movie(let movie):
      writer.write(UInt8(2))
      writer.write(movie)
    case .failed(let failure):
      writer.write(UInt8(3))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .picture(try reader.pictureDescription())
    case 2: self = .movie(try reader.movieDescription())
    case 3: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}

extension RenderReply {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .working(let position):
      writer.write(UInt8(1))
      writer.write(position)
    case .done(let result):
      writer.write(UInt8(2))
      writer.write(result)
    case .failed(let failure):
      writer.write(UInt8(3))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .working(position: try reader.double())
    case 2: self = .done(try reader.renderResult())
    case 3: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}
