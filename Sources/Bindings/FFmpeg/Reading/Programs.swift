import CFFmpeg

extension MovieFile {
  /// The streams of other programs than the one of the first video, where a transport stream contains several, as a
  /// recording of all that a broadcaster sends on one frequency. Each program can have a clock of its own.
  var otherPrograms: Set<Int> {
    guard let context = unsafe context, unsafe context.pointee.nb_programs > 1 else { return [] }
    let programs = (0..<(unsafe Int(context.pointee.nb_programs))).map { number in
      unsafe Self.streams(of: context.pointee.programs[number])
    }
    let video = (0..<streamCount).first { index in
      guard let parameters = unsafe stream(index)?.pointee.codecpar else { return false }
      return unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && parameters.pointee.width > 0
        && avcodec_find_decoder(parameters.pointee.codec_id) != nil
    }
    guard let video, let own = programs.first(where: { $0.contains(video) }) else { return [] }
    return programs.reduce(into: Set()) { $0.formUnion($1) }.subtracting(own)
  }

  private static func streams(of program: UnsafeMutablePointer<AVProgram>?) -> Set<Int> {
    guard let program = unsafe program, let list = unsafe program.pointee.stream_index else {
      return []
    }
    return Set((0..<(unsafe Int(program.pointee.nb_stream_indexes))).map { unsafe Int(list[$0]) })
  }
}
