import LibExif
package import MediaFormats
package import MediaModel

/// The result of reading a picture, in the form that all formats share, from which the facts are made.
package struct PictureReading {
  /// As stored, before orientation.
  package var size: PixelSize?
  /// Whether ``size`` is the size after orientation, which the format itself records.
  package var isUpright = false
  /// The TIFF block of EXIF.
  package var exif: [UInt8]?
  package var xmp: XMPPacket?
  /// IPTC-IIM datasets.
  var iptc: [UInt8]?
  /// PNG's text chunks by keyword.
  var texts: [(keyword: String, text: String)] = []
  // Values of formats without EXIF, used if there is no EXIF.
  var camera = Camera()
  var exposure = Exposure()
  var orientation: Orientation?
  var captureTime: CaptureTime?
  var location: Location?
  /// Seconds, of an animation.
  var duration: Double?
  /// Milliseconds since 1970 UTC, from Samsung's trailer.
  var samsungUTC: Int64?
  var embeddedClip: EmbeddedClip?
  package var clues: [Clue] = []
  package var warnings: [String] = []

  /// - Parameter isUpright: see ``isUpright``.
  package init(size: PixelSize? = nil, isUpright: Bool = false) {
    self.size = size
    self.isUpright = isUpright
  }
}

extension PictureReading {
  /// The facts of a picture of this type and name.
  package func facts(type: UniformType, name: [UInt8]) -> MediaFacts {
    let block = exif.flatMap { ExifBlock(tiff: $0) }
    let apple = block?.makerNote.flatMap { AppleMakerNote($0) }
    let note = exif.flatMap { MakerNote(exif: $0) }
    let iptc = iptc.flatMap { IPTCRecords($0) }
    var facts = MediaFacts(mediaType: .image, uniformType: type)
    // A TIFF's EXIF is that of its first directory, which may be a thumbnail.
    let ofPage = type == .tiff ? orientation : nil
    facts.orientation = ofPage ?? block?.orientation ?? orientation ?? xmp?.orientation
    facts.pixelSize = size.map { size in
      isUpright ? size : (facts.orientation ?? .up).upright(size)
    }
    facts.duration = duration
    let time = dates(block, note, iptc).captureTime() ?? captureTime
    facts.captureTime =
      time.map { $0.checked(xmp) } ?? FileNameTime.captureTime(name: name)
    facts.location = block?.location ?? xmp?.location ?? location
    facts.camera = mergedCamera(block, note)
    facts.exposure = Exposure(block, note, xmp, exposure)
    describe(&facts, block, iptc)
    facts.contentIdentifier = apple?.contentIdentifier
    facts.burstIdentifier = apple?.burstIdentifier ?? xmp?.value(XMPNamespace.camera, "BurstID")
    facts.embeddedClip = embeddedClip
    facts.clues = clues + Clue.list(block, apple) + (xmp.map(Clue.list) ?? []) + textClues
    facts.warnings = warnings
    return facts
  }

  private func dates(
    _ block: ExifBlock?, _ note: MakerNote?, _ iptc: IPTCRecords?
  ) -> StillDates {
    var dates = StillDates(block, xmp, iptc, texts)
    dates.samsungUTC = samsungUTC
    dates.clock = note?.clock
    return dates
  }

  private func mergedCamera(_ block: ExifBlock?, _ note: MakerNote?) -> Camera {
    let fromXMP = xmp?.camera
    return Camera(
      make: block?.make ?? fromXMP?.make ?? camera.make,
      model: block?.model ?? fromXMP?.model ?? camera.model,
      lens: block?.lensModel ?? fromXMP?.lens ?? note?.lens ?? camera.lens,
      software: block?.software ?? fromXMP?.software)
  }

  /// Title, caption, keywords, people and rating, from the block that users' programs write last.
  private func describe(_ facts: inout MediaFacts, _ block: ExifBlock?, _ iptc: IPTCRecords?) {
    facts.title = xmp?.title ?? iptc?.title ?? block?.xpTitle ?? text("Title")
    // Other programs copy a camera's default text, so it may be in any block.
    let captions = [
      xmp?.caption, iptc?.caption, block?.imageDescription, block?.xpComment, text("Description"),
    ]
    facts.caption = captions.lazy.compactMap(\.self).first {
      !CameraBoilerplate.matches($0, make: facts.camera.make)
    }
    facts.rating = xmp?.rating ?? block?.rating
    facts.people = xmp?.people ?? []
    facts.isFavorite = xmp?.isFavorite ?? false
    (facts.label, facts.pick) = (xmp?.label, xmp?.pick)
    facts.keywordPaths = xmp?.keywordPaths ?? []
    var seen: Set<String> = []
    facts.keywords = ((xmp?.keywords ?? []) + (iptc?.keywords ?? []) + (block?.xpKeywords ?? []))
      .filter { seen.insert($0).inserted }
  }

  /// A text chunk of a PNG by its keyword (PNG specification, third edition, §11.3.3.1).
  private func text(_ keyword: String) -> String? {
    texts.lazy.filter { $0.keyword == keyword }.compactMap { $0.text.trimmingBlanks }.first
  }

  private var textClues: [Clue] {
    texts.compactMap { $0.keyword == "Software" ? Clue(.pngSoftware, $0.text) : nil }
  }
}

extension StillDates {
  /// Collects the dates in a picture's metadata blocks.
  init(
    _ block: ExifBlock?, _ xmp: XMPPacket?, _ iptc: IPTCRecords?,
    _ texts: [(keyword: String, text: String)]
  ) {
    if let block {
      original = ExifDate(
        date: block.dateTimeOriginal, subSeconds: block.subSecTimeOriginal,
        offset: block.offsetTimeOriginal)
      digitized = ExifDate(
        date: block.dateTimeDigitized, subSeconds: block.subSecTimeDigitized,
        offset: block.offsetTimeDigitized)
      modified = ExifDate(
        date: block.dateTime, subSeconds: block.subSecTime, offset: block.offsetTime)
      gpsDate = block.gpsDateStamp
      gpsTimeOfDay = block.gpsTimeOfDay
      longitude = block.location?.longitude
    }
    self.xmp = xmp?.dates ?? []
    pngCreationTime = texts.first { $0.keyword == "Creation Time" }?.text
    iptcDate = iptc?.texts(55).first
    iptcTime = iptc?.texts(60).first
  }
}

extension XMPPacket {
  /// The dates that may be the capture time, the most reliable first, with their names in
  /// ``CaptureTime/source``.
  var dates: [(name: String, text: String)] {
    [
      ("DateTimeOriginal", XMPNamespace.exif), ("DateCreated", XMPNamespace.photoshop),
      ("CreateDate", XMPNamespace.xmp), ("DateTimeDigitized", XMPNamespace.exif),
    ].compactMap { name, namespace in value(namespace, name).map { (name, $0) } }
  }
}
