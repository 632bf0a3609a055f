import CFFmpeg
import MediaModel

/// A named part of a movie.
struct Chapter: Hashable {
  /// Milliseconds from the result's start.
  var start: Int64
  var end: Int64
  var title: String
}

extension MovieFile {
  /// Further chapters are ignored, and longer titles are cut, in bytes.
  private static let maximumChapters: UInt32 = 4096
  private static let maximumTitle = 1024

  /// The chapters of a part of the movie; their times count from the part's start.
  ///
  /// - Parameters:
  ///   - origin: the start of the part, in microseconds of the movie's clock.
  ///   - length: seconds; nil for the rest of the movie.
  func chapters(from origin: Int64, length: Double?) -> [Chapter] {
    guard let context = unsafe context else { return [] }
    let whole = unsafe max(0, context.pointee.duration)
    let limit = min(
      length.map { AVRational(num: 1, den: 1000).units($0) } ?? .max,
      whole > 0 ? whole / 1000 : .max)
    let milliseconds = AVRational(num: 1, den: 1000)
    var chapters: [Chapter] = []
    for index in 0..<(unsafe Int(min(context.pointee.nb_chapters, Self.maximumChapters))) {
      guard let chapter = unsafe context.pointee.chapters[index],
        unsafe chapter.pointee.time_base.value != nil, unsafe known(chapter.pointee.start) != nil
      else { continue }
      let base = unsafe chapter.pointee.time_base
      let begin = av_rescale_q(origin, .microseconds, milliseconds)
      let start = unsafe av_rescale_q(chapter.pointee.start, base, milliseconds) &- begin
      let end =
        unsafe known(chapter.pointee.end).map { av_rescale_q($0, base, milliseconds) &- begin }
        ?? limit
      guard max(0, start) < min(end, limit) else { continue }
      let title = unsafe MetadataEntry.list(chapter.pointee.metadata).first { $0.key == "title" }
      chapters.append(
        Chapter(
          start: max(0, start), end: min(end, limit),
          title: String(
            decoding: (title?.value ?? "").utf8.prefix(Self.maximumTitle), as: UTF8.self)
        ))
    }
    return chapters.sorted { $0.start < $1.start }
  }
}

extension MovieMuxer {
  /// Adds the chapters; call this before the header is written.
  func addChapters(_ chapters: [Chapter]) throws(AudioVideoError) {
    guard !chapters.isEmpty else { return }
    let size = unsafe MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
    guard let list = unsafe av_calloc(chapters.count, size) else { throw .outOfMemory }
    // Freed with the context, together with its elements.
    unsafe context.pointee.chapters = list.assumingMemoryBound(
      to: UnsafeMutablePointer<AVChapter>?.self)
    for (index, chapter) in chapters.enumerated() {
      guard let memory = unsafe av_mallocz(MemoryLayout<AVChapter>.size) else {
        throw .outOfMemory
      }
      let target = unsafe memory.assumingMemoryBound(to: AVChapter.self)
      unsafe context.pointee.chapters[index] = target
      unsafe context.pointee.nb_chapters += 1
      unsafe target.pointee.id = Int64(index)
      unsafe target.pointee.time_base = AVRational(num: 1, den: 1000)
      unsafe target.pointee.start = chapter.start
      unsafe target.pointee.end = chapter.end
      try checked(unsafe av_dict_set(&target.pointee.metadata, "title", chapter.title, 0))
    }
  }
}
