import ByteReading
import MediaModel

extension Movie {
  /// The movie of some elementary streams, as FFmpeg's demuxers of MPEG systems report it, with FFmpeg's names.
  init(_ streams: [MPEGElementaryStream]) {
    self.init(duration: Self.duration(streams), streams: streams.map(\.stream), metadata: [])
  }

  /// Seconds from the first presentation time of video and audio to the end of the last; nil if it is unknown.
  private static func duration(_ streams: [MPEGElementaryStream]) -> Double? {
    guard let origin = streams.compactMap(\.first).first else { return nil }
    // The distance from the first stream's start, which may be negative, where times wrap too.
    func offset(_ time: UInt64) -> Int64 {
      let distance = (time &- origin) & ((1 << 33) - 1)
      return distance < 1 << 32 ? Int64(distance) : Int64(distance) - (1 << 33)
    }
    // FFmpeg rounds starts and lengths to microseconds, each by itself.
    let microseconds = { (time: Int64) in Int64((Double(time) * 100 / 9).rounded()) }
    let spans = streams.filter { $0.kind == .video || $0.kind == .audio }.compactMap { stream in
      stream.first.flatMap { first in
        stream.length.map { length in
          let start = microseconds(Int64(origin) + offset(first))
          return (start: start, end: start + microseconds(Int64(length)))
        }
      }
    }
    let length = (spans.map(\.end).max() ?? 0) - (spans.map(\.start).min() ?? 0)
    return length > 0 ? Double(length) / 1_000_000 : nil
  }
}

extension MPEGElementaryStream {
  fileprivate var stream: MovieStream {
    var stream = MovieStream(kind: kind)
    stream.codec = codec
    stream.tag = tag.flatMap { $0.isPlausible ? $0.description : nil }
    stream.duration = length.map { Double($0) / 90_000 }
    guard kind == .video else { return stream }
    stream.size = parameters?.size
    stream.pixelAspect = parameters?.pixelAspect == 1 ? nil : parameters?.pixelAspect
    stream.frameRate = frameRate
    stream.dynamicRange = DynamicRange(codec: codec, container: nil, parameters)
    return stream
  }
}
