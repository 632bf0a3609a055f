import CFFmpeg
import MediaEdits
import MediaModel

extension MovieFile {
  /// Looks whether every sample of every picture and sound that the header tells of is there.
  ///
  /// QuickTime's and MP4's headers list where each one lies, so that a file that was cut off is known
  /// before hours are spent on half of it.
  ///
  /// - Throws: ``MovieMakingError/endsEarly(at:of:)``.
  package func checkCompleteness() throws(MovieMakingError) {
    let streams = movie().streams
    let indexes = streams.indices.filter { [.video, .audio].contains(streams[$0].kind) }
    try checkCompleteness(of: Array(indexes), origin: 0, length: nil)
    // What is left of a movie that was never finished, or the first part of a stream.
    let counts = indexes.map {
      unsafe stream($0).map { unsafe avformat_index_get_entries_count($0) }
    }
    if isQuickTime, counts.allSatisfy({ $0 == 0 }) { throw .empty }
  }

  /// The same for some tracks and the part that is wanted, which begins at `origin`, in microseconds of
  /// the movie's own clock.
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

  /// FFmpeg's name of what reads it.
  var demuxerName: String {
    guard let format = unsafe context?.pointee.iformat else { return "" }
    return unsafe String(cString: format.pointee.name)
  }

  /// When the first sample that lies beyond the file's end would be shown, in seconds.
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
