import CFFmpeg
import MediaEdits
import MediaModel

/// A chain of libavfilter's filters with one input and one output.
@safe final class FilterGraph {
  private var graph: UnsafeMutablePointer<AVFilterGraph>?
  private let source: UnsafeMutablePointer<AVFilterContext>
  let sink: UnsafeMutablePointer<AVFilterContext>
  private let isVideo: Bool
  /// The presentation times of the frames that were pushed, in units of the source's time base.
  private var shown = PresentationSpan()

  /// Makes the chain `source,filters…,sink`.
  ///
  /// - Parameters:
  ///   - source: the options of `buffer` or `abuffer`.
  ///   - isVideo: whether the frames are video.
  ///   - table: the picture that is the second input of the filter ``tableFilter``, if that is among `filters`.
  init(
    source: String, filters: [String], isVideo: Bool, threads: Int, table: Raster? = nil
  ) throws(AudioVideoError) {
    self.isVideo = isVideo
    unsafe graph = avfilter_graph_alloc()
    let kind = isVideo ? "buffer" : "abuffer"
    let sinkKind = kind + "sink"
    let chain = ["\(kind)@in=\(source)"] + filters + ["\(sinkKind)@out"]
    let description = Self.description(chain, table: table)
    do throws(AudioVideoError) {
      guard let graph = unsafe graph else { throw .outOfMemory }
      unsafe graph.pointee.nb_threads = Int32(clamping: threads)
      unsafe av_opt_set(graph, "scale_sws_opts", "flags=bicubic", 0)
      try checked(unsafe avfilter_graph_parse_ptr(graph, description, nil, nil, nil))
      guard let source = unsafe avfilter_graph_get_filter(graph, kind + "@in"),
        let sink = unsafe avfilter_graph_get_filter(graph, sinkKind + "@out")
      else { throw AudioVideoError(reason: .unsupported, detail: "A filter is missing") }
      try checked(unsafe avfilter_graph_config(graph, nil))
      if let table { try unsafe Self.push(table, to: graph) }
      unsafe self.source = source
      unsafe self.sink = sink
    } catch {
      unsafe avfilter_graph_free(&graph)
      throw error
    }
  }

  deinit {
    unsafe avfilter_graph_free(&graph)
  }

  /// The filter that replaces colours by those of a table of colours.
  ///
  /// `lut3d` would need a file, and this process may not open any. `haldclut` takes the table as frames.
  static let tableFilter = "haldclut=clut=first:interp=tetrahedral"

  /// A filter chain as libavfilter parses it.
  private static func description(_ chain: [String], table: Raster?) -> String {
    let parts = chain.split(separator: tableFilter, maxSplits: 1).map { $0.joined(separator: ",") }
    guard let size = table?.size, parts.count == 2 else { return chain.joined(separator: ",") }
    return parts[0] + "[frames];buffer@table=video_size=\(size.width)x\(size.height)"
      + ":pix_fmt=rgb48le:time_base=1/1:pixel_aspect=1/1[table];[frames][table]"
      + tableFilter + "," + parts[1]
  }

  /// Seconds: earlier than any frame. Frames before the table's time would not be converted.
  private static let tableTime: Int64 = -10_000_000

  /// Sends a table of colours to its filter.
  private static func push(
    _ table: Raster, to graph: UnsafeMutablePointer<AVFilterGraph>
  ) throws(AudioVideoError) {
    guard let source = unsafe avfilter_graph_get_filter(graph, "buffer@table") else {
      throw AudioVideoError(reason: .unsupported, detail: "A filter is missing")
    }
    let frame = try Frame(table)
    frame.time = tableTime
    try checked(unsafe av_buffersrc_add_frame_flags(source, frame.pointer, 0))
    try checked(unsafe av_buffersrc_close(source, tableTime + 1, 0))
  }

  /// Pushes a frame, which is left empty.
  func push(_ frame: Frame) throws(AudioVideoError) {
    if isVideo { shown.add(frame.time, duration: frame.duration) }
    try send(unsafe av_buffersrc_add_frame_flags(source, frame.pointer, 0))
    unsafe av_frame_unref(frame.pointer)
  }

  /// Checks a code of libavfilter for what was sent to the chain.
  ///
  /// Since FFmpeg 7 it is the end of the file if a filter such as `trim` needs no more.
  private func send(_ code: Int32) throws(AudioVideoError) {
    guard code != shoebox_averror_eof() else { return }
    try checked(code)
  }

  /// Marks the end of the frames.
  ///
  /// If the frame rate is limited, the last frame needs an end time. Without it the filter `fps` drops that
  /// frame, and all of a clip that is shorter than one frame of the result.
  func finish() throws(AudioVideoError) {
    guard let first = shown.first else {
      try send(unsafe av_buffersrc_add_frame_flags(source, nil, 0))
      return
    }
    let rate = unsafe av_buffersink_get_frame_rate(sink)
    let one =
      rate.value == nil
      ? 0
      : av_rescale_q_rnd(
        1, AVRational(num: rate.den, den: rate.num), inputBase, AV_ROUND_UP)
    try send(unsafe av_buffersrc_close(source, max(shown.end, first &+ one), 0))
  }

  /// Pulls the next frame.
  func pull(into frame: Frame) throws(AudioVideoError) -> ReceiveResult {
    try ReceiveResult(code: unsafe av_buffersink_get_frame(sink, frame.pointer))
  }

  /// The time base of the frames that are pushed.
  var inputBase: AVRational { unsafe source.pointee.outputs[0]?.pointee.time_base ?? .microseconds }

  /// The time base of the frames that are pulled.
  var timeBase: AVRational { unsafe av_buffersink_get_time_base(sink) }
}

/// The time span in which frames are shown, in units of their time base.
struct PresentationSpan {
  private(set) var first: Int64?
  private(set) var end: Int64 = 0
  private var last: Int64 = 0

  /// Adds a frame; if its duration is unknown, it is shown as long as the frame before.
  mutating func add(_ time: Int64?, duration: Int64) {
    guard let time else { return }
    let usual = first == nil ? 0 : max(0, time &- last)
    end = max(end, time &+ (duration > 0 ? duration : usual))
    (first, last) = (first ?? time, time)
  }
}

extension Frame {
  /// A copy of a picture with one plane.
  fileprivate convenience init(_ raster: Raster) throws(AudioVideoError) {
    try self.init()
    unsafe pointer.pointee.format = raster.layout.pixelFormat.rawValue
    unsafe pointer.pointee.width = Int32(raster.size.width)
    unsafe pointer.pointee.height = Int32(raster.size.height)
    try checked(unsafe av_frame_get_buffer(pointer, 0))
    let (row, stride) = unsafe (raster.planes[0].bytesPerRow, Int(pointer.pointee.linesize.0))
    guard let target = unsafe pointer.pointee.data.0, row <= stride else { throw .outOfMemory }
    unsafe raster.planes[0].bytes.withUnsafeBufferPointer { source in
      guard let source = source.baseAddress else { return }
      for line in 0..<raster.size.height {
        unsafe (target + line * stride).update(from: source + line * row, count: row)
      }
    }
  }
}
