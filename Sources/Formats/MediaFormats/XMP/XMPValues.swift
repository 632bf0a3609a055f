import ByteReading
package import MediaModel

/// One item in a container directory (Google, Dynamic Depth and Motion Photo formats).
package struct XMPContainerItem: Sendable, Hashable {
  package var mime: String?
  /// `Primary`, `MotionPhoto`, `GainMap` …
  package var semantic: String?
  /// The length in bytes; 0 if it is not recorded, as for the primary picture.
  package var length: UInt64
}

extension XMPPacket {
  package var title: String? { value(XMPNamespace.dublinCore, "title").flatMap(\.nonEmpty) }

  /// `dc:description`.
  package var caption: String? {
    value(XMPNamespace.dublinCore, "description").flatMap(\.nonEmpty)
  }

  /// `dc:subject`, then the last parts of hierarchical keywords that are not among them. People are not keywords.
  package var keywords: [String] {
    var found = values(XMPNamespace.dublinCore, "subject").compactMap(\.nonEmpty)
    var seen = Set(found)
    for path in keywordLevels where path.count == 1 || path[0] != Self.peopleTag {
      // A program may have split a keyword that contains the separator.
      guard let leaf = path.last, !seen.contains(path.joined(separator: "/")),
        seen.insert(leaf).inserted
      else { continue }
      found.append(leaf)
    }
    return found
  }

  /// Hierarchical keywords, as the parts of their paths.
  var keywordLevels: [[String]] {
    let paths =
      values(XMPNamespace.lightroom, "hierarchicalSubject").map { ($0, "|" as Character) }
      + values(XMPNamespace.digiKam, "TagsList").map { ($0, "/" as Character) }
      + XMPNamespace.microsoftPhoto.flatMap { values($0, "LastKeywordXMP") }
      .map { ($0, "/" as Character) }
    return paths.map { path, separator in
      path.split(separator: separator).map { String($0).trimmed }
    }.filter { !$0.isEmpty && $0.last != "" }
  }

  /// The parent of people's names among digiKam's, Lightroom's and Windows' keywords.
  static let peopleTag = "People"

  /// The names of people: `Iptc4xmpExt:PersonInImage`, faces of the Metadata Working Group and of Windows, and keywords
  /// below `People`.
  package var people: [String] {
    var found = values(XMPNamespace.iptcExtension, "PersonInImage")
    let faces = faces
    for property in properties {
      let path = property.path
      if property.namespace == XMPNamespace.regions, path.hasPrefix("Regions/RegionList["),
        path.hasSuffix("]/Name"), faces.contains(path.dropLast("Name".count))
      {
        found.append(property.value)
      } else if property.namespace == XMPNamespace.microsoftRegions,
        path.hasPrefix("RegionInfo/Regions["), path.hasSuffix("]/PersonDisplayName")
      {
        found.append(property.value)
      }
    }
    found += keywordLevels.filter { $0.count > 1 && $0[0] == Self.peopleTag }.compactMap(\.last)
    var seen: Set<String> = []
    return found.compactMap(\.nonEmpty).filter { seen.insert($0).inserted }
  }

  /// The paths of the regions that are faces rather than pets, barcodes or the focus, with the last slash.
  private var faces: Set<Substring> {
    Set(
      properties.lazy.filter {
        $0.namespace == XMPNamespace.regions && $0.value == "Face" && $0.path.hasSuffix("/Type")
      }.map { $0.path.dropLast("Type".count) })
  }

  /// `fstop:favorite`, which F-Stop writes and PhotoPrism reads.
  package var isFavorite: Bool {
    ["1", "true"].contains(value(XMPNamespace.fStop, "favorite")?.trimmed.lowercased())
  }

  /// `xmp:Rating`, −1…5. Some writers add a decimal point.
  package var rating: Int? {
    value(XMPNamespace.xmp, "Rating").flatMap(Double.init).flatMap { value in
      (-1...5).contains(value) ? Int(value) : nil
    }
  }

  package var orientation: Orientation? {
    value(XMPNamespace.tiff, "Orientation").flatMap(UInt8.init).flatMap(
      Orientation.init(rawValue:))
  }

  /// `tiff:Make`, `tiff:Model`, the lens, `xmp:CreatorTool`.
  package var camera: Camera {
    let lens = value(XMPNamespace.exifEX, "LensModel") ?? value(XMPNamespace.auxiliary, "Lens")
    return Camera(
      make: value(XMPNamespace.tiff, "Make").flatMap(\.nonEmpty),
      model: value(XMPNamespace.tiff, "Model").flatMap(\.nonEmpty),
      lens: lens.flatMap(\.nonEmpty),
      software: value(XMPNamespace.xmp, "CreatorTool").flatMap(\.nonEmpty))
  }

  /// How the picture was exposed (XMP specification part 2 §2.6).
  package var exposure: Exposure {
    func positive(_ name: String) -> Double? {
      value(XMPNamespace.exif, name).flatMap(xmpNumber).flatMap { $0 > 0 ? $0 : nil }
    }
    let speed =
      value(XMPNamespace.exifEX, "PhotographicSensitivity")
      ?? values(XMPNamespace.exif, "ISOSpeedRatings").first
    return Exposure(
      time: positive("ExposureTime")
        ?? value(XMPNamespace.exif, "ShutterSpeedValue").flatMap(xmpNumber)
        .flatMap(APEX.exposureTime),
      fNumber: positive("FNumber") ?? positive("ApertureValue").flatMap(APEX.fNumber),
      iso: speed.flatMap { Int($0.trimmed) }.flatMap { $0 > 0 ? $0 : nil },
      focalLength: positive("FocalLength"))
  }

  /// The location in `exif:GPSLatitude`, `GPSLongitude` and `GPSAltitude` (XMP specification part 2 §1.2.7.4).
  package var location: Location? {
    guard let latitude = value(XMPNamespace.exif, "GPSLatitude").flatMap(xmpDegrees),
      let longitude = value(XMPNamespace.exif, "GPSLongitude").flatMap(xmpDegrees)
    else { return nil }
    // As in EXIF 3.0: 1 and 3 are below the reference.
    let isBelow = ["1", "3"].contains(value(XMPNamespace.exif, "GPSAltitudeRef")?.trimmed)
    let altitude = value(XMPNamespace.exif, "GPSAltitude").flatMap(xmpNumber)
    return Location(
      latitude: latitude, longitude: longitude, altitude: altitude.map { isBelow ? -abs($0) : $0 })
  }

  package var userComment: String? { value(XMPNamespace.exif, "UserComment").flatMap(\.nonEmpty) }

  /// The items of `Container:Directory`, or of its older form in the camera schema.
  package var containerItems: [XMPContainerItem] {
    var fields: [[String: String]] = []
    for property in properties
    where property.path.hasPrefix("Directory[")
      && [XMPNamespace.container, XMPNamespace.camera].contains(property.namespace)
    {
      let rest = property.path.dropFirst("Directory[".utf8.count)
      guard let index = Int(rest.prefix { $0.isNumber }), (1...64).contains(index),
        let field = rest.split(separator: "/").last
      else { continue }
      while fields.count < index { fields.append([:]) }
      fields[index - 1][String(field)] = property.value
    }
    return fields.map { field in
      XMPContainerItem(
        mime: field["Mime"], semantic: field["Semantic"],
        length: field["Length"].flatMap { UInt64($0) } ?? 0)
    }
  }
}

extension String {
  var nonEmpty: String? {
    let content = trimmed
    return content.isEmpty ? nil : content
  }
}

/// The value of a whole number, a decimal number or a fraction.
func xmpNumber(_ text: String) -> Double? {
  let parts = text.split(separator: "/", maxSplits: 1).map { Double(String($0).trimmed) }
  guard let first = parts.first, let numerator = first else { return nil }
  guard parts.count == 2 else { return numerator }
  guard let denominator = parts[1], denominator != 0 else { return nil }
  return numerator / denominator
}

/// `DDD,MM,SSk` or `DDD,MM.mmk` with k one of N, S, E, W; also plain signed degrees.
func xmpDegrees(_ text: String) -> Double? {
  let trimmed = text.trimmed
  guard let direction = trimmed.last else { return nil }
  guard "NSEWnsew".contains(direction) else { return Double(trimmed) }
  var degrees = 0.0
  var unit = 1.0
  let parts = trimmed.dropLast().split(separator: ",")
  // A direction alone is not a place on the equator.
  guard (1...3).contains(parts.count) else { return nil }
  for part in parts {
    guard let value = xmpNumber(String(part)), value >= 0 else { return nil }
    degrees += value / unit
    unit *= 60
  }
  return "SWsw".contains(direction) ? -degrees : degrees
}
