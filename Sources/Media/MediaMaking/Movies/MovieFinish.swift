import ByteReading
import Linux
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import WorkerProtocol

/// The last step of making a movie: adds metadata to its header, and moves the header in front of its
/// samples, so that it can be played while it is downloaded.
struct MovieFinish {
  let metadata: MovieMetadataBoxes
  /// The ID of the source track of each track, in the order in which the tracks were added.
  let trackIDs: [UInt32]
  /// How each track is presented, in the same order.
  let presentations: [TrackPresentation]
  /// The numbers of the tracks, in the same order, that players show only when they are asked to.
  let disabledTracks: Set<Int>
  /// Seconds after which nothing is shown, even if copied tracks contain more; nil to show everything.
  let end: Double?
  /// The moment of a Live Photo's still, counted from the start of the result.
  let stillImage: ISOStillImageTime?
  /// The timed metadata of the source; nil to leave it out.
  let timedMetadata: TimedMetadataCopy?
  let container: MovieRendering.Container

  /// Bytes that are moved at once.
  private static let blockSize: UInt64 = 4 << 20
  /// A movie with a larger header is not made.
  private static let maximumHeader: UInt64 = 512 << 20

  /// - Parameter progress: called between blocks.
  /// - Throws: `ProbeFailure` for a header that is too large; ``ContainerError``; what `output` and `progress` throw.
  /// - Returns: whether the result contains ``stillImage``, and whether it has all of ``timedMetadata``.
  func apply(
    to output: borrowing OutputFile, progress: () throws -> Void
  ) throws -> (hasMoment: Bool, hasMetadata: Bool) {
    let boxes = try topLevelBoxes(output)
    guard let brands = boxes.first, let old = boxes.last(where: { $0.type == "moov" }),
      old.end == boxes.last?.end
    else { throw ContainerError.damaged("has no movie header (moov box) at its end") }
    guard old.end - old.offset <= Self.maximumHeader else {
      throw ProbeFailure(
        .unsupported, "The result's header would have more than \(Self.maximumHeader >> 20) MiB.")
    }
    var header = MovieHeader(
      try output.read(at: old.offset, count: Int(old.end - old.offset)))
    // libavformat numbers the tracks from 1, and leaves out those without samples. A track of chapters is the last one.
    let numbers = try header.trackIDs().map { Int($0) - 1 }
    try header.add(
      movie: metadata.movie,
      tracks: numbers.map { number in
        trackIDs.indices.contains(number) ? metadata.tracks[trackIDs[number]] ?? [] : []
      })
    try header.present(
      numbers.map { presentations.indices.contains($0) ? presentations[$0] : nil })
    try header.disable(
      tracks: Set(numbers.indices.filter { disabledTracks.contains(numbers[$0]) }))
    try header.enableAudio()
    if let end { try header.limitDuration(to: end) }
    // The samples of metadata get a box of their own after the other samples.
    let moment = try stillImage.flatMap {
      try header.add($0, at: old.offset + 8, isQuickTime: container == .quickTime)
    }
    let samples = try timedMetadata?.add(
      to: &header, at: old.offset + 8 + UInt64(moment?.count ?? 0), numbers: numbers,
      metadata.tracks, isQuickTime: container == .quickTime)
    let media = MetadataSamples(moment: moment ?? [], ranges: samples ?? [])
    let size = UInt64(header.bytes.count)
    var end = old.offset + size + media.size
    if try header.shiftChunks(by: size) {
      try move(brands.end..<old.offset, by: size, in: output, progress: progress)
      try output.write(header.bytes, at: brands.end)
      try media.write(
        at: old.offset + size, of: timedMetadata?.source, to: output, progress: progress)
    } else {
      try media.write(at: old.offset, of: timedMetadata?.source, to: output, progress: progress)
      try output.write(header.bytes, at: old.offset + media.size)
    }
    for box in metadata.trailing {
      try output.write(box, at: end)
      end += UInt64(box.count)
    }
    return (moment != nil, timedMetadata == nil || samples != nil)
  }

  private func topLevelBoxes(_ output: borrowing OutputFile) throws -> [ISOBox] {
    let size = try output.size()
    var boxes: [ISOBox] = []
    var position: UInt64 = 0
    while position < size, boxes.count < 64 {
      let head = ArraySource(try output.read(at: position, count: 32))
      // Only the header was read; the box's end follows from its size.
      guard var box = try head.box(at: 0, before: head.count) else { break }
      let length = head.declaredSize(of: box)
      guard length >= 8, let end = position.addingChecked(length), end <= size else { break }
      box.offset = position
      box.payload = (position + box.payload.lowerBound)..<end
      boxes.append(box)
      position = end
    }
    return boxes
  }

  /// Moves bytes towards the end of the file, the last ones first.
  private func move(
    _ range: Range<UInt64>, by distance: UInt64, in output: borrowing OutputFile,
    progress: () throws -> Void
  ) throws {
    var end = range.upperBound
    while end > range.lowerBound {
      let start = max(range.lowerBound, end > Self.blockSize ? end - Self.blockSize : 0)
      let block = try output.read(at: start, count: Int(end - start))
      guard block.count == Int(end - start) else {
        throw ContainerError.damaged("ends while its header is moved")
      }
      try output.write(block, at: start + distance)
      end = start
      try progress()
    }
  }
}

extension ArraySource {
  /// The size that a box's header declares.
  fileprivate func declaredSize(of box: ISOBox) -> UInt64 {
    let start = bytes(at: 0, count: 16)
    let short = UInt64(start.u32(at: 0) ?? 0)
    return short == 1 ? start.u64(at: 8) ?? 0 : short
  }
}

extension UInt64 {
  fileprivate func addingChecked(_ other: UInt64) -> UInt64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }
}
