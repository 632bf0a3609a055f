package import MediaModel

// What a single picture's own clues settle. Where a file cannot tell there is no label: a guess is worse
// than none.

extension RecognitionSubject {
  var stillLabels: [Label] {
    var labels: [Label] = []
    if facts.uniformType.isRaw {
      labels.append(Label(.raw, isGiven: true, evidence: [facts.uniformType.rawValue]))
    }
    labels += [motionPhoto, ScreenshotScore(self).label, panorama, burst].compactMap { $0 }
    labels += [
      given(.depthEffect, by: depthEvidence), given(.hdr, by: hdrEvidence),
      given(.spatial, by: clue("heif.ster") == nil ? [] : ["stereoPair"]),
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
    guard let reason = clue("motionPhoto.noClip") else { return nil }
    return Label(.motionPhoto, isGiven: false, evidence: [reason])
  }

  /// EXIF CustomRendered 6 (Apple), Google's GPano, Samsung's trailer block 0x08e0.
  private var panorama: Label? {
    var evidence: [String] = []
    if clue("exif.CustomRendered") == "6" { evidence.append("customRendered:6") }
    if let projection = clue("xmp.GPano.ProjectionType") {
      evidence.append("projection:\(projection)")
    } else if clue("xmp.GPano.FullPanoWidthPixels") != nil {
      evidence.append("gpano")
    }
    if hasSamsungBlock("08e0") { evidence.append("samsung:08e0") }
    return given(.panorama, by: evidence)
  }

  /// An identifier shared by the burst's pictures, or Samsung's trailer block 0x09e0.
  private var burst: Label? {
    var evidence: [String] = []
    if facts.burstIdentifier != nil { evidence.append("burstIdentifier") }
    if hasSamsungBlock("09e0") { evidence.append("samsung:09e0") }
    if BurstName(name) != nil { evidence.append("name") }
    return given(.burst, by: evidence)
  }

  private var depthEvidence: [String] {
    var evidence: [String] = []
    if clue("heif.depth") != nil { evidence.append("depthMap") }
    if clue("xmp.GDepth") != nil { evidence.append("gdepth") }
    if clue("apple.ImageCaptureType") == "2" { evidence.append("imageCaptureType:2") }
    if let rendered = clue("exif.CustomRendered"), ["7", "8"].contains(rendered) {
      evidence.append("customRendered:\(rendered)")
    }
    if hasAuxiliary("portraiteffectsmatte") { evidence.append("portraitEffectsMatte") }
    return evidence
  }

  private var hdrEvidence: [String] {
    var evidence: [String] = []
    if hasAuxiliary("hdrgainmap") || clue("heif.tmap") != nil || clue("hdrgm") != nil {
      evidence.append("gainMap")
    }
    if let transfer = clue("heif.transfer") { evidence.append("transfer:\(transfer)") }
    if clue("exif.CustomRendered") == "3" { evidence.append("customRendered:3") }
    if clue("apple.HDRImageType") == "3" { evidence.append("hdrImageType:3") }
    return evidence
  }

  private func hasAuxiliary(_ part: String) -> Bool {
    facts.clues.contains { $0.key == "heif.aux" && $0.value?.contains(part) == true }
  }

  private func hasSamsungBlock(_ type: String) -> Bool {
    facts.clues.contains { $0.key == "sef" && $0.value?.lowercased().hasSuffix(type) == true }
  }
}

extension RecognitionSubject {
  /// The file's facts with what its name adds to them.
  package var recognised: MediaFacts {
    var facts = facts
    if facts.burstIdentifier == nil { facts.burstIdentifier = BurstName(name)?.group }
    return facts
  }
}

/// The names that Android's cameras give the pictures of one burst.
package struct BurstName: Sendable, Hashable {
  /// What the names of one burst have in common.
  package var group: String
  /// Whether the camera picked this one as the burst's best.
  package var isPick: Bool

  /// `00001IMG_00001_BURST20200101120000123_COVER` and `IMG_20200101_120000_BURST001_COVER`.
  package init?(_ name: [UInt8]) {
    let stem = folded(FileNameParts(name: name).stem)
    guard let mark = stem.firstRange(of: "_burst") else { return nil }
    let digits = stem[mark.upperBound...].prefix(while: \.isASCIIDigit)
    let rest = stem[mark.upperBound...].dropFirst(digits.count)
    isPick = rest == "_cover"
    guard rest.isEmpty || isPick else { return nil }
    if digits.count >= 14, DatePattern.isDate(digits) {
      group = String(digits)
    } else if (1...3).contains(digits.count) {
      group = String(stem[..<mark.lowerBound])
    } else {
      return nil
    }
  }
}
