import ByteReading
package import MediaModel

/// One transformation of a decoded picture (ISO/IEC 23008-12 §6.5.8 to §6.5.12), in the order of association.
package enum HEIFTransform: Sendable, Hashable {
  /// `irot` or `imir`.
  case turn(Orientation)
  /// `clap`: the part that is shown, as the box records it.
  case crop(HEIFCleanAperture)
}

/// The content of `clap` (ISO/IEC 14496-12 §12.1.4).
package struct HEIFCleanAperture: Sendable, Hashable {
  private let width: Double
  private let height: Double
  /// From the centre of the whole picture to that of the part.
  private let across: Double
  private let down: Double
  private let size: PixelSize

  fileprivate init?(_ property: HEIFProperty) {
    guard let size = property.cleanAperture else { return nil }
    let numbers = stride(from: 0, to: 32, by: 4).compactMap { property.content.u32(at: $0) }
    guard numbers.count == 8, numbers[5] > 0, numbers[7] > 0 else { return nil }
    self.size = size
    width = Double(numbers[0]) / Double(numbers[1])
    height = Double(numbers[2]) / Double(numbers[3])
    across = Double(Int32(bitPattern: numbers[4])) / Double(numbers[5])
    down = Double(Int32(bitPattern: numbers[6])) / Double(numbers[7])
  }

  /// The part's place in a picture in whole pixels; nil if the part extends beyond it.
  package func place(in whole: PixelSize) -> (x: Int, y: Int, size: PixelSize)? {
    let left = (across + (Double(whole.width) - width) / 2).rounded(.down)
    let top = (down + (Double(whole.height) - height) / 2).rounded(.down)
    guard left >= 0, top >= 0, left + Double(size.width) <= Double(whole.width),
      top + Double(size.height) <= Double(whole.height)
    else { return nil }
    return (Int(left), Int(top), size)
  }
}

extension HEIFProperty {
  fileprivate var transform: HEIFTransform? {
    orientation.map { .turn($0) } ?? HEIFCleanAperture(self).map { .crop($0) }
  }
}

extension HEIFContainer {
  /// The transformations of the primary picture, if neither its transparency nor its parts have any of their own; else
  /// nil.
  ///
  /// libheif turns and crops a picture and its transparency separately, each by its own properties. libavif before
  /// version 1.0 wrote none for transparency, and applies those of the picture to both. Before version 1.20, libheif also
  /// moves the chroma of pictures that are first cropped and then turned.
  package var sharedTransforms: [HEIFTransform]? {
    let transforms = primaryProperties.compactMap(\.transform)
    guard !transforms.isEmpty, let primaryItem else { return nil }
    let numbers = Set(properties.indices.filter { properties[$0].transform != nil }.map { $0 + 1 })
    let others = Set(alphaItems(of: primaryItem) + primaryParts)
    let isAlone = items.allSatisfy {
      !others.contains($0.id) || numbers.isDisjoint(with: $0.properties)
    }
    return isAlone ? transforms : nil
  }
}
