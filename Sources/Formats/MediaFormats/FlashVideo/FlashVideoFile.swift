package import ByteReading
package import MediaModel

/// The description of a Flash Video (Adobe Flash Video File Format Specification 10.1, annex E): the values of its
/// script tag, and what its first tags contain.
package struct FlashVideoFile {
  private var script: FlashScriptData?
  private var video: FlashVideoTrack?
  private var audioTag: UInt8?
  private var isAudioFirst = false
  /// Milliseconds at which the first video tags are decoded.
  private var times: [UInt32] = []
  /// Milliseconds at which the last tag is decoded; nil if the end of the file is damaged.
  private var lastTime: UInt32?

  /// The tags at the beginning that are visited. Each costs a read of its header.
  private static let maximumTags = 4096
  private static let maximumHead: UInt64 = 16 << 20
  /// Longer script tags are not read.
  private static let maximumScript = 4 << 20
  /// Bytes of a video tag that are read: a decoder's configuration.
  private static let maximumContent = 4096
  /// Tags without a new fact after which a stream that the header announces is not expected any more.
  private static let maximumWait = 512
  private static let measuredFrames = 30
  private static let tailSize = 256 << 10

  /// - Throws: ``ContainerError`` for another file; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 9)
    guard header.hasText("FLV\u{1}"), let flags = header.u8(at: 4), let start = header.u32(at: 5)
    else { throw ContainerError.notThisFormat("Flash Video") }
    var position = max(9, UInt64(start)) + 4
    var wait = 0
    for _ in 0..<Self.maximumTags {
      guard position < Self.maximumHead, wait < Self.maximumWait,
        let tag = try source.flashTag(at: position)
      else { break }
      wait = try read(tag, source) ? 0 : wait + 1
      let needsVideo = video.map { $0.parameters == nil && !$0.isUnknown } ?? (flags & 1 != 0)
      let needsRate = video != nil && times.count < Self.measuredFrames && metadataRate == nil
      if !needsVideo, !needsRate, audioTag != nil || flags & 4 == 0, video != nil || audioTag != nil
      {
        break
      }
      position = tag.next
    }
    lastTime = try source.lastFlashTime(within: Self.tailSize)
  }

  /// Reads a tag's content.
  ///
  /// - Returns: whether it contained a new fact.
  private mutating func read(_ tag: FlashTag, _ source: any ByteSource) throws -> Bool {
    switch tag.kind {
    case 8 where audioTag == nil && !tag.content.isEmpty:
      audioTag = try source.header(at: tag.content.lowerBound, count: 1).first
      isAudioFirst = video == nil
      return true
    case 9:
      let count = Int(clamping: min(tag.content.count, Self.maximumContent))
      let isSearched = video?.parameters == nil
      let content = try source.header(
        at: tag.content.lowerBound, count: isSearched ? count : min(count, 2))
      // Frame type 5 is a command to the player.
      guard let first = content.first, first >> 4 & 7 != 5 else { return false }
      if times.count < Self.measuredFrames, FlashVideoTrack.isFrame(content) {
        times.append(tag.time)
      }
      guard isSearched else { return false }
      var track = video ?? FlashVideoTrack()
      track.take(content)
      defer { video = track }
      return video == nil || track.parameters != nil
    case 18 where script == nil:
      guard let content = try source.bytes(in: tag.content, limit: Self.maximumScript)
      else { return false }
      let found = FlashScriptData(content)
      guard found.name == "onMetaData" else { return false }
      script = found
      return true
    default: return false
    }
  }

  /// Frames a second in the script tag. Some programs write 1000, the unit of the times.
  private var metadataRate: Double? {
    script?.number("framerate").flatMap { $0 > 0 && $0 < 1000 ? $0 : nil }
  }

  /// Frames a second by the times of the first tags. These are whole milliseconds, so the rate is the usual one that is
  /// near to it.
  private var measuredRate: Double? {
    guard let first = times.min(), let last = times.max(), last > first, times.count > 1
    else { return nil }
    return usualFrameRate(near: Double(times.count - 1) * 1000 / Double(last - first))
  }

  /// The streams and tags as FFmpeg's demuxer reports them, with FFmpeg's names. The size of a video with unknown
  /// parameters is nil.
  package var movie: Movie {
    var streams: [MovieStream] = []
    if let video {
      var stream = MovieStream(kind: .video)
      stream.codec = video.codec
      stream.size = video.parameters?.size
      stream.pixelAspect = video.parameters?.pixelAspect == 1 ? nil : video.parameters?.pixelAspect
      stream.frameRate = metadataRate ?? measuredRate
      stream.dynamicRange = DynamicRange(codec: video.codec, container: nil, video.parameters)
      streams.append(stream)
    }
    if let audioTag {
      var stream = MovieStream(kind: .audio)
      stream.codec = flashAudioCodec(audioTag)
      streams.insert(stream, at: isAudioFirst ? 0 : streams.count)
    }
    return Movie(duration: duration, streams: streams, metadata: script?.tags ?? [])
  }

  /// Seconds in whole microseconds.
  private var duration: Double? {
    if let seconds = script?.number("duration"), seconds > 0,
      let whole = Int64(exactly: (seconds * 1_000_000).rounded(.towardZero))
    {
      return Double(whole) / 1_000_000
    }
    return lastTime.map { Double($0) / 1000 }
  }
}

/// One tag of a Flash Video (§E.4.1).
struct FlashTag: Hashable {
  /// 8 for audio, 9 for video, 18 for script data.
  var kind: UInt8
  /// Milliseconds.
  var time: UInt32
  /// Cut off at the end of the file.
  var content: Range<UInt64>
  /// The offset of the next tag.
  var next: UInt64
}

extension ByteSource {
  /// The tag at an offset; nil at the end of the file.
  fileprivate func flashTag(at position: UInt64) throws -> FlashTag? {
    let header = try self.header(at: position, count: 11)
    guard let kind = header.u8(at: 0), let size = header.u24(at: 1), let time = header.u24(at: 4),
      let high = header.u8(at: 7), header.count == 11
    else { return nil }
    let start = position + 11
    return FlashTag(
      kind: kind & 0x1F, time: UInt32(high) << 24 | time,
      content: min(start, count)..<min(start + UInt64(size), count), next: start + UInt64(size) + 4)
  }

  /// The time of the last tag that is followed by its own size; nil if there is none in the last bytes.
  ///
  /// A complete file ends with such a size. In a truncated file it is searched.
  fileprivate func lastFlashTime(within limit: Int) throws -> UInt32? {
    let start = count - min(count, UInt64(limit))
    let tail = try bytes(at: start, count: limit)
    var end = tail.count - 4
    while end >= 11 {
      if let size = tail.u32(at: end), size >= 11, Int(size) <= end,
        let kind = tail.u8(at: end - Int(size)), [8, 9, 18].contains(kind),
        tail.u24(at: end - Int(size) + 1) == size - 11,
        let time = tail.u24(at: end - Int(size) + 4), let high = tail.u8(at: end - Int(size) + 7),
        time > 0 || high > 0
      {
        return UInt32(high) << 24 | time
      }
      end -= 1
    }
    return nil
  }
}
