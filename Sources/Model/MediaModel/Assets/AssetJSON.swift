extension JSONWriter {
  /// Writes one asset as a JSON object. Keys without a value are left out.
  ///
  /// - Parameter more: writes further members after the asset's own.
  package mutating func value(_ asset: AssetRecord, more: (inout JSONWriter) -> Void = { _ in }) {
    object { writer in
      writer.identity(asset)
      writer.capture(asset)
      writer.camera(asset.camera)
      writer.exposure(asset.exposure)
      writer.video(asset.video)
      writer.kinds(asset)
      writer.member("title", asset.title)
      writer.member("description", asset.caption)
      writer.member("keywords", asset.keywords)
      writer.member("keywordPaths", asset.keywordPaths)
      writer.member("originalName", asset.originalName)
      writer.member("album", asset.albumTitle)
      writer.member("albums", asset.albums)
      writer.member("people", asset.people)
      writer.member("rating", asset.rating)
      if asset.isFavorite { writer.member("isFavorite", true) }
      writer.member("label", asset.label)
      if asset.pick != .none { writer.member("pick", asset.pick.word) }
      writer.member("status", asset.status.rawValue)
      writer.member("error", asset.error)
      writer.member("warnings", asset.warnings)
      writer.member("addedDate", milliseconds: asset.added)
      writer.resources(asset.resources)
      more(&writer)
    }
  }

  /// A path as text; one that is not UTF-8 also as the very bytes, in base64.
  package mutating func member(_ name: String, path: BytePath) {
    key(name)
    if valuePlain(path.bytes.span) { return }
    if let text = path.text {
      value(text)
    } else {
      value(path.display)
      member("\(name)Bytes", path.bytes.base64)
    }
  }

  /// An instant, as ``instant(milliseconds:)`` writes it.
  package mutating func member(_ name: String, milliseconds: Int64?) {
    guard let milliseconds else { return }
    key(name)
    value(CivilTime(millisecondsSince1970: milliseconds))
  }

  /// Milliseconds since 1970 UTC as `2022-02-16T12:56:03Z`, rounded down, before 1970 too.
  package static func instant(milliseconds: Int64) -> String {
    CivilTime(millisecondsSince1970: milliseconds).iso8601 + "Z"
  }

  private mutating func identity(_ asset: AssetRecord) {
    member("id", asset.identifier)
    member("mediaType", asset.mediaType.name)
    member("subtypes", asset.subtypes.isEmpty ? [] : asset.subtypes.names)
    member("uniformType", asset.uniformType.rawValue)
    member("declaredType", asset.declaredType?.rawValue)
    member("path", path: asset.path)
    member("size", asset.size)
    member("modifiedDate", milliseconds: asset.modified / 1_000_000)
    member("pixelWidth", asset.pixelSize?.width)
    member("pixelHeight", asset.pixelSize?.height)
    member("orientation", asset.orientation)
    member("duration", asset.duration)
  }

  private mutating func capture(_ asset: AssetRecord) {
    member("captureDate", asset.captureDate)
    member("captureDateSource", asset.captureSource)
    member("timeZoneEvidence", asset.timeZoneEvidence)
    guard let location = asset.location else { return }
    key("location")
    object { writer in
      writer.member("latitude", location.latitude)
      writer.member("longitude", location.longitude)
      writer.member("altitude", location.altitude)
    }
  }

  private mutating func camera(_ camera: Camera) {
    guard !camera.isEmpty else { return }
    key("camera")
    object { writer in
      writer.member("make", camera.make)
      writer.member("model", camera.model)
      writer.member("lens", camera.lens)
      writer.member("software", camera.software)
    }
  }

  private mutating func exposure(_ exposure: Exposure) {
    guard !exposure.isEmpty else { return }
    key("exposure")
    object { writer in
      writer.member("time", exposure.time)
      writer.member("fNumber", exposure.fNumber)
      writer.member("iso", exposure.iso)
      writer.member("focalLength", exposure.focalLength)
      writer.member("focalLengthIn35mm", exposure.focalLengthIn35mm)
    }
  }

  private mutating func video(_ video: VideoProperties) {
    guard video != VideoProperties() else { return }
    key("video")
    object { writer in
      writer.member("codec", video.codec)
      writer.member("frameRate", video.frameRate)
      writer.member("dynamicRange", video.dynamicRange?.rawValue)
      writer.member("audioCodec", video.audioCodec)
    }
  }

  /// What the asset is beyond its media type.
  private mutating func kinds(_ asset: AssetRecord) {
    if let clip = asset.resources.first(where: { $0.type == .pairedVideo }) {
      let pair = clip.range == nil ? asset.label(.livePhoto) : nil
      key("livePhoto")
      object { writer in
        writer.member("contentIdentifier", asset.contentIdentifier)
        writer.member("evidence", pair?.evidence.first ?? asset.clipEvidence)
        writer.member("confidence", pair?.score.map { Double($0) / 100 })
        if clip.range == nil { writer.member("motionPath", path: clip.path) }
        if asset.editedVersionWithoutClip != nil { writer.member("isMotionUnedited", true) }
      }
    }
    if let screenshot = asset.label(.screenshot) {
      key("screenshot")
      object { writer in
        writer.member("score", screenshot.score)
        writer.member("evidence", screenshot.evidence)
      }
    }
    member("burstIdentifier", asset.burstIdentifier)
    if asset.isDuplicate { member("isDuplicate", true) }
    member("duplicateSet", asset.duplicateSet)
    copies(asset.copies)
    member("adjustments", asset.adjustments)
    evidence("labels", "evidence", asset.labels.filter { $0.isGiven && !$0.hasOwnMember })
    evidence("nearMisses", "reason", asset.labels.filter { !$0.isGiven })
  }

  /// A list of labels with their evidence under `why`; left out if it is empty.
  private mutating func evidence(_ name: String, _ why: String, _ labels: [Label]) {
    guard !labels.isEmpty else { return }
    key(name)
    array { writer in
      for label in labels {
        writer.object { writer in
          writer.member("subtype", label.subtype.name)
          writer.member("score", label.score)
          writer.member(why, label.evidence)
        }
      }
    }
  }

  private mutating func copies(_ paths: [BytePath]) {
    guard !paths.isEmpty else { return }
    key("duplicates")
    array { writer in
      for path in paths { writer.object { $0.member("path", path: path) } }
    }
  }

  private mutating func resources(_ resources: [ResourceRecord]) {
    guard !resources.isEmpty else { return }
    key("resources")
    array { writer in
      for resource in resources {
        writer.object { writer in
          writer.member("type", resource.type.rawValue)
          writer.member("path", path: resource.path)
          writer.member("uniformType", resource.uniformType.rawValue)
          writer.member("size", resource.size)
          writer.member("offset", resource.range?.offset)
          writer.member("length", resource.range?.length)
        }
      }
    }
  }
}

extension Label {
  /// Whether JSON has a member for this kind alone.
  fileprivate var hasOwnMember: Bool { subtype == .livePhoto || subtype == .screenshot }
}
