import ByteReading
package import MediaModel

extension MPEGTransportStream {
  /// The streams as FFmpeg's demuxer reports them, with FFmpeg's names. The size of a video with unknown parameters is
  /// nil.
  package var movie: Movie {
    let starts = streams.compactMap(\.first)
    guard let origin = starts.first else {
      return Movie(duration: nil, streams: streams.map(\.stream), metadata: [])
    }
    // The distance from the first stream's start, which may be negative, where times wrap too.
    func offset(_ time: UInt64) -> Int64 {
      let distance = (time &- origin) & ((1 << 33) - 1)
      return distance < 1 << 32 ? Int64(distance) : Int64(distance) - (1 << 33)
    }
    let spans = streams.filter { $0.kind == .video || $0.kind == .audio }.compactMap { stream in
      stream.first.flatMap { first in
        stream.length.map { (start: offset(first), end: offset(first) + Int64($0)) }
      }
    }
    let length = (spans.map(\.end).max() ?? 0) - (spans.map(\.start).min() ?? 0)
    let seconds = (Double(length) / 90_000 * 1_000_000).rounded() / 1_000_000
    return Movie(duration: length > 0 ? seconds : nil, streams: streams.map(\.stream), metadata: [])
  }
}

extension MPEGTransportTrack {
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
