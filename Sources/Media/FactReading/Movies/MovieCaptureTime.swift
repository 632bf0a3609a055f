import MediaModel

/// A movie's tags for when it was taken, as written: the input of the rule below.
struct MovieDates {
  /// `com.apple.quicktime.creationdate`, ISO 8601 with an offset.
  var appleCreationDate: String?
  /// A camera maker's own date, with an offset too.
  var cameraCreationDate: String?
  /// The EXIF date, from cameras that put EXIF into movies.
  var exif: CaptureTime?
  /// A camera maker's own date in local time.
  var localDate: String?
  /// An AVI's date, in the camera's own form.
  var recordingDate: String?
  /// `©day` of iTunes or user data, often a year only.
  var contentCreateDate: String?
  /// Matroska's `DATE_RECORDED` and `DATE_DIGITIZED`, with exiftool's names of them.
  var matroska: [(name: String, text: String)] = []
  /// The container's own creation time as FFmpeg prints it, `2018-01-05T23:02:37.000000Z`.
  var containerCreationTime: String?
  /// The container time's name for ``CaptureTime/source``: `quicktime:mvhd` …
  var containerSource = "container:creation_time"
  /// Whether the container's time is UTC, as most specifications require. It is local time in AVI and from
  /// cameras whose clock has no time zone.
  var isContainerTimeUTC = true
  /// `com.samsung.android.utc_offset`, such as `+0200`.
  var samsungOffset: String?
  /// The date that an AVCHD camcorder wrote into the video stream.
  var camcorder: CaptureTime?
  /// XMP's dates, as in ``StillDates``.
  var xmp: [(name: String, text: String)] = []
}

extension MovieDates {
  /// When the movie was taken: by the maker's own tag with its offset, then the user data, then the
  /// container's header, which has UTC but no offset, and last XMP, which editors write.
  func captureTime() -> CaptureTime? {
    if let date = appleCreationDate.flatMap(DateText.init(_:)), date.hasTime {
      return date.captureTime("quicktime:creationdate")
    }
    if let date = cameraCreationDate.flatMap(DateText.init(_:)), date.hasTime {
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
    for (name, text) in matroska {
      if let date = DateText(text), date.hasTime { return date.captureTime("matroska:" + name) }
    }
    if let time = camcorder ?? containerTime() { return time }
    for (name, text) in xmp {
      if let date = DateText(text), date.hasTime { return date.captureTime("xmp:" + name) }
    }
    return nil
  }

  private func containerTime() -> CaptureTime? {
    // FFmpeg omits a header time of 0, and reads one below 2,082,844,800 as seconds since 1970, which
    // such writers mean. The first second of 1970 means that the time is unknown.
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
  /// The time in a QuickTime or ISO base media header: UTC in seconds since 1904, which is 2,082,844,800 s
  /// before 1970. A smaller number is taken for seconds since 1970. Nil for an impossible time.
  init?(macSeconds: UInt64, source: String) {
    let from1904To1970: UInt64 = 2_082_844_800
    let seconds = macSeconds >= from1904To1970 ? macSeconds - from1904To1970 : macSeconds
    guard let wallSeconds = Int64(exactly: seconds) else { return nil }
    self.init(wallSeconds: wallSeconds, offsetMinutes: 0, source: source)
  }
}
