package import ByteReading
package import MediaModel

/// The description of a raw DV stream: the first frame's header and data packs (IEC 61834, SMPTE 314M and 370M).
///
/// All frames have the same size, which depends on the profile.
package struct DVFile {
  /// The recording time by the camcorder's clock; nil if it was not set.
  private(set) var time: CivilTime?
  /// The time code of the first frame.
  private(set) var timecode: String?
  private let profile: DVProfile
  private let isWide: Bool
  private let hasAudio: Bool
  private let fileSize: UInt64

  /// A frame consists of blocks of 80 bytes: header, subcode, auxiliary video data, audio and video.
  private static let block = 80
  /// The blocks that the profile is read from.
  private static let headerSize = 6 * block
  /// The first pack in the fourth block of audio.
  private static let audioSource = 6 * block + 16 * 3 * block + 3
  /// A pack in the third block of auxiliary video data.
  private static let videoControl = 5 * block + 48 + 5
  private static let packSize = 5

  /// - Throws: ``ContainerError`` for a file that ends in the first frame's header, or of an unknown profile; the errors
  ///   of the source.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: Self.audioSource + Self.packSize)
    guard head.hasBytes([0x1F, 0x07, 0]) else { throw ContainerError.notThisFormat("DV stream") }
    guard head.count >= Self.headerSize else {
      throw ContainerError.truncatedHeader
    }
    guard let profile = DVProfile(head) else {
      throw ContainerError.damaged("has an unknown DV profile")
    }
    self.profile = profile
    let control = Self.pack(0x61, in: head, at: Self.videoControl)
    // The shape is 16:9 by the mode 2, and by 7 in the first version of the format.
    let mode = control.map { $0[2] & 7 }
    isWide = mode == 2 || mode == 7 && head[4] & 7 == 0
    let audio = Self.pack(0x50, in: head, at: Self.audioSource)
    // Rates of samples: 48, 44.1 and 32 kHz.
    hasAudio = audio.map { $0[4] >> 3 & 7 <= 2 && $0[3] & 0x1F <= 3 } ?? false
    timecode = Self.pack(0x13, in: head, at: Self.block + 6).map(Self.timecode)
    time = Self.recordingTime(head)
    fileSize = source.count
  }

  /// The bytes of a pack, if there is one of this type.
  private static func pack(_ type: UInt8, in head: [UInt8], at offset: Int) -> [UInt8]? {
    head.bytes(at: offset, count: packSize).flatMap { $0[0] == type ? $0 : nil }
  }

  /// The number in two decimal digits; nil if they are not decimal.
  private static func decimal(_ byte: UInt8) -> Int? {
    byte >> 4 < 10 && byte & 15 < 10 ? Int(byte >> 4) * 10 + Int(byte & 15) : nil
  }

  private static func timecode(_ pack: [UInt8]) -> String {
    let fields = [pack[4] & 0x3F, pack[3] & 0x7F, pack[2] & 0x7F, pack[1] & 0x3F].map {
      (Int($0 >> 4) * 10 + Int($0 & 15))
    }
    return fields.map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
  }

  /// The recording date and time in consecutive packs of the auxiliary video data (packs 62 and 63 of IEC 61834-4, as in
  /// exiftool's DV module).
  private static func recordingTime(_ head: [UInt8]) -> CivilTime? {
    for index in 1..<6 where head[index * block] & 0xF0 == 0x50 {
      for number in 0..<14 {
        let start = index * block + 3 + number * packSize
        guard let date = pack(0x62, in: head, at: start),
          let clock = pack(0x63, in: head, at: start + packSize),
          let day = decimal(date[2] & 0x3F), let month = decimal(date[3] & 0x1F),
          let year = decimal(date[4]), let second = decimal(clock[2] & 0x7F),
          let minute = decimal(clock[3] & 0x7F), let hour = decimal(clock[4] & 0x3F)
        else { continue }
        // The format is from 1995. Clocks that were not set, and FFmpeg, write 1970.
        guard year < 70 || year >= 90 else { continue }
        if let time = CivilTime(
          year: year + (year < 70 ? 2000 : 1900), month: month, day: day, hour: hour,
          minute: minute, second: second)
        {
          return time
        }
      }
    }
    return nil
  }

  /// The streams and tags as FFmpeg's demuxer reports them, with FFmpeg's names.
  package var movie: Movie {
    let rate = profile.frameRate
    // To the nearest frame.
    let frames = (fileSize + UInt64(profile.frameSize / 2)) / UInt64(profile.frameSize)
    let seconds = (Double(frames) / rate * 1_000_000).rounded() / 1_000_000
    var video = MovieStream(kind: .video)
    video.codec = "dvvideo"
    video.size = profile.size
    video.pixelAspect = profile.pixelAspect(isWide: isWide)
    video.frameRate = rate
    video.dynamicRange = .sdr
    var streams = [video]
    if hasAudio {
      var audio = MovieStream(kind: .audio)
      audio.codec = "pcm_s16le"
      streams.append(audio)
    }
    var metadata: [MetadataEntry] = []
    if let timecode { metadata.append(MetadataEntry(key: "timecode", value: timecode)) }
    if let time { metadata.append(MetadataEntry(key: "creation_time", value: time.iso8601)) }
    return Movie(
      duration: frames > 0 ? seconds : nil, streams: streams, metadata: metadata)
  }
}

/// The size of a DV stream's frames (libavcodec/dv_profile.c).
private struct DVProfile {
  /// Bytes.
  var frameSize: Int
  var size: PixelSize
  var frameRate: Double
  /// Width over height of one pixel in frames of 4:3 and of 16:9.
  private var aspects: (normal: Double, wide: Double)

  /// By the first blocks of a frame; nil if it is unknown.
  init?(_ head: [UInt8]) {
    guard let mode = head.u8(at: 3), let signal = head.u8(at: 5 * 80 + 48 + 3) else { return nil }
    let is50Hz = mode & 0x80 != 0
    // QuickTime 3 sets all bits of a DV frame's signal type.
    switch signal == 0xFF ? 0 : signal & 0x1F {
    case 0x00 where is50Hz, 0x01 where is50Hz:
      self.init(144_000, 720, 576, 25, (16.0 / 15, 64.0 / 45))
    case 0x00: self.init(120_000, 720, 480, 30000.0 / 1001, (8.0 / 9, 32.0 / 27))
    case 0x04 where is50Hz: self.init(288_000, 720, 576, 25, (16.0 / 15, 64.0 / 45))
    case 0x04: self.init(240_000, 720, 480, 30000.0 / 1001, (8.0 / 9, 32.0 / 27))
    case 0x14 where is50Hz: self.init(576_000, 1440, 1080, 25, (1, 4.0 / 3))
    case 0x14: self.init(480_000, 1280, 1080, 30000.0 / 1001, (1, 3.0 / 2))
    case 0x18 where is50Hz: self.init(288_000, 960, 720, 50, (1, 4.0 / 3))
    case 0x18: self.init(240_000, 960, 720, 60000.0 / 1001, (1, 4.0 / 3))
    default: return nil
    }
  }

  private init(
    _ frameSize: Int, _ width: Int, _ height: Int, _ frameRate: Double,
    _ aspects: (normal: Double, wide: Double)
  ) {
    (self.frameSize, self.frameRate) = (frameSize, frameRate)
    size = PixelSize(width: width, height: height)
    self.aspects = aspects
  }

  func pixelAspect(isWide: Bool) -> Double? {
    let aspect = isWide ? aspects.wide : aspects.normal
    return aspect == 1 ? nil : aspect
  }
}
