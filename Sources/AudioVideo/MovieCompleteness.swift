import CFFmpeg
import MediaModel

extension MovieFile {
  /// Looks whether every sample that the header tells of is there.
  ///
  /// QuickTime's and MP4's headers list where each one lies, so that a file that was cut off is known
  /// before hours are spent on half of it.
  ///
  /// - Throws: ``MovieMakingError/endsEarly(at:of:)`` if a track that is wanted is cut off within the
  ///   part that is wanted.
  func checkCompleteness(
    _ rendering: MovieRendering, origin: Int64, length: TimeSpan?
  ) throws(MovieMakingError) {
    guard let context = unsafe context, let input = unsafe context.pointee.pb else { return }
    let size = unsafe avio_size(input)
    let whole = movie().duration ?? 0
    for track in rendering.tracks {
      guard let stream = unsafe stream(track.index) else { continue }
      let base = unsafe stream.pointee.time_base
      let count = unsafe avformat_index_get_entries_count(stream)
      for index in 0..<count {
        guard let entry = unsafe avformat_index_get_entry(stream, index),
          unsafe entry.pointee.pos > size - Int64(entry.pointee.size)
        else { continue }
        let moment = unsafe base.seconds(entry.pointee.timestamp)
        let fromOrigin = moment - Double(origin) / 1_000_000
        if let end = length?.end, fromOrigin >= end { break }
        throw .endsEarly(at: max(0, moment), of: max(whole, moment))
      }
    }
  }
}
