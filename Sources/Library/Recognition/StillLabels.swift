package import MediaModel

// Labels that a single picture's own clues decide. Without a clue there is no label: a guess is worse than
// none.

extension RecognitionSubject {
  var stillLabels: [Label] {
    var labels: [Label] = []
    if facts.uniformType.isRaw {
      labels.append(Label(.raw, isGiven: true, evidence: [facts.uniformType.rawValue]))
    }
    labels += [motionPhoto, ScreenshotScore(self).label, panorama, burst].compactMap { $0 }
    labels += [
      given(.depthEffect, by: depthEvidence), given(.hdr, by: hdrEvidence) ?? missingGainMap,
      given(.spatial, by: clue(.heifStereoPair) == nil ? [] : ["stereoPair"]),
    ].compactMap { $0 }
    return labels
  }

  func given(_ subtype: MediaSubtypes, by evidence: [String]) -> Label? {
    evidence.isEmpty ? nil : Label(subtype, isGiven: true, evidence: evidence)
  }

  /// A clip inside the file, or a marker that promises one.
  private var motionPhoto: Label? {
    if let clip = facts.embeddedClip {
      return Label(.motionPhoto, isGiven: true, evidence: [clip.evidence])
    }
    if let reason = clue(.missingClip) {
      return Label(.motionPhoto, isGiven: false, evidence: [reason])
    }
    guard GoogleCameraName(name)?.isMotionPhoto == true else { return nil }
    let flag = clue(.xmpMotionPhoto) ?? clue(.xmpMicroVideo)
    let reason =
      flag == "0" ? "named as one, but marked as none" : "named as one, but holds no clip"
    return Label(.motionPhoto, isGiven: false, evidence: [reason])
  }

  /// EXIF CustomRendered 6 (Apple), Google's GPano, Samsung's trailer.
  private var panorama: Label? {
    var evidence: [String] = []
    if clue(.exifCustomRendered) == "6" { evidence.append("customRendered:6") }
    if let projection = clue(.xmpProjectionType) {
      evidence.append("projection:\(projection)")
    } else if clue(.xmpFullPanoWidth) != nil {
      evidence.append("gpano")
    }
    evidence += samsungEvidence(of: .panorama)
    if GoogleCameraName(name)?.isPanorama == true, isTwiceAsLong { evidence.append("name+aspect") }
    // Who cut an ordinary picture out of a sphere says so with this.
    if evidence.count == 1, evidence[0].hasPrefix("projection:") || evidence[0] == "gpano",
      clue(.xmpUsePanoramaViewer)?.lowercased() == "false"
    {
      return Label(.panorama, isGiven: false, evidence: evidence + ["against:UsePanoramaViewer"])
    }
    return given(.panorama, by: evidence)
  }

  private var isTwiceAsLong: Bool {
    guard let size = facts.pixelSize else { return false }
    return max(size.width, size.height) >= 2 * min(size.width, size.height)
  }

  /// An identifier shared by the burst's pictures, or Samsung's trailer.
  private var burst: Label? {
    var evidence: [String] = []
    if facts.burstIdentifier != nil, !isGooglePortrait { evidence.append("burstIdentifier") }
    evidence += samsungEvidence(of: .burst)
    if BurstName(name) != nil { evidence.append("name") }
    return given(.burst, by: evidence)
  }

  private var depthEvidence: [String] {
    var evidence: [String] = []
    if clue(.heifDepth) != nil || hasDepthPicture { evidence.append("depthMap") }
    if clue(.xmpDepthMap) != nil { evidence.append("gdepth") }
    if clue(.xmpXiaomiDepth) != nil { evidence.append("xiaomiDepth") }
    if clue(.xmpDepthPhoto) != nil { evidence.append("dynamicDepth") }
    if clue(.appleImageCaptureType) == "2" { evidence.append("imageCaptureType:2") }
    if let rendered = clue(.exifCustomRendered), ["7", "8"].contains(rendered) {
      evidence.append("customRendered:\(rendered)")
    }
    if hasAuxiliary("portraiteffectsmatte") { evidence.append("portraitEffectsMatte") }
    evidence += samsungEvidence(of: .depthEffect)
    let cameraName = GoogleCameraName(name)
    if cameraName?.isPortrait == true { evidence.append("name") }
    // Both pictures of a portrait say that they are of one; the sharp one is not the first of the two.
    if isGooglePortrait, clue(.xmpBurstPrimary) != "0", cameraName?.isPortraitOriginal != true {
      evidence.append("specialType:PORTRAIT")
    }
    return evidence
  }

  /// One of the two pictures that Google's camera makes of a portrait, which share a burst's identifier and
  /// are not a burst. The type was once `PORTRAIT`, later `com.google.….SpecialType-PORTRAIT`.
  fileprivate var isGooglePortrait: Bool {
    facts.clues.contains {
      $0.key == .xmpSpecialType && $0.value?.hasSuffix("PORTRAIT") == true
    }
  }

  private var hdrEvidence: [String] {
    var evidence: [String] = []
    let gainMaps: [Clue.Key] = [.heifToneMap, .jpegGainMap]
    if hasAuxiliary("hdrgainmap") || gainMaps.contains(where: { clue($0) != nil }) {
      evidence.append("gainMap")
    }
    // Such a picture needs its map to become SDR.
    if clue(.gainMapBaseIsHDR) != nil { evidence.append("baseRenditionIsHDR") }
    if let transfer = clue(.heifTransfer) ?? clue(.pngTransfer) {
      evidence.append("transfer:\(transfer)")
    }
    if let rendered = clue(.exifCustomRendered), ["2", "3", "7"].contains(rendered) {
      evidence.append("customRendered:\(rendered)")
    }
    if clue(.appleHDRImageType) == "3" { evidence.append("hdrImageType:3") }
    return evidence
  }

  /// The picture's word for a gain map that is not in the file: programs that drop the map keep the word.
  private var missingGainMap: Label? {
    guard clue(.gainMapVersion) != nil else { return nil }
    return Label(.hdr, isGiven: false, evidence: ["hdrgm", "against:noGainMap"])
  }

  private func hasAuxiliary(_ part: String) -> Bool {
    facts.clues.contains {
      ($0.key == .heifAuxiliary || $0.key == .jpegAuxiliary) && $0.value?.contains(part) == true
    }
  }

  /// In a JPEG Apple calls a depth map by a word; in HEIF it is one by the standard.
  private var hasDepthPicture: Bool {
    facts.clues.contains {
      $0.key == .jpegAuxiliary && ($0.value == "disparity" || $0.value == "depth")
    }
  }
}

extension RecognitionSubject {
  /// The file's facts with what its name adds to them, and without a burst that is none.
  package var recognised: MediaFacts {
    var facts = facts
    if isGooglePortrait { facts.burstIdentifier = nil }
    if facts.burstIdentifier == nil { facts.burstIdentifier = BurstName(name)?.group }
    return facts
  }
}
