import MediaModel
import Query
import ShoeboxKit
import Terminal

extension ShownAsset {
  /// All facts about an asset, line by line under headings.
  func description(_ style: Style) -> [String] {
    let groups = tags.reduce(into: [String]()) { names, tag in
      if !names.contains(tag.group) { names.append(tag.group) }
    }
    let sections =
      [asset.identity, asset.kinds, asset.nearMisses, asset.capture, asset.picture, asset.words]
      + [asset.files, asset.duplicates]
      + groups.map { group in
        Section(group, tags.filter { $0.group == group }.map { ($0.name, $0.value) })
      }
    return [style.bold(asset.path.display.terminalSafe)]
      + sections.filter { !$0.lines.isEmpty }.flatMap { $0.text(style) }
  }
}

/// A heading with named values under it.
private struct Section {
  let heading: String
  let lines: [(name: String, value: String)]

  /// Names without a value are left out.
  init(_ heading: String, _ lines: [(String, String?)]) {
    self.heading = heading
    self.lines = lines.compactMap { name, value in value.map { (name, $0) } }
  }

  func text(_ style: Style) -> [String] {
    let width = lines.map(\.name.columns).max() ?? 0
    let values = lines.map { name, value in
      let padding = String(repeating: " ", count: width - name.columns)
      return "  \(name.terminalSafe)\(padding)  \(value.terminalSafe)"
    }
    return (heading.isEmpty ? [] : ["", style.bold(heading.terminalSafe)]) + values
  }
}

extension AssetRecord {
  fileprivate var identity: Section {
    Section(
      "",
      [
        ("id", identifier),
        (
          "kind",
          ([mediaType.name] + subtypes.names + (isDuplicate ? ["duplicate"] : []))
            .joined(separator: ", ")
        ),
        ("type", uniformType.rawValue),
        ("declared type", declaredType?.rawValue),
        ("size", "\(humanBytes(size)) (\(size) bytes)"),
        ("modified", JSONWriter.instant(milliseconds: modified / 1_000_000)),
        ("added", JSONWriter.instant(milliseconds: added)),
        ("status", status.rawValue),
        ("error", error),
      ] + warnings.map { ("warning", $0) })
  }

  fileprivate var kinds: Section {
    Section(
      "Kinds",
      labels.filter(\.isGiven).map { label in
        let edits = label.subtype == .edited ? namedEdits : nil
        return (label.name, edits ?? label.reasons)
      })
  }

  /// The edits that its edit instructions record, with the name of their file; nil if they name none.
  private var namedEdits: String? {
    guard let file = editInstructions, !file.adjustments.isEmpty else { return nil }
    let name = BytePath(bytes: file.path.lastComponent).display
    return file.adjustments.map(Adjustment.text).joined(separator: ", ") + " (\(name))"
  }

  /// The labels that it nearly has, with the missing evidence.
  fileprivate var nearMisses: Section {
    Section("Not", labels.filter { !$0.isGiven }.map { ($0.name, $0.reasons) })
  }

  fileprivate var capture: Section {
    Section(
      "Capture",
      [
        ("date", captureDate),
        ("from", captureSource),
        ("time zone", timeZoneEvidence.map { "inferred: taken \($0)" }),
        ("location", location.map { "\($0.latitude), \($0.longitude)" }),
        ("altitude", location?.altitude.map { "\(rounded($0)) m" }),
        ("camera", camera.displayName),
        ("lens", camera.lens),
        ("software", camera.software),
        ("exposure", exposure.time.map(exposureText)),
        ("aperture", exposure.fNumber.map { "f/\(rounded($0))" }),
        ("ISO", exposure.iso.map { String($0) }),
        ("focal length", exposure.focalLength.map { "\(rounded($0)) mm" }),
        ("in 35 mm", exposure.focalLengthIn35mm.map { "\($0) mm" }),
      ])
  }

  fileprivate var picture: Section {
    Section(
      mediaType == .video ? "Video" : "Picture",
      [
        ("pixels", pixelSize.map { "\($0.width) × \($0.height)" }),
        ("orientation", orientation.map { String($0) }),
        ("duration", duration.map { "\(humanDuration($0)) (\(rounded($0)) s)" }),
        ("codec", video.codec),
        ("frame rate", video.frameRate.map { "\(rounded($0))" }),
        ("range", video.dynamicRange?.rawValue),
        ("audio", video.audioCodec),
      ])
  }

  fileprivate var words: Section {
    Section(
      "Description",
      [
        ("title", title), ("description", caption),
        ("keywords", keywords.isEmpty ? nil : keywords.joined(separator: ", ")),
        ("keyword paths", keywordPaths.isEmpty ? nil : keywordPaths.joined(separator: ", ")),
        ("original name", originalName),
        ("album", albumTitle),
        ("albums", albums.isEmpty ? nil : albums.joined(separator: ", ")),
        ("people", people.isEmpty ? nil : people.joined(separator: ", ")),
        ("rating", rating.map { String($0) }),
        ("favorite", isFavorite ? "yes" : nil),
        ("label", label),
        ("pick", pick == .none ? nil : pick.word),
      ])
  }

  fileprivate var files: Section {
    Section(
      "Resources",
      resources.map { resource in
        let range = resource.range.map { " at byte \($0.offset)" } ?? ""
        return (
          resource.type.rawValue, "\(resource.path.display) (\(humanBytes(resource.size))\(range))"
        )
      } + [
        ("content id", contentIdentifier), ("burst id", burstIdentifier),
        ("clip found by", clipEvidence),
        (
          "clip",
          editedVersionWithoutClip.map {
            "not edited: \(BytePath(bytes: $0.path.lastComponent).display) has no clip of its own"
          }
        ),
      ])
  }
}

extension AssetRecord {
  /// Where its exact copies are.
  fileprivate var duplicates: Section {
    Section("Duplicates", [("set", duplicateSet)] + copies.map { ("copy", Optional($0.display)) })
  }
}

extension Label {
  fileprivate var name: String { subtype.name }

  /// The evidence in one line, after the confidence of a pair or the sum of weights.
  fileprivate var reasons: String {
    let text = evidence.joined(separator: ", ")
    guard let score else { return text }
    return subtype == .livePhoto ? "\(text) (\(score) %)" : "score \(score): \(text)"
  }
}

/// A measurement for people: to a thousandth. JSON has all digits.
private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

/// An exposure time in the usual form: `1/60 s`, `2.5 s`.
func exposureText(_ seconds: Double) -> String {
  guard seconds > 0, seconds < 0.3, 1 / seconds < 1e9 else { return "\(seconds) s" }
  return "1/\(Int(1 / seconds + 0.5)) s"
}
