import CFFmpeg
import Glibc
package import MediaEdits
import MediaModel

/// Makes a movie from another one, track by track.
@safe package final class MovieMaker {
  private let source: MovieFile
  private let muxer: MovieMuxer
  private let rendering: MovieRendering
  private var tracks: [Int: any TrackWork] = [:]
  /// The time of the source that becomes the result's 0, in microseconds of the source's clock.
  private let origin: Int64
  /// The selected part in seconds, counted from ``origin``; nil for everything.
  private let length: TimeSpan?
  private var entry: KeyFrameEntry?
  /// See ``MovieCut/joint``.
  private let joint: Int64?
  /// For containers whose timestamps may jump.
  private var discontinuities: DiscontinuityCorrection?
  private var notes: [String] = []
  private let isOmitted: (([UInt8], MovieText) -> Bool)?
  private var omittedCount = 0
  private let userData: CodedUserData?
  /// Codec configurations that packets announced which were not used, by track number: they count for the next ones.
  private var configurations: [Int: [UInt8]] = [:]

  /// - Parameters:
  ///   - source: opened with `readsPackets`.
  ///   - descriptor: an empty file, open for writing.
  ///   - creationTime: when the movie was made, ISO 8601, UTC.
  ///   - keepsChapters: whether to copy the source's chapters.
  ///   - isOmitted: whether to leave out a subtitle or a text about a chapter or track, given its bytes;
  ///     nil to keep all.
  ///   - userData: finds user data to overwrite in copied video; nil to keep it.
  ///   - parameterSets: finds changes of them in video that is copied.
  ///   - joined: the IDs of the tracks of which an edit list shows parts that do not follow one another.
  ///   - displays: the mastering displays of the tracks that keep their dynamic range, by track number.
  ///   - toneTable: for the tracks that do not keep it.
  /// - Throws: ``MovieMakingError``.
  package init(
    _ source: consuming MovieFile, _ rendering: MovieRendering, descriptor: Int32,
    creationTime: String?, keepsChapters: Bool, isOmitted: (([UInt8], MovieText) -> Bool)? = nil,
    userData: CodedUserData? = nil, parameterSets: CodedParameterSets? = nil,
    joined: Set<UInt32> = [], displays: [Int: MasteringDisplay], toneTable: ToneTable
  ) throws {
    self.isOmitted = isOmitted
    self.userData = userData
    self.source = source
    self.rendering = rendering
    muxer = try MovieMuxer(rendering.container, output: MovieOutput(descriptor: descriptor))
    let cut = try self.source.cut(rendering, joined: joined)
    origin = cut.origin
    length = cut.length
    entry = cut.entry
    joint = cut.joint
    notes += cut.notes
    try self.source.checkCompleteness(
      of: rendering.tracks.map(\.index), origin: origin, length: cut.length)
    try removeNames()
    if let userData { eraseUserData(userData) }
    for track in rendering.tracks {
      tracks[track.index] = try self.source.work(
        on: track, threads: rendering.threads, to: muxer, cut: cut, keepsTimes: creationTime != nil,
        parameterSets: parameterSets, display: displays[track.index], toneTable: toneTable)
    }
    if keepsChapters {
      var chapters = self.source.chapters(from: origin, length: cut.length?.end)
      for index in chapters.indices
      where isOmitted?(Array(chapters[index].title.utf8), .chapter) == true {
        chapters[index].title = ""
      }
      try muxer.addChapters(chapters)
    }
    discontinuities = self.source.mayHaveDiscontinuities ? DiscontinuityCorrection() : nil
    // In other containers, the longest track shows whether the file is complete.
    if self.source.isQuickTime { self.source.readOnly(Set(tracks.keys)) }
    try muxer.start(creationTime: creationTime)
  }

  /// Removes names of the source's tracks that must be left out, so that no track copies them.
  private func removeNames() throws(AudioVideoError) {
    guard let isOmitted else { return }
    for track in rendering.tracks {
      guard let stream = unsafe source.stream(track.index) else { continue }
      for entry in unsafe MetadataEntry.list(stream.pointee.metadata)
      where isOmitted(Array(entry.value.utf8), .track(key: entry.key)) {
        try checked(unsafe av_dict_set(&stream.pointee.metadata, entry.key, nil, 0))
      }
    }
  }

  /// Overwrites user data in the headers of the tracks that are copied.
  private func eraseUserData(_ userData: CodedUserData) {
    for track in rendering.tracks where track.work == .copy {
      guard let stream = unsafe source.stream(track.index),
        let parameters = unsafe stream.pointee.codecpar, let codec = unsafe codec(of: parameters),
        let header = unsafe parameters.pointee.extradata
      else { continue }
      let content = unsafe UnsafeMutableBufferPointer(
        start: header, count: max(0, Int(parameters.pointee.extradata_size)))
      for range in userData.inHeader(codec, unsafe Array(content)) {
        unsafe content[range].update(repeating: userData.filler)
      }
    }
  }

  /// Overwrites user data, or a picture's metadata, in a packet of a track that is copied.
  private func eraseUserData(_ packet: Packet, of stream: UnsafeMutablePointer<AVStream>) throws {
    guard let userData, tracks[packet.track] is TrackCopy,
      let parameters = unsafe stream.pointee.codecpar
    else { return }
    if unsafe isPictures(parameters), let changed = try userData.inPicture(packet.bytes) {
      return try packet.overwrite(with: changed)
    }
    guard let codec = unsafe codec(of: parameters) else { return }
    let header = unsafe UnsafeBufferPointer(
      start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size)))
    try packet.overwrite(
      userData.inPacket(codec, unsafe Array(header), packet.bytes), with: userData.filler)
  }

  /// Whether the frames of a track are pictures of a format with metadata of its own.
  private func isPictures(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
    [
      AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_TIFF, AV_CODEC_ID_JPEG2000,
      AV_CODEC_ID_JPEGLS, AV_CODEC_ID_LJPEG, AV_CODEC_ID_AVRN, AV_CODEC_ID_AMV,
    ].contains(unsafe parameters.pointee.codec_id)
  }

  private func codec(of parameters: UnsafeMutablePointer<AVCodecParameters>) -> CodedUserData.Codec?
  {
    unsafe CodedUserData.Codec(parameters.pointee.codec_id)
  }

  /// The time of the source at which the result starts, in seconds from the source's zero.
  package var start: Double { Double(origin) / 1_000_000 }

  /// Seconds after which the result shows nothing; nil if it shows all that it contains. A copied track may
  /// contain more, because earlier frames are decoded from it.
  package var end: Double? { length?.end }

  /// For each track of the result the ID of its source track: in QuickTime and MP4, that of its `tkhd` box.
  package var sourceTrackIDs: [UInt32] {
    rendering.tracks.map { track in
      unsafe source.stream(track.index).map { unsafe UInt32(truncatingIfNeeded: $0.pointee.id) }
        ?? 0
    }
  }

  /// Makes the movie.
  ///
  /// - Parameter progress: called after every packet that is read and, at the end, after every packet that
  ///   an encoder still returns, with the source's position in seconds.
  /// - Returns: notes for the user.
  /// - Throws: ``MovieMakingError``, ``AudioVideoError``, and the errors of `progress`.
  package func make(progress: (Double) throws -> Void) throws -> [String] {
    let packet = try Packet()
    var position = 0.0
    var totals = ReadTotals()
    while try source.readPacket(into: packet) {
      guard let stream = unsafe source.stream(packet.track) else { continue }
      let base = unsafe stream.pointee.time_base
      guard let track = tracks[packet.track] else {
        packet.shift(by: 0 &- av_rescale_q(joint ?? origin, .microseconds, base))
        totals.count(packet, base)
        try progress(position)
        continue
      }
      if let announced = packet.newConfiguration { configurations[packet.track] = announced }
      if joint == nil, entry?.admits(packet, base) == false { continue }
      // The result of a value out of range is the least number, which has no counterpart.
      packet.shift(by: 0 &- av_rescale_q(joint ?? origin, .microseconds, base))
      totals.count(packet, base)
      discontinuities?.correct(packet, base)
      if let joint {
        if entry?.admits(packet, base) == false { continue }
        packet.shift(by: av_rescale_q(joint &- origin, .microseconds, base))
      }
      if let time = packet.decodingTime ?? packet.time {
        position = max(position, base.seconds(time))
      }
      if unsafe isOmittedSubtitle(packet, of: stream) { continue }
      unsafe try eraseUserData(packet, of: stream)
      if let announced = configurations.removeValue(forKey: packet.track) {
        try packet.set(newConfiguration: announced)
      }
      try track.take(packet)
      totals.isEnough = tracks.values.allSatisfy(\.isComplete)
      if totals.isEnough { break }
      try progress(position)
    }
    // The duration of a source with joined times is unknown.
    if joint == nil {
      notes += try source.checkTotals(
        totals, of: Set(tracks.keys), from: origin, length: length)
    }
    for track in rendering.tracks {
      try tracks[track.index]?.finish { try progress(position) }
    }
    guard tracks.values.contains(where: { $0.count > 0 }) else { throw MovieMakingError.noAudio }
    try muxer.finish()
    if omittedCount > 0 {
      notes.append("Subtitles left out because they contain a location: \(omittedCount).")
    }
    return notes + tracks.sorted { $0.key < $1.key }.flatMap(\.value.notes)
  }

  private func isOmittedSubtitle(_ packet: Packet, of stream: UnsafeMutablePointer<AVStream>)
    -> Bool
  {
    guard let isOmitted, unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE,
      isOmitted(packet.bytes, .subtitle)
    else { return false }
    omittedCount += 1
    return true
  }
}

/// A text in a movie that may be left out.
package enum MovieText: Hashable {
  case subtitle, chapter
  /// By FFmpeg's name for it, such as `title`.
  case track(key: String)
}

extension MovieFile {
  /// Creates the object that processes a track's packets.
  ///
  /// - Parameter cut: where reading begins.
  fileprivate func work(
    on track: TrackRendering, threads: Int, to muxer: MovieMuxer, cut: MovieCut, keepsTimes: Bool,
    parameterSets: CodedParameterSets?, display: MasteringDisplay?, toneTable: ToneTable
  ) throws -> any TrackWork {
    let (origin, length) = (cut.origin, cut.length)
    guard let stream = unsafe stream(track.index) else {
      throw MovieMakingError.noSuchTrack(track.index)
    }
    switch track.work {
    case .copy:
      return unsafe try TrackCopy(
        stream, to: muxer, length: length, isCutAtStart: cut.isCutAtStart, keepsTimes: keepsTimes,
        parameterSets: parameterSets)
    case .encodeVideo(let encoding):
      return unsafe try transcoding(
        stream, encoding, to: muxer, threads: threads, origin: origin, length: length,
        keepsTimes: keepsTimes, display: display, toneTable: toneTable)
    case .encodeAudio(let encoding):
      return unsafe try transcoding(
        stream, encoding, to: muxer, origin: origin, length: length, keepsTimes: keepsTimes)
    case .encodeSubtitles:
      return unsafe try SubtitleTranscoding(stream, to: muxer, length: length)
    }
  }

  /// Reads the next packet, which replaces the last one.
  ///
  /// - Returns: false at the end.
  func readPacket(into packet: Packet) throws(MovieMakingError) -> Bool {
    unsafe av_packet_unref(packet.pointer)
    return try doing("read the source") { () throws(AudioVideoError) in
      while true {
        let result = try ReceiveResult(code: unsafe av_read_frame(context, packet.pointer))
        // After a read error libavformat continues as if nothing had happened, or reports the end.
        if input.hasFailed { throw AudioVideoError(code: shoebox_averror(EIO)) }
        switch result {
        case .item:
          setDuration(of: packet)
          addPauses(to: packet)
          return true
        case .again: continue
        case .end: return false
        }
      }
    }
  }

  /// Makes the demuxer skip all other tracks.
  func readOnly(_ indexes: Set<Int>) {
    for index in 0..<streamCount where !indexes.contains(index) {
      unsafe stream(index)?.pointee.discard = AVDISCARD_ALL
    }
  }
}
