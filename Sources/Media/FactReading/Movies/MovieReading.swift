package import ByteReading
import LibExif
package import MediaFormats
package import MediaModel

/// A video's container: its streams and tags, and what only the reader of its format finds.
package struct MovieReading {
  package var movie: Movie
  package var boxes: ISOMovie?
  var xmp: XMPPacket?
  var recording: AVCHDRecording?
  /// Samsung's trailer, which its videos have in their last box, `sefd`.
  var samsung: SamsungTrailer?
  /// EXIF that a camera put into the movie.
  var exif: ExifBlock?
  /// An AVI's recording date, as written.
  var recordingDate: String?
  package var warnings: [String] = []

  /// Reads a video of a type that was recognised by content.
  ///
  /// - Throws: ``NeedsCodec``; `ContainerError`; the errors of the source.
  package init(_ type: UniformType, _ source: any ByteSource) throws {
    guard let format = type.format as? any MovieFormat.Type else { throw NeedsCodec() }
    let boxes = format == ISOMovieFormat.self ? try? ISOMovie(source) : nil
    self.init(type, try format.movie(in: source, boxes), boxes, source)
  }

  /// Adds to the streams and tags of a movie what the reader of its format finds.
  ///
  /// - Parameter boxes: nil for a file of another format than QuickTime and MP4, or one whose boxes cannot be read.
  package init(
    _ type: UniformType, _ movie: Movie, _ boxes: ISOMovie?, _ source: any ByteSource
  ) {
    (self.movie, self.boxes) = (movie, boxes)
    warnings = boxes?.warnings ?? []
    let format = type.format
    if format == ISOMovieFormat.self { samsung = try? SamsungTrailer(source) }
    if format == MPEGTransportStreamFormat.self { recording = try? AVCHDRecording(source) }
    if format == AVIFormat.self {
      recordingDate = (try? aviRecordingDate(in: source)).flatMap(\.self)
    }
    let canon = boxes?.canonRaw.flatMap { try? CompactExif.block(of: $0) }.flatMap(\.self)
    exif = (canon ?? boxes?.camera.exif).flatMap { ExifBlock(tiff: $0) }
    if let range = boxes?.xmp, let bytes = try? source.bytes(in: range, limit: 4 << 20) {
      xmp = XMPPacket(bytes)
    }
  }

  /// Reads a video of a type that was recognised by content.
  ///
  /// - Parameter readers: used where our own readers do not suffice.
  /// - Throws: `ContainerError`; `ProbeFailure`; the errors of the source; ``NeedsCodec`` without `readers`.
  package static func read(
    _ type: UniformType, _ source: any ByteSource, readers: CodecReaders? = nil
  ) throws -> MovieReading {
    do {
      return try MovieReading(type, source)
    } catch let error as NeedsCodec {
      guard let readers else { throw error }
      return try readers.movie(type, source)
    }
  }
}

extension MovieReading {
  /// The facts of a video of this type and name; nil for a file with audio only.
  package func facts(type: UniformType, name: [UInt8]) -> MediaFacts? {
    guard let video = movie.mainVideo else { return nil }
    var facts = MediaFacts(mediaType: .video, uniformType: type)
    facts.orientation = video.orientation
    facts.pixelSize = video.displaySize.map { (video.orientation ?? .up).upright($0) }
    facts.duration = movie.duration
    facts.video = VideoProperties(
      codec: video.codec, frameRate: video.frameRate, dynamicRange: video.dynamicRange,
      audioCodec: movie.mainAudio?.codec)
    facts.location =
      text("com.apple.quicktime.location.ISO6709", "location", "\u{A9}xyz")
      .flatMap(Location.init(iso6709:)) ?? exif?.location ?? recording?.location ?? xmp?.location
    facts.captureTime = captureTime(dates(type), name: name, hasPlace: facts.location != nil)
      .map { $0.checked(xmp) }
    facts.camera = Camera(
      make: text("com.apple.quicktime.make", "com.android.manufacturer", "\u{A9}mak", "make")
        ?? boxes?.camera.make ?? exif?.make ?? recording?.make,
      model: text("com.apple.quicktime.model", "com.android.model", "\u{A9}mod", "model")
        ?? boxes?.camera.model ?? exif?.model ?? recording?.model,
      lens: text("com.apple.quicktime.camera.lens_model")
        ?? trackText("com.apple.quicktime.camera.lens_model") ?? exif?.lensModel
        ?? boxes?.camera.lens,
      software: text("com.apple.quicktime.software", "\u{A9}swr", "software") ?? exif?.software)
    facts.exposure = Exposure(
      exif, nil, xmp, recording?.exposure ?? boxes?.camera.exposure ?? Exposure())
    describe(&facts)
    facts.contentIdentifier = text("com.apple.quicktime.content.identifier")
    facts.clues = clues
    facts.warnings = warnings
    return facts
  }

  /// The time in the file, else in its name. A header that has UTC only gets its zone from a local time in the name.
  ///
  /// If the two are equal, the clock was on UTC, or the header has local time, as some drones write it. If the place is
  /// known, its zone decides, so the offset is left open.
  private func captureTime(_ dates: MovieDates, name: [UInt8], hasPlace: Bool) -> CaptureTime? {
    let named = FileNameTime.captureTime(name: name)
    guard let time = dates.captureTime() else { return named }
    guard let named, named.offsetMinutes == nil, time.source == dates.containerSource else {
      return time
    }
    let duration = movie.duration ?? 0
    if hasPlace,
      let local = time.withoutOffset(ofLocal: named.wallSeconds, duration: duration, from: "name")
    {
      return local
    }
    return time.inferringOffset(fromLocal: named.wallSeconds, duration: duration, from: "name")
      ?? time
  }

  private func describe(_ facts: inout MediaFacts) {
    facts.title = text("com.apple.quicktime.title", "\u{A9}nam", "title") ?? xmp?.title
    facts.caption =
      text("com.apple.quicktime.description", "\u{A9}des", "description", "comment")
      ?? xmp?.caption
    facts.keywords =
      text("com.apple.quicktime.keywords")?.split(separator: ",").compactMap {
        $0.trimmingBlanks
      } ?? xmp?.keywords ?? []
    facts.people = xmp?.people ?? []
    facts.isFavorite = xmp?.isFavorite ?? false
    (facts.label, facts.pick) = (xmp?.label, xmp?.pick)
    facts.keywordPaths = xmp?.keywordPaths ?? []
    facts.rating =
      text("com.apple.quicktime.rating.user").flatMap { Double($0) }
      .flatMap { (0...5).contains($0) ? Int($0) : nil } ?? xmp?.rating
  }

  /// The first of these keys with a value: from user data, which the camera writes, then from the item list,
  /// which tagging programs write, then from the container's tags, which FFmpeg may have read: it does not read
  /// all kinds of values.
  func text(_ keys: String...) -> String? {
    for key in keys {
      let item =
        boxes?.userData.first { $0.key == key }?.value ?? boxes?.value(key)
      if let text = item?.text?.trimmingBlanks { return text }
      if let text = movie.value(key)?.trimmingBlanks { return text }
    }
    return nil
  }

  /// A tag of the video track itself; iPhones name the lens there.
  private func trackText(_ key: String) -> String? {
    boxes?.tracks.first { $0.handler == "vide" }?.metadata.first { $0.key == key }?
      .value.text?.trimmingBlanks
  }

  private func dates(_ type: UniformType) -> MovieDates {
    var dates = MovieDates()
    dates.appleCreationDate = text("com.apple.quicktime.creationdate")
    dates.cameraCreationDate = boxes?.camera.creationDate
    dates.exif = StillDates(exif, nil, nil, []).captureTime()
    dates.localDate = boxes?.camera.localDate
    dates.recordingDate = recordingDate
    dates.contentCreateDate = text("\u{A9}day", "date")
    dates.matroska = [
      ("DateTimeOriginal", "DATE_RECORDED"), ("CreateDate", "DATE_DIGITIZED"),
    ].compactMap { name, key in text(key).map { (name, $0) } }
    dates.containerCreationTime = text("creation_time")
    dates.samsungOffset = text("com.samsung.android.utc_offset", "samsung.android.utc_offset")
    dates.camcorder = recording.map {
      CaptureTime($0.time, offsetMinutes: $0.offsetMinutes, source: "h264:DateTimeOriginal")
    }
    dates.xmp = xmp?.dates ?? []
    if let format = type.format as? any MovieFormat.Type {
      dates.containerSource = format.creationTimeSource
      dates.isContainerTimeUTC =
        format.isCreationTimeUTC && boxes?.camera.hasLocalClock != true && boxes?.canonRaw == nil
    }
    return dates
  }

  private var clues: [Clue] {
    var clues: [Clue] = []
    if boxes?.hasDisparityTrack == true { clues.append(Clue(.disparityTrack)) }
    if boxes?.isSpatial == true { clues.append(Clue(.stereoVideo)) }
    if let time = boxes?.stillImageTime { clues.append(Clue(.stillImageTime, String(time))) }
    let written: [(Clue.Key, String)] = [
      (.movieAuthor, "com.apple.quicktime.author"),
      (.fullFrameRateIntent, "com.apple.quicktime.full-frame-rate-playback-intent"),
      (.androidCaptureRate, "com.android.capture.fps"),
    ]
    clues += written.compactMap { clue, key in text(key).map { Clue(clue, $0) } }
    let tracks = boxes?.tracks.filter { $0.handler == "vide" } ?? []
    clues += samsung.map(Clue.list) ?? []
    if let rate = tracks.first?.rate { clues.append(Clue(.trackRate, String(rate))) }
    return clues
  }
}
