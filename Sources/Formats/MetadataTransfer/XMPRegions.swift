import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

/// The places in a picture that XMP describes: regions with the names of people (Metadata Working Group, Guidelines 2.0
/// §5.9; Microsoft, "People Tagging Overview"), EXIF's subject area, and the part of a sphere that a panorama shows.
enum XMPRegions {
  private static let areaNamespace = "http://ns.adobe.com/xmp/sType/Area#"
  private static let sizeNamespace = "http://ns.adobe.com/xap/1.0/sType/Dimensions#"
  private static let area = XMLName(namespace: XMPNamespace.regions, local: "Area")
  private static let appliedSize = XMLName(
    namespace: XMPNamespace.regions, local: "AppliedToDimensions")
  private static let rectangle = XMLName(
    namespace: XMPNamespace.microsoftRegions + "t/Region#", local: "Rectangle")
  private static let item = XMLName(namespace: XMPNamespace.rdf, local: "li")
  private static let subjects = ["SubjectArea", "SubjectLocation"].map {
    XMLName(namespace: XMPNamespace.exif, local: $0)
  }

  /// The packet with its places where they are in the result. What is cut off is removed.
  ///
  /// - Parameter recordedSize: the size that EXIF records for the source; nil if none is recorded.
  /// - Returns: nil for a packet that is not well-formed.
  static func moved(
    _ packet: [UInt8], by change: PictureChange, recordedSize: PixelSize?
  ) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    var patch = Patch(packet: packet, elements: markup.elements)
    patch.moveAreas(by: change)
    patch.moveRectangles(by: change)
    patch.moveSubjects(by: change, recordedSize: recordedSize)
    patch.cropPanorama(by: change)
    return patch.result
  }

  /// Changes to a packet, found one after the other and made together.
  private struct Patch {
    let packet: [UInt8]
    /// In the order of their start tags.
    let elements: [XMLMarkup.Element]
    /// For each element the index of the one that it is in.
    private let parents: [Int?]
    private var changes: [(range: Range<Int>, text: String)] = []

    init(packet: [UInt8], elements: [XMLMarkup.Element]) {
      self.packet = packet
      self.elements = elements
      var open: [Int] = []
      parents = elements.indices.map { index in
        while let last = open.last,
          elements[last].range.upperBound <= elements[index].range.lowerBound
        {
          open.removeLast()
        }
        defer { open.append(index) }
        return open.last
      }
    }

    /// The packet with the changes. Those inside a removed element have no effect.
    var result: [UInt8] { packet.changed(changes) }

    /// Moves the regions of the Metadata Working Group, if they belong to the source's shape.
    mutating func moveAreas(by change: PictureChange) {
      var orientation = change.orientation
      for index in elements.indices where elements[index].name == XMPRegions.appliedSize {
        let fields = fields(XMPRegions.sizeNamespace, of: index)
        guard let width = fields["w"], let height = fields["h"],
          let recorded = size(number(width), number(height))
        else { continue }
        if recorded.hasShape(of: change.storedSize) {
          orientation = change.orientation
        } else if recorded.hasShape(of: change.uprightSize) {
          // Some programs count in the upright picture.
          orientation = .up
        } else {
          // A program that does not know regions has changed the picture. Readers notice that by the size.
          return
        }
        changes.append((width, String(change.size.width)))
        changes.append((height, String(change.size.height)))
      }
      guard change.movesPoints(orientation) else { return }
      for index in elements.indices where elements[index].name == XMPRegions.area {
        moveArea(index, by: change, orientation)
      }
    }

    private mutating func moveArea(
      _ index: Int, by change: PictureChange, _ orientation: Orientation
    ) {
      let fields = fields(XMPRegions.areaNamespace, of: index)
      guard let x = fields["x"], let y = fields["y"], let centerX = number(x),
        let centerY = number(y),
        fields["unit"].map({ packet[$0].elementsEqual("normalized".utf8) }) ?? true
      else { return }
      let (width, height) = (fields["w"].flatMap(number), fields["h"].flatMap(number))
      let part = change.moved(
        NormalizedRect(
          centerX: centerX, centerY: centerY, width: width ?? 0, height: height ?? 0),
        orientation: orientation)
      guard part.isVisible else {
        removeItem(with: index)
        return
      }
      let visible = part.clipped
      changes.append((x, visible.centerX.fraction))
      changes.append((y, visible.centerY.fraction))
      if let range = fields["w"], width != nil { changes.append((range, visible.width.fraction)) }
      if let range = fields["h"], height != nil { changes.append((range, visible.height.fraction)) }
      if let range = fields["d"], let diameter = number(range) {
        // Of a circle, in fractions of the picture's shorter side.
        let (whole, kept) = (change.uprightSize, change.keptPart)
        let scale =
          Double(min(whole.width, whole.height)) / Double(max(1, min(kept.width, kept.height)))
        changes.append((range, (diameter * scale).fraction))
      }
    }

    /// Moves Windows' regions: `x, y, width, height`.
    mutating func moveRectangles(by change: PictureChange) {
      guard change.movesPoints(change.orientation) else { return }
      for (index, element) in elements.enumerated() {
        let isRectangle = element.name == XMPRegions.rectangle
        let values =
          (isRectangle ? [element.content] : [])
          + element.attributes.filter { $0.name == XMPRegions.rectangle }.map(\.value)
        for range in values {
          let numbers = text(range).split(separator: ",").compactMap { number($0) }
          guard numbers.count == 4 else { continue }
          let part = change.moved(
            NormalizedRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
          guard part.isVisible else {
            removeItem(with: index)
            continue
          }
          let visible = part.clipped
          let texts = [visible.x, visible.y, visible.width, visible.height].map(\.fraction)
          changes.append((range, texts.joined(separator: ", ")))
        }
      }
    }

    /// Moves the lists of numbers that repeat EXIF's subject area.
    mutating func moveSubjects(by change: PictureChange, recordedSize: PixelSize?) {
      let recorded =
        size(value("PixelXDimension").flatMap(number), value("PixelYDimension").flatMap(number))
        ?? recordedSize
      for (index, element) in elements.enumerated()
      where XMPRegions.subjects.contains(element.name) {
        let items = whole(index).filter { $0.name == XMPRegions.item }
        let numbers = items.compactMap { number($0.content).flatMap { Int(exactly: $0) } }
        guard numbers.count == items.count, let subject = SubjectArea(numbers) else { continue }
        guard let moved = subject.moved(by: change, recordedSize: recorded) else {
          changes.append((element.range, ""))
          continue
        }
        for (item, value) in zip(items, moved.values) {
          changes.append((item.content, String(value)))
        }
      }
    }

    /// Makes a crop's panorama show the smaller part of the sphere. The numbers are pixels of the panorama as it was made,
    /// and stay so when it is scaled (Google, "Photo Sphere XMP Metadata").
    mutating func cropPanorama(by change: PictureChange) {
      guard let crop = change.crop, change.orientation == .up,
        let left = panorama("CroppedAreaLeftPixels"), let top = panorama("CroppedAreaTopPixels"),
        let width = panorama("CroppedAreaImageWidthPixels"),
        let height = panorama("CroppedAreaImageHeightPixels")
      else { return }
      let (across, down) = (
        width.number / Double(max(1, change.uprightSize.width)),
        height.number / Double(max(1, change.uprightSize.height))
      )
      for (range, number) in [
        (left.range, left.number + Double(crop.x) * across),
        (top.range, top.number + Double(crop.y) * down),
        (width.range, Double(crop.width) * across), (height.range, Double(crop.height) * down),
      ] {
        changes.append((range, String(Int(number.rounded()))))
      }
      // The largest rectangle without gaps: nothing says where it is in a part.
      for element in elements {
        if isInterior(element.name) { changes.append((element.range, "")) }
        for attribute in element.attributes where isInterior(attribute.name) {
          changes.append((attribute.range, ""))
        }
      }
    }

    private func isInterior(_ name: XMLName) -> Bool {
      name.namespace == XMPNamespace.panorama && name.local.hasPrefix("LargestValidInteriorRect")
    }

    private func panorama(_ local: String) -> (range: Range<Int>, number: Double)? {
      value(local, in: XMPNamespace.panorama).flatMap { range in
        number(range).map { (range, $0) }
      }
    }

    /// The value of a simple property.
    private func value(_ local: String, in namespace: String = XMPNamespace.exif) -> Range<Int>? {
      let name = XMLName(namespace: namespace, local: local)
      for element in elements {
        if element.name == name { return element.content }
        if let attribute = element.attributes.first(where: { $0.name == name }) {
          return attribute.value
        }
      }
      return nil
    }

    /// An element and those inside it.
    private func whole(_ index: Int) -> ArraySlice<XMLMarkup.Element> {
      let end = elements[index].range.upperBound
      return elements[index...].prefix { $0.range.lowerBound < end }
    }

    /// The fields of a structure, whether they are elements or attributes.
    private func fields(_ namespace: String, of index: Int) -> [String: Range<Int>] {
      var fields: [String: Range<Int>] = [:]
      for element in whole(index) {
        if element.name.namespace == namespace { fields[element.name.local] = element.content }
        for attribute in element.attributes where attribute.name.namespace == namespace {
          fields[attribute.name.local] = attribute.value
        }
      }
      return fields
    }

    /// Removes the item of the list that an element is in, or is.
    private mutating func removeItem(with index: Int) {
      var item: Int? = index
      while let current = item, elements[current].name != XMPRegions.item {
        item = parents[current]
      }
      changes.append((elements[item ?? index].range, ""))
    }

    private func text(_ range: Range<Int>) -> String {
      String(decoding: packet[range], as: UTF8.self)
    }

    private func number(_ range: Range<Int>) -> Double? { number(text(range)[...]) }

    private func number(_ text: Substring) -> Double? {
      let digits = text.filter { !$0.isWhitespace }
      return Double(digits).flatMap { abs($0) < 1e9 ? $0 : nil }
    }

    private func size(_ width: Double?, _ height: Double?) -> PixelSize? {
      guard let width, let height, width >= 1, height >= 1 else { return nil }
      return PixelSize(width: Int(width), height: Int(height))
    }
  }
}

extension Double {
  /// A number from 0 to 1 with six decimals: a thousandth of a pixel of a picture of a thousand pixels.
  fileprivate var fraction: String {
    let millionths = Int((Swift.min(1, Swift.max(0, self)) * 1_000_000).rounded())
    let decimals = String(millionths % 1_000_000)
    return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - decimals.count)
      + decimals
  }
}
