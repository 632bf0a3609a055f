import CFFmpeg
import MediaEdits
import MediaModel

extension MovieFile {
  /// Checks that every sample of each video and audio track in the header is within the file.
  ///
  /// The headers of QuickTime and MP4 list the position of each sample, so a truncated file is recognised
  /// before hours are spent on it.
  ///
  /// - Throws: ``MovieMakingError/endsEarly(at:of:)``.
  package func checkCompleteness() throws(MovieMakingError) {
    let streams = movie().streams
    let indexes = streams.indices.filter { [.video, .audio].contains(streams[$0].kind) }
    try checkCompleteness(of: Array(indexes), origin: 0, length: nil)
    // A recording that was never finished, or the first part of a stream, lists no samples.
    let counts = indexes.map {
      unsafe stream($0).map { unsafe avformat_index_get_entries_count($0) }
    }
    if isQuickTime, counts.allSatisfy({ $0 == 0 }) { throw .empty }
  }

  /// The same for some tracks and for the selected part, which begins at `origin`, in microseconds of the
  /// movie's clock.
  func checkCompleteness(
    of indexes: [Int], origin: Int64, length: TimeSpan?
  ) throws(MovieMakingError) {
    guard let input = unsafe context?.pointee.pb else { return }
    let size = unsafe avio_size(input)
    guard size > 0 else { return }
    for index in indexes {
      guard let stream = unsafe stream(index), let moment = unsafe firstMissing(stream, size)
      else { continue }
      if let end = length?.end, moment - Double(origin) / 1_000_000 >= end { continue }
      throw .endsEarly(at: max(0, moment), of: max(movie().duration ?? 0, moment))
    }
  }

  var isQuickTime: Bool { demuxerName.hasPrefix("mov,") }

  /// FFmpeg's name of the demuxer.
  var demuxerName: String {
    guard let format = unsafe context?.pointee.iformat else { return "" }
    return unsafe String(cString: format.pointee.name)
  }

  /// When the first sample beyond the end of the file would be shown, in seconds.
  private func firstMissing(_ stream: UnsafeMutablePointer<AVStream>, _ size: Int64) -> Double? {
    for index in 0..<(unsafe avformat_index_get_entries_count(stream)) {
      guard let entry = unsafe avformat_index_get_entry(stream, index),
        unsafe entry.pointee.pos > size - Int64(entry.pointee.size)
      else { continue }
      return unsafe stream.pointee.time_base.seconds(entry.pointee.timestamp)
    }
    return nil
  }
}
