import ByteReading
import Linux
import MediaFormats
import MediaModel
import MetadataTransfer

/// Tracks of timed metadata to copy into a movie that is made from theirs, such as GoPro's. libavformat's muxer does not
/// write most of them.
struct TimedMetadataCopy {
  let source: any ByteSource
  private let tracks: [ISOTimedMetadata]
  private let start: Double
  private let isQuickTime: Bool
  /// The ID of the source track of each track of the movie.
  private let trackIDs: [UInt32]

  /// - Parameters:
  ///   - type: of the source, by content.
  ///   - start: the time of the source at which the movie starts, in seconds.
  ///   - trackIDs: the ID of the source track of each track that the movie has already.
  /// - Throws: what the source throws.
  init(
    _ source: any ByteSource, _ type: UniformType, from start: Double,
    otherThan trackIDs: [UInt32]
  ) throws {
    self.source = source
    self.start = start
    self.trackIDs = trackIDs
    isQuickTime = type == .quickTimeMovie
    tracks = try ISOTimedMetadata.tracks(of: source).filter { !trackIDs.contains($0.id) }
  }

  /// Adds the tracks to the movie's header.
  ///
  /// - Parameters:
  ///   - offset: of the first sample in the file, before the header moves.
  ///   - numbers: for each track of the header its index in the IDs of the source tracks.
  ///   - metadata: further boxes for the tracks, by their IDs in the source.
  ///   - isQuickTime: whether the movie is QuickTime's and not MP4.
  /// - Returns: the ranges of the samples in ``source``; nil, without any change, if they are too many.
  func add(
    to header: inout MovieHeader, at offset: UInt64, numbers: [Int],
    _ metadata: [UInt32: [[UInt8]]], isQuickTime: Bool
  ) throws -> [Range<UInt64>]? {
    let made = numbers.compactMap { number in
      // libavformat numbers the tracks from 1.
      trackIDs.indices.contains(number) ? (trackIDs[number], UInt32(number) + 1) : nil
    }
    let carried = CarriedMetadata(
      tracks, from: start, isSourceQuickTime: self.isQuickTime,
      trackIDs: Dictionary(made) { first, _ in first }, metadata: metadata)
    return try header.add(
      carried, at: offset, fromSourceOf: source.count, isQuickTime: isQuickTime)
  }
}

/// The samples of metadata in a movie, as a box of their own.
struct MetadataSamples {
  /// The sample that marks the moment of a Live Photo's still; empty if there is none.
  let moment: [UInt8]
  /// The other samples in the source.
  let ranges: [Range<UInt64>]
  private let sampleSize: UInt64

  /// Bytes that are written at once, at least.
  private static let blockSize = 1 << 20

  init(moment: [UInt8], ranges: [Range<UInt64>]) {
    self.moment = moment
    self.ranges = ranges
    sampleSize = ranges.reduce(UInt64(moment.count)) { $0 + UInt64($1.count) }
  }

  /// Bytes of the whole box; 0 without samples.
  var size: UInt64 { sampleSize == 0 ? 0 : sampleSize + 8 }

  /// Writes the box.
  ///
  /// - Parameter progress: called between blocks.
  /// - Throws: ``ContainerError`` if the source has become shorter; what the source, `output` and `progress` throw.
  func write(
    at offset: UInt64, of source: (any ByteSource)?, to output: borrowing OutputFile,
    progress: () throws -> Void
  ) throws {
    guard size > 0 else { return }
    var block = encoded(size, width: 4) + FourCC("mdat").bytes + moment
    var position = offset
    let windows = source.map { WindowedSource($0) }
    for range in ranges {
      let bytes = try windows?.bytes(at: range.lowerBound, count: range.count) ?? []
      guard bytes.count == range.count else {
        throw ContainerError.damaged("ends while its metadata is copied")
      }
      block += bytes
      guard block.count >= Self.blockSize else { continue }
      try output.write(block, at: position)
      position += UInt64(block.count)
      block = []
      try progress()
    }
    try output.write(block, at: position)
  }
}
