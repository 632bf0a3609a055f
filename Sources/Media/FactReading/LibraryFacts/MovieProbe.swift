package import ByteReading
package import FFmpeg
import LibExif
package import MediaFormats
package import MediaModel
package import WorkerProtocol

/// A video's container, read by FFmpeg and, for QuickTime and MP4, also by our own reader.
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
  var warnings: [String] = []

  /// Opens a video with one demuxer. If FFmpeg refuses a QuickTime or MP4 file whose boxes can be read, the
  /// boxes alone are used, with a warning.
  package init(_ demuxer: Demuxer, _ source: any ByteSource) throws(ProbeFailure) {
    if demuxer == .quickTime { boxes = try? ISOMovie(source) }
    do throws(AudioVideoError) {
      let file = try MovieFile(demuxer, size: source.count, read: source.bytes(at:count:))
      movie = file.movie()
    } catch {
      guard let boxes, !boxes.tracks.isEmpty else { throw ProbeFailure(error) }
      movie = Movie(boxes)
      warnings.append("The video's streams cannot be opened; only its description was read.")
    }
    warnings += boxes?.warnings ?? []
    if demuxer == .quickTime { samsung = try? SamsungTrailer(source) }
    if demuxer == .mpegTransportStream {
      recording = try? AVCHDRecording(source)
    }
    if demuxer == .avi { recordingDate = (try? aviRecordingDate(in: source)).flatMap(\.self) }
    let canon = boxes?.canonRaw.flatMap { try? CompactExif.block(of: $0) }.flatMap(\.self)
    exif = (canon ?? boxes?.camera.exif).flatMap { ExifBlock(tiff: $0) }
    if let range = boxes?.xmp, let bytes = try? source.bytes(in: range, limit: 4 << 20) {
      xmp = XMPPacket(bytes)
    }
  }
}

extension Movie {
  /// A QuickTime or MP4 file's tracks by its boxes, without FFmpeg.
  init(_ boxes: ISOMovie) {
    let streams = boxes.tracks.map { track in
      var stream = MovieStream(
        kind: track.handler == "vide" ? .video : track.handler == "soun" ? .audio : .data)
      stream.tag = track.sampleEntries.first?.type.description
      guard stream.kind == .video else { return stream }
      if track.width > 0, track.height > 0 {
        stream.size = PixelSize(width: track.width, height: track.height)
      }
      stream.orientation = track.orientation
      stream.frameRate = track.rate
      return stream
    }
    self.init(duration: boxes.seconds, streams: streams, metadata: [])
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
    facts.captureTime = dates(type).captureTime() ?? FileNameTime.captureTime(name: name)
    facts.location =
      text("com.apple.quicktime.location.ISO6709", "location", "\u{A9}xyz")
      .flatMap(Location.init(iso6709:)) ?? exif?.location ?? xmp?.location
    facts.camera = Camera(
      make: text("com.apple.quicktime.make", "com.android.manufacturer", "\u{A9}mak", "make")
        ?? boxes?.camera.make ?? exif?.make,
      model: text("com.apple.quicktime.model", "com.android.model", "\u{A9}mod", "model")
        ?? boxes?.camera.model ?? exif?.model,
      lens: text("com.apple.quicktime.camera.lens_model")
        ?? trackText("com.apple.quicktime.camera.lens_model") ?? exif?.lensModel,
      software: text("com.apple.quicktime.software", "\u{A9}swr", "software") ?? exif?.software)
    describe(&facts)
    facts.contentIdentifier = text("com.apple.quicktime.content.identifier")
    facts.clues = clues
    facts.warnings = warnings
    return facts
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
    facts.rating =
      text("com.apple.quicktime.rating.user").flatMap { Double($0) }
      .flatMap { (0...5).contains($0) ? Int($0) : nil } ?? xmp?.rating
  }

  /// The first of these keys with a value: from user data, which the camera writes, then from the item list,
  /// which tagging programs write, then from FFmpeg. Our own reader comes before FFmpeg because it reads all
  /// kinds of values.
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
