package import ByteReading

/// The places of a track's samples by the tables of its `stbl` box (ISO/IEC 14496-12 §8.7).
///
/// The tables are read in parts, so memory does not grow with their length.
package struct ISOSampleTable {
  private let source: any ByteSource
  /// The number of samples that the size table states.
  private let count: UInt64
  /// The size of every sample in bytes; 0 if the table lists a size for each.
  private let uniformSize: UInt64
  private let isCompact: Bool
  /// Bits of one entry of the size table.
  private let sizeWidth: UInt64
  private let sizes: Range<UInt64>
  private let offsets: ISOTable?
  private let runs: ISOTable?
  private let sound: ISOSoundPacking?

  /// - Parameters:
  ///   - stbl: the track's sample table box.
  ///   - sound: the packing of an audio track's samples, if its description declares one.
  package init(_ stbl: ISOBox, _ source: any ByteSource, sound: ISOSoundPacking? = nil) throws {
    self.source = source
    self.sound = sound
    let boxes = try source.boxes(inside: stbl, limit: 256)
    func first(_ type: FourCC) -> ISOBox? { boxes.first { $0.type == type } }
    let wide = first("co64")
    offsets = try (wide ?? first("stco")).flatMap {
      try ISOTable($0, source, stride: wide == nil ? 4 : 8)
    }
    runs = try first("stsc").flatMap { try ISOTable($0, source, stride: 12) }
    guard let box = first("stsz") ?? first("stz2") else {
      (count, uniformSize, isCompact, sizeWidth, sizes) = (0, 0, false, 32, 0..<0)
      return
    }
    let head = try source.start(of: box, 12)
    count = UInt64(head.u32(at: 8) ?? 0)
    isCompact = box.type == "stz2"
    uniformSize = isCompact ? 0 : UInt64(head.u32(at: 4) ?? 0)
    sizeWidth = isCompact ? UInt64(head.u8(at: 7) ?? 8) : 32
    sizes = box.payload.dropping(12)
  }

  /// Calls `take` with the samples of each chunk as one range, in the order of the chunks.
  ///
  /// Ranges end where the source ends. The time is linear in the length of the tables.
  package func visitChunks(_ take: (Range<UInt64>) throws -> Void) throws {
    try visit(individually: false, limit: .max, take)
  }

  /// Calls `take` with each sample, up to `limit` of them.
  ///
  /// - Returns: whether all samples were visited.
  @discardableResult
  package func visitSamples(
    limit: UInt64, _ take: (Range<UInt64>) throws -> Void
  ) throws -> Bool {
    try visit(individually: true, limit: limit, take)
  }

  @discardableResult
  private func visit(
    individually: Bool, limit: UInt64, _ take: (Range<UInt64>) throws -> Void
  ) throws -> Bool {
    guard var offsets, var runs, count > 0 else { return true }
    var sizeReader = PiecewiseReader(source, sizes)
    var sample: UInt64 = 0
    var run: UInt64 = 0
    var perChunk = try runs.value(0, at: 4) ?? 0
    var nextStart = try runs.value(1) ?? .max
    for chunk in 0..<offsets.count where sample < count {
      while nextStart <= chunk + 1 {
        run += 1
        perChunk = try runs.value(run, at: 4) ?? 0
        nextStart = try runs.value(run + 1) ?? .max
      }
      guard let start = try offsets.value(chunk) else { return true }
      let samples = min(perChunk, count - sample)
      if uniformSize > 0, !individually {
        let length = sound?.length(of: samples, size: uniformSize) ?? samples * uniformSize
        try take(clamped(start, length))
        sample += samples
        continue
      }
      var position = start
      var isCut = false
      for _ in 0..<samples {
        guard sample < limit else { return false }
        let size = uniformSize > 0 ? uniformSize : try self.size(of: sample, &sizeReader)
        guard let size, let end = position.adding(size) else {
          isCut = true
          break
        }
        // A chunk of uniform samples can state more of them than the file has bytes.
        if position >= source.count, uniformSize > 0 { break }
        if individually { try take(clamped(position, size)) }
        position = end
        sample += 1
      }
      if !individually { try take(clamped(start, position - start)) }
      if isCut { return true }
    }
    return true
  }

  /// The part of a range that the source contains; empty if the start is outside it.
  private func clamped(_ start: UInt64, _ length: UInt64) -> Range<UInt64> {
    guard start < source.count else { return 0..<0 }
    return start..<(start + min(length, source.count - start))
  }

  private func size(of sample: UInt64, _ reader: inout PiecewiseReader) throws -> UInt64? {
    guard sizeWidth != 4 else {
      guard let pair = try reader.value(at: sample / 2, width: 1) else { return nil }
      return sample % 2 == 0 ? pair >> 4 : pair & 15
    }
    let width = sizeWidth / 8
    guard [1, 2, 4].contains(width) else { return nil }
    return try reader.value(at: sample * width, width: Int(width))
  }
}

/// A table of entries of equal length after version, flags and a count: `stsc`, `stco`, `co64` or `stts`.
struct ISOTable {
  let count: UInt64
  private let stride: UInt64
  private let width: Int
  private var reader: PiecewiseReader

  /// - Parameters:
  ///   - stride: the length of an entry in bytes.
  ///   - width: the length of a number; nil for 8 bytes in entries of 8 bytes, and 4 in others.
  /// - Returns: nil for a box without a count.
  init?(_ box: ISOBox, _ source: any ByteSource, stride: UInt64, width: Int? = nil) throws {
    guard let claimed = try source.start(of: box, 8).u32(at: 4) else { return nil }
    let entries = box.payload.dropping(8)
    count = min(UInt64(claimed), UInt64(entries.count) / stride)
    self.stride = stride
    self.width = width ?? (stride == 8 ? 8 : 4)
    reader = PiecewiseReader(source, entries)
  }

  /// A number in an entry. Nil after the last entry.
  mutating func value(_ index: UInt64, at offset: UInt64 = 0) throws -> UInt64? {
    guard index < count else { return nil }
    return try reader.value(at: index * stride + offset, width: width)
  }
}

/// Reads big-endian numbers at ascending offsets of a range, 32 KiB at a time.
struct PiecewiseReader {
  private static let pieceSize = 32 << 10

  private let source: any ByteSource
  private let range: Range<UInt64>
  private var piece: [UInt8] = []
  private var start: UInt64 = 0

  init(_ source: any ByteSource, _ range: Range<UInt64>) {
    self.source = source
    self.range = range
  }

  /// The number at an offset from the range's start; nil if the range or the source ends before it.
  mutating func value(at offset: UInt64, width: Int) throws -> UInt64? {
    guard let end = offset.adding(UInt64(width)), end <= UInt64(range.count) else { return nil }
    if offset < start || end > start + UInt64(piece.count) {
      start = offset
      let count = Int(min(UInt64(Self.pieceSize), UInt64(range.count) - offset))
      piece = try source.bytes(at: range.lowerBound + offset, count: count)
    }
    return piece.unsigned(at: Int(offset - start), width: width)
  }
}

/// The packing of an audio track's samples by its sample description. QuickTime counts uncompressed frames as samples
/// of size 1 (QuickTime File Format, "Sound Sample Descriptions").
package struct ISOSoundPacking {
  private static let plain: Set<FourCC> = [
    "twos", "sowt", "raw ", "NONE", "lpcm", "in24", "in32", "fl32", "fl64", "ipcm", "fpcm",
  ]

  /// The number of samples in one packet, and its length in bytes.
  private var packet: (samples: UInt64, bytes: UInt64)?
  /// The length of one uncompressed frame in bytes.
  private var frame: UInt64 = 0
  private var isPlain: Bool

  /// - Returns: nil for an entry that is too short.
  package init?(_ entry: ISOBox, _ source: any ByteSource) throws {
    let fields = try source.start(of: entry, 64)
    guard let version = fields.u16(at: 8), let channels = fields.u16(at: 16),
      let bits = fields.u16(at: 18)
    else { return nil }
    isPlain = Self.plain.contains(entry.type)
    let depth: UInt64 = ["ulaw", "alaw"].contains(entry.type) ? 8 : UInt64(bits)
    frame = UInt64(channels) * ((depth + 7) / 8)
    let numbers: (UInt32?, UInt32?)
    switch version {
    case 1: numbers = (fields.u32(at: 28), fields.u32(at: 36))
    case 2: numbers = (fields.u32(at: 60), fields.u32(at: 56))
    default: return
    }
    if let samples = numbers.0, let bytes = numbers.1, samples > 0, bytes > 0 {
      packet = (UInt64(samples), UInt64(bytes))
    }
  }

  /// The length in bytes of samples that all have the same size in the size table. Readers differ in it; this is the
  /// greatest of their results.
  ///
  /// - Parameters:
  ///   - samples: at most 2³² − 1.
  ///   - size: the size in the table, at most 2³² − 1.
  func length(of samples: UInt64, size: UInt64) -> UInt64 {
    let stated = samples * size
    if let packet {
      let packets = samples / packet.samples + (samples % packet.samples == 0 ? 0 : 1)
      let packed = packets * packet.bytes
      return size == 1 ? packed : max(stated, packed)
    }
    return size == 1 || isPlain ? max(stated, samples * frame) : stated
  }
}
