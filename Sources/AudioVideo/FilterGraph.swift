import CFFmpeg

/// A chain of libavfilter's filters with one way in and one way out.
@safe final class FilterGraph {
  private var graph: UnsafeMutablePointer<AVFilterGraph>?
  private let source: UnsafeMutablePointer<AVFilterContext>
  let sink: UnsafeMutablePointer<AVFilterContext>

  /// Makes the chain `source,filters…,sink`.
  ///
  /// - Parameters:
  ///   - source: `buffer` or `abuffer` with what it has to be told.
  ///   - isVideo: which kind of sink ends the chain.
  init(source: String, filters: [String], isVideo: Bool, threads: Int) throws(AudioVideoError) {
    unsafe graph = avfilter_graph_alloc()
    let kind = isVideo ? "buffer" : "abuffer"
    let sinkKind = kind + "sink"
    let description = (["\(kind)@in=\(source)"] + filters + ["\(sinkKind)@out"])
      .joined(separator: ",")
    do throws(AudioVideoError) {
      guard let graph = unsafe graph else { throw .outOfMemory }
      unsafe graph.pointee.nb_threads = Int32(clamping: threads)
      unsafe av_opt_set(graph, "scale_sws_opts", "flags=bicubic", 0)
      try checked(unsafe avfilter_graph_parse_ptr(graph, description, nil, nil, nil))
      guard let source = unsafe avfilter_graph_get_filter(graph, kind + "@in"),
        let sink = unsafe avfilter_graph_get_filter(graph, sinkKind + "@out")
      else { throw AudioVideoError(reason: .unsupported, detail: "A filter is missing") }
      try checked(unsafe avfilter_graph_config(graph, nil))
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

  /// Puts a frame in, which is left empty; nil says that there are no more.
  func push(_ frame: Frame?) throws(AudioVideoError) {
    try checked(unsafe av_buffersrc_add_frame_flags(source, frame?.pointer, 0))
  }

  /// Takes the next frame out.
  func pull(into frame: Frame) throws(AudioVideoError) -> Delivery {
    try Delivery(code: unsafe av_buffersink_get_frame(sink, frame.pointer))
  }

  var timeBase: AVRational { unsafe av_buffersink_get_time_base(sink) }
}
