package import ByteReading
package import MediaModel

extension ISOMovie {
  /// The streams and tags as FFmpeg's QuickTime demuxer reports them, with FFmpeg's names.
  ///
  /// - Parameter source: the same file; read only for a movie in fragments.
  package func movie(in source: any ByteSource) throws -> Movie {
    let times = isFragmented ? try fragmentTimes(in: source) : nil
    let chapters = Set(tracks.flatMap(\.chapterTracks))
    let streams = tracks.map { track in
      var stream = track.stream(times?[track.id], movieTimescale: timescale)
      let turn = composed(track.matrix, with: matrix)
      stream.orientation = turn == Self.identity ? nil : turn.flatMap(orientation)
      // Pictures of chapters.
      stream.isAttachedPicture = stream.kind == .video && chapters.contains(track.id)
      return stream
    }
    // The header of a movie in fragments records the duration of its own samples only.
    let whole = isFragmented ? nil : seconds.map { ($0 * 1_000_000).rounded() / 1_000_000 }
    return Movie(
      duration: whole ?? streams.compactMap(\.duration).max(), streams: streams,
      metadata: containerTags)
  }

  private func fragmentTimes(
    in source: any ByteSource
  ) throws -> [UInt32: ISOFragmentTimes.Track] {
    let top = try source.boxes(in: 0..<source.count, limit: Self.maximumFragments)
    let timescales = Dictionary(
      tracks.map { ($0.id, $0.timescale) }, uniquingKeysWith: { first, _ in first })
    return try ISOFragmentTimes(
      top, timescales: timescales, defaults: defaultDurations, source
    ).tracks
  }

  /// The number of boxes at the top level that are read: those of four hours in fragments of one second.
  private static let maximumFragments = 1 << 15

  private static let identity: [Int32] = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]

  private func orientation(_ matrix: [Int32]) -> Orientation? {
    Orientation(a: matrix[0], b: matrix[1], c: matrix[3], d: matrix[4])
  }

  /// A track's matrix followed by the movie's (ISO/IEC 14496-12 §6.2.2); nil if the track has none.
  private func composed(_ track: [Int32], with movie: [Int32]) -> [Int32]? {
    guard track.count == 9 else { return nil }
    guard movie.count == 9, movie != Self.identity else { return track }
    // The third column has 30 fractional bits, the others have 16.
    return (0..<9).map { index in
      let (row, column) = (index / 3 * 3, index % 3)
      let sum = (0..<3).reduce(Int64(0)) { sum, step in
        sum &+ (Int64(track[row + step]) * Int64(movie[step * 3 + column])) >> (step == 2 ? 30 : 16)
      }
      return Int32(truncatingIfNeeded: sum)
    }
  }
}

extension ISOMovie {
  /// Whether only the coded pictures of a video record the shape of a pixel.
  package var hasOpenPixelAspect: Bool { tracks.contains(where: \.hasOpenPixelAspect) }
}

extension ISOTrack {
  /// - Parameters:
  ///   - fragments: the track's samples in fragments.
  ///   - movieTimescale: the unit of edit durations.
  fileprivate func stream(
    _ fragments: ISOFragmentTimes.Track?, movieTimescale: UInt32
  ) -> MovieStream {
    let entry = sampleEntries.first
    var stream = MovieStream(kind: kind)
    stream.codec = entry?.codec
    stream.tag = entry.flatMap { $0.type.isPlausible ? $0.type.description : nil }
    stream.duration = seconds(fragments, movieTimescale)
    guard stream.kind == .video, let entry else { return stream }
    stream.size = entry.codedSize ?? entry.parameters?.size
    stream.pixelAspect = pixelAspect(of: entry)
    stream.frameRate = frameRate(fragments) ?? entry.parameters?.frameRate
    stream.dynamicRange = entry.dynamicRange
    return stream
  }

  private var kind: MovieStream.Kind {
    switch handler {
    case "vide", "pict", "auxv": .video
    case "soun": .audio
    case "sbtl", "subt", "subp", "clcp", "text": .subtitle
    default: .data
    }
  }

  /// Whether only the coded pictures record the shape of a pixel: not the header, and no codec configuration.
  fileprivate var hasOpenPixelAspect: Bool {
    guard kind == .video, let entry = sampleEntries.first, entry.parameters == nil,
      VideoParameters.hasPixelAspect(codec: entry.codec)
    else { return false }
    return stretch == nil && entry.pixelAspect == nil && presentedAspect(of: entry) == nil
  }

  /// Width over height of one pixel: by the matrix if it stretches, else by `pasp`, else by the presented size, else by
  /// the codec's configuration. Nil for square pixels.
  private func pixelAspect(of entry: ISOSampleEntry) -> Double? {
    let found =
      stretch ?? entry.pixelAspect ?? presentedAspect(of: entry) ?? entry.parameters?.pixelAspect
    return found == 1 ? nil : found
  }

  /// How much more the matrix stretches the width than the height; nil if less than one percent.
  private var stretch: Double? {
    guard matrix.count == 9, width > 0, height > 0 else { return nil }
    func length(_ index: Int) -> Double {
      let (a, b) = (Double(matrix[index]), Double(matrix[index + 3]))
      return (a * a + b * b).squareRoot()
    }
    let (x, y) = (length(0), length(1))
    let limits = 1.0..<Double(1 << 24)
    guard limits.contains(x), limits.contains(y), abs(x / y - 1) > 0.01 else { return nil }
    return x / y
  }

  private func presentedAspect(of entry: ISOSampleEntry) -> Double? {
    guard let coded = entry.codedSize, width > 0, height > 0,
      coded != PixelSize(width: width, height: height)
    else { return nil }
    return Double(coded.height * width) / Double(coded.width * height)
  }

  /// The average: the number of samples over their duration.
  private func frameRate(_ fragments: ISOFragmentTimes.Track?) -> Double? {
    let count = timedSampleCount &+ (fragments?.sampleCount ?? 0)
    let total = (sampleDuration ?? 0) &+ (fragments?.sampleDuration ?? 0)
    guard count > 0, total > 0, timescale > 0 else { return nil }
    return Double(count) * Double(timescale) / Double(total)
  }

  /// The shortest of the header's duration, the samples' and the edits', or the end of the last fragment.
  private func seconds(
    _ fragments: ISOFragmentTimes.Track?, _ movieTimescale: UInt32
  ) -> Double? {
    guard timescale > 0 else { return nil }
    var length = duration
    if let sampleDuration, sampleDuration > 0 { length = min(length, sampleDuration) }
    var seconds = Double(length) / Double(timescale)
    if let fragments {
      seconds = max(seconds, Double(fragments.end) / Double(timescale))
    } else if !edits.isEmpty, movieTimescale > 0, sampleCount > 0 {
      let edited = edits.reduce(0.0) { $0 + Double($1.duration) }
      seconds = min(seconds, edited / Double(movieTimescale))
    }
    return seconds > 0 ? seconds : nil
  }
}

extension ISOSampleEntry {
  /// Nil if it is recorded only in the samples.
  fileprivate var dynamicRange: DynamicRange? {
    if isDolbyVision { return .dolbyVision }
    return DynamicRange(codec: codec, container: transfer, parameters)
  }
}

// Tags.

extension ISOMovie {
  /// FFmpeg's names of QuickTime's and iTunes' tags.
  private static let names: [FourCC: String] = [
    "\u{A9}nam": "title", "\u{A9}ART": "artist", "\u{A9}aut": "artist", "\u{A9}alb": "album",
    "\u{A9}cmt": "comment", "\u{A9}inf": "comment", "\u{A9}com": "composer",
    "\u{A9}wrt": "composer",
    "\u{A9}cpy": "copyright", "\u{A9}day": "date", "\u{A9}dir": "director", "\u{A9}gen": "genre",
    "\u{A9}mak": "make", "\u{A9}mod": "model", "\u{A9}prd": "producer", "\u{A9}PRD": "producer",
    "\u{A9}swr": "encoder", "\u{A9}too": "encoder", "\u{A9}enc": "encoder", "\u{A9}grp": "grouping",
    "\u{A9}xyz": "location", "\u{A9}lyr": "lyrics", "\u{A9}url": "URL",
    "\u{A9}src": "original_source",
    "aART": "album_artist", "cprt": "copyright", "desc": "description", "ldes": "synopsis",
    "keyw": "keywords", "catg": "category", "manu": "make", "modl": "model",
  ]

  private var containerTags: [MetadataEntry] {
    var entries: [MetadataEntry] = []
    if let brands {
      entries.append(MetadataEntry(key: "major_brand", value: brands.major.description))
      entries.append(
        MetadataEntry(
          key: "compatible_brands", value: brands.compatible.map(\.description).joined()))
    }
    if let time = creationTimeText {
      entries.append(MetadataEntry(key: "creation_time", value: time))
    }
    for item in items {
      let isCode = item.key.unicodeScalars.count == 4
      let key = isCode ? Self.names[FourCC(stringLiteral: item.key)] : item.key
      guard let key, let value = item.value.text else { continue }
      // A later item replaces an earlier one, as in FFmpeg.
      entries.removeAll { $0.key == key }
      entries.append(MetadataEntry(key: key, value: value))
    }
    return entries
  }

  /// The creation time in UTC, such as `2018-01-05T23:02:37.000000Z`. A number before 1970 counts from 1970.
  private var creationTimeText: String? {
    guard let creationTime, let seconds = Int64(exactly: creationTime), seconds < 1 << 40
    else { return nil }
    let from1904To1970: Int64 = 2_082_844_800
    let time = CivilTime(
      secondsSince1970: seconds >= from1904To1970 ? seconds - from1904To1970 : seconds)
    return time.iso8601 + ".000000Z"
  }
}
