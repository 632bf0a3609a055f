import MediaModel

/// What a movie's tags tell about when it was taken, as written: the input of the rule below.
struct MovieDates {
  /// `com.apple.quicktime.creationdate`, ISO 8601 with a zone.
  var appleCreationDate: String?
  /// A camera maker's own, with a zone as well.
  var makerCreationDate: String?
  /// EXIF's, of cameras that put it into their movies.
  var exif: CaptureTime?
  /// A camera maker's own of the camera's clock.
  var localDate: String?
  /// An AVI's, in the camera's own form.
  var recordingDate: String?
  /// `©day` of iTunes or user data, often a year alone.
  var contentCreateDate: String?
  /// The container's own creation time as FFmpeg prints it, `2018-01-05T23:02:37.000000Z`.
  var containerCreationTime: String?
  /// What the container's time is called in ``CaptureTime/source``: `quicktime:mvhd` …
  var containerSource = "container:creation_time"
  /// Whether the container's time is UTC by its specification; AVI's is local, and so is what cameras
  /// write whose clock knows no zone.
  var isContainerTimeUTC = true
  /// `com.samsung.android.utc_offset`, as `+0200`.
  var samsungOffset: String?
  /// What an AVCHD camcorder wrote into the video itself.
  var camcorder: CaptureTime?
  /// XMP's dates as in ``StillDates``.
  var xmp: [(name: String, text: String)] = []
}

extension MovieDates {
  /// When the movie was taken: the maker's own tag with its zone, then the user data's, then the
  /// container's header, which tells UTC and not the zone, and last XMP, which editors write.
  func captureTime() -> CaptureTime? {
    if let date = appleCreationDate.flatMap(DateText.init(_:)), date.hasTime {
      return date.captureTime("quicktime:creationdate")
    }
    if let date = makerCreationDate.flatMap(DateText.init(_:)), date.hasTime {
      return date.captureTime("xml:CreationDate")
    }
    if let exif { return exif }
    if let date = localDate.flatMap(DateText.init(_:)), date.hasTime {
      return date.captureTime("quicktime:DateTimeOriginal")
    }
    if let date = contentCreateDate.flatMap(DateText.init(_:)), date.hasTime {
      return date.captureTime("quicktime:ContentCreateDate")
    }
    if let date = recordingDate.flatMap(DateText.init(avi:)) {
      return date.captureTime("riff:DateTimeOriginal")
    }
    if let time = camcorder ?? containerTime() { return time }
    for (name, text) in xmp {
      if let date = DateText(text), date.hasTime { return date.captureTime("xmp:" + name) }
    }
    return nil
  }

  private func containerTime() -> CaptureTime? {
    // FFmpeg leaves a header of 0 out and reads one below 2,082,844,800 as seconds since 1970, which
    // such writers mean. The first second of 1970 is nobody's.
    guard var date = containerCreationTime.flatMap(DateText.init(_:)),
      date.time.secondsSince1970 != 0
    else { return nil }
    if date.fraction.allSatisfy({ $0 == "0" }) { date.fraction = "" }
    date.offsetMinutes = isContainerTimeUTC ? 0 : nil
    let time = date.captureTime(containerSource)
    guard let offset = samsungOffset.flatMap({ DateText.offset($0) }) else { return time }
    return time.moved(toOffsetMinutes: offset, from: "utc_offset") ?? time
  }
}

extension CaptureTime {
  /// The time in a QuickTime or ISO base media header: UTC in seconds since 1904, which is 2,082,844,800
  /// before 1970. Writers of smaller numbers mean seconds since 1970. Nil for what is no time.
  init?(macSeconds: UInt64, source: String) {
    let from1904To1970: UInt64 = 2_082_844_800
    let seconds = macSeconds >= from1904To1970 ? macSeconds - from1904To1970 : macSeconds
    guard let wallSeconds = Int64(exactly: seconds) else { return nil }
    self.init(wallSeconds: wallSeconds, offsetMinutes: 0, source: source)
  }
}
