package import MediaEdits
import MediaModel

/// The progress or result of making a file.
package enum RenderReply: BatchReply, Hashable {
  /// Not finished: the finished seconds of a movie; 0 for pictures.
  case working(position: Double)
  case done(RenderResult)
  case failed(ProbeFailure)

  package var isInterim: Bool {
    if case .working = self { true } else { false }
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

extension WireWriter {
  mutating func write(_ step: RenderStep) {
    write(nameOf: step.source)
    write(optional: step.range) { $0.write($1) }
    write(step.metadata.rawValue)
    write(step.removesGainMap)
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
    switch step.livePhoto {
    case nil: write(UInt8(0))
    case .paired(let identifier):
      write(UInt8(1))
      write(identifier)
    case .motionPhoto(let moment):
      write(UInt8(2))
      write(Int(moment))
    }
    write(optional: step.facts) { $0.write($1) }
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
    write(rendering.keepsDynamicRange)
  }

  mutating func write(_ result: RenderResult) {
    write(result.size)
    write(optional: result.pixelSize) { $0.write($1) }
    write(list: result.notes) { $0.write($1) }
    write(result.isReencoded)
  }
}

extension WireReader {
  mutating func renderStep() throws(WireError) -> RenderStep {
    let source = try fileName()
    let range = try byteRange()
    let metadata = MetadataPolicy(rawValue: try byte())
    guard metadata.isValid else { throw .unknownCase(metadata.rawValue) }
    let removesGainMap = try bool()
    let work: RenderWork =
      switch try byte() {
      case 1: .copy(UniformType(rawValue: try string()))
      case 2: .picture(UniformType(rawValue: try string()), try pictureRendering())
      case 3: .movie(try movieRendering())
      case let other: throw .unknownCase(other)
      }
    let livePhoto: LivePhotoPart? =
      switch try byte() {
      case 0: nil
      case 1: .paired(identifier: try string())
      case 2: .motionPhoto(moment: Int64(try integer()))
      case let other: throw .unknownCase(other)
      }
    let facts = try optional { (reader) throws(WireError) in try reader.catalogFacts() }
    return RenderStep(
      source: source, range: range, work: work, metadata: metadata,
      removesGainMap: removesGainMap, livePhoto: livePhoto, facts: facts)
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
      colorSpace: try enumeration(), keepsDynamicRange: try bool())
  }

  mutating func renderResult() throws(WireError) -> RenderResult {
    RenderResult(
      size: try unsigned(),
      pixelSize: try optionalPixelSize(),
      notes: try texts(), isReencoded: try bool())
  }
}
