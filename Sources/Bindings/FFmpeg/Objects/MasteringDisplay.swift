import CFFmpeg
package import MediaEdits
import MediaModel

/// HDR10's metadata on the display that a video was mastered on and its brightest parts (SMPTE ST 2086,
/// CTA-861.3).
@safe package struct MasteringDisplay: Sendable {
  private var display: AVMasteringDisplayMetadata?
  private var light: AVContentLightMetadata?

  var isComplete: Bool { display != nil && light != nil }

  /// The container's metadata.
  init(_ stream: UnsafeMutablePointer<AVStream>) {
    var size = 0
    if let data = unsafe shoebox_find_side_data(
      stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size)
    {
      display = unsafe Self.value(UnsafeRawBufferPointer(start: data, count: size))
    }
    if let data = unsafe shoebox_find_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size) {
      light = unsafe Self.value(UnsafeRawBufferPointer(start: data, count: size))
    }
  }

  /// Adds the metadata of the coded frames where the container has none.
  mutating func complete(with frame: Frame) {
    if display == nil,
      let data = unsafe av_frame_get_side_data(
        frame.pointer, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)
    {
      display = unsafe Self.value(
        UnsafeRawBufferPointer(start: data.pointee.data, count: data.pointee.size))
    }
    if light == nil,
      let data = unsafe av_frame_get_side_data(frame.pointer, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)
    {
      light = unsafe Self.value(
        UnsafeRawBufferPointer(start: data.pointee.data, count: data.pointee.size))
    }
  }

  private static func value<Value: BitwiseCopyable>(_ data: UnsafeRawBufferPointer) -> Value? {
    unsafe data.count >= MemoryLayout<Value>.size ? data.loadUnaligned(as: Value.self) : nil
  }

  /// The same as parameters of libx265.
  var parameters: [String] {
    [
      display.flatMap(Self.text).map { "master-display=" + $0 },
      light.map { "max-cll=\($0.MaxCLL),\($0.MaxFALL)" },
    ].compactMap(\.self)
  }

  /// Writes the metadata into a result's container.
  func describe(_ stream: UnsafeMutablePointer<AVStream>) throws(AudioVideoError) {
    if let display {
      unsafe try Self.add(display, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, to: stream)
    }
    if let light { unsafe try Self.add(light, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, to: stream) }
  }

  private static func add<Value: BitwiseCopyable>(
    _ value: Value, _ type: AVPacketSideDataType, to stream: UnsafeMutablePointer<AVStream>
  ) throws(AudioVideoError) {
    let size = MemoryLayout<Value>.size
    guard let data = unsafe shoebox_new_side_data(stream, type, size) else {
      throw .outOfMemory
    }
    unsafe UnsafeMutableRawPointer(data).storeBytes(of: value, as: Value.self)
  }

  /// Chromaticities in units of 0.00002, luminances in units of 0.0001 cd/m²: green, blue, red, white.
  private static func text(_ display: AVMasteringDisplayMetadata) -> String? {
    guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
    let units = { (number: AVRational, scale: Double) in
      Int(min(max(0, (number.value ?? 0) * scale + 0.5), 4e9))
    }
    let point = { (x: AVRational, y: AVRational) in "(\(units(x, 50_000)),\(units(y, 50_000)))" }
    let (red, green, blue) = display.display_primaries
    return "G\(point(green.0, green.1))B\(point(blue.0, blue.1))R\(point(red.0, red.1))"
      + "WP\(point(display.white_point.0, display.white_point.1))"
      + "L(\(units(display.max_luminance, 10_000)),\(units(display.min_luminance, 10_000)))"
  }
}

extension MovieFile {
  /// Packets of a track that are read to find its first frame.
  private static var maximumPackets: Int { 200 }

  /// The mastering displays of the tracks that keep their dynamic range: from the container or, where it has
  /// none, from the first frame. The movie cannot be read further afterwards.
  package consuming func masteringDisplays(
    for rendering: MovieRendering
  ) throws -> [Int: MasteringDisplay] {
    var displays: [Int: MasteringDisplay] = [:]
    for track in rendering.tracks {
      guard case .encodeVideo(let encoding) = track.work, encoding.keepsDynamicRange,
        let stream = unsafe stream(track.index)
      else { continue }
      var display = unsafe MasteringDisplay(stream)
      if !display.isComplete, let frame = unsafe try firstFrame(of: stream) {
        display.complete(with: frame)
      }
      displays[track.index] = display
    }
    return displays
  }

  /// The first frame of a track that can be decoded.
  private func firstFrame(of stream: UnsafeMutablePointer<AVStream>) throws -> Frame? {
    let index = unsafe Int(stream.pointee.index)
    let decoder = unsafe try TrackDecoder(stream, threads: 1)
    let (packet, frame) = (try Packet(), try Frame())
    var count = 0
    while count < Self.maximumPackets, try readPacket(into: packet) {
      guard packet.track == index else { continue }
      count += 1
      _ = try decoder.send(packet)
      if case .success(.item) = Result(catching: { try decoder.receive(into: frame) }) {
        return frame
      }
    }
    _ = try decoder.send(nil)
    if case .success(.item) = Result(catching: { try decoder.receive(into: frame) }) {
      return frame
    }
    return nil
  }
}
