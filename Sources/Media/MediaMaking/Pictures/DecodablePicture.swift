import ByteReading
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import WorkerProtocol

/// A format whose pictures Shoebox can describe for the plan of an export, and decode.
protocol DecodablePicture: ReadablePicture {
  /// Describes a picture by its header, as stored: before it is turned.
  ///
  /// - Throws: `ProbeFailure`; `ContainerError` for damaged structure; the errors of the source.
  static func describe(_ file: MediaFile, _ type: UniformType) throws -> PictureDescription

  /// Decodes a picture.
  ///
  /// - Parameter longerSide: pixels that the longer side must have; nil for the full size.
  static func decode(
    _ file: MediaFile, _ type: UniformType, atLeast longerSide: Int?
  ) throws -> DecodedPicture

  /// An embedded thumbnail that costs much less than decoding the picture; nil if there is none that is suitable.
  ///
  /// - Parameter longerSide: pixels that its longer side should have.
  static func embeddedThumbnail(of file: MediaFile, atLeast longerSide: Int) throws
    -> DecodedPicture?

  /// Whether the size of a picture is limited, because it is decoded at once at its full size.
  static var hasSizeLimit: Bool { get }

  /// Whether EXIF does not affect the orientation of a picture, since the format has its own rule.
  static var isUpright: Bool { get }
}

extension DecodablePicture {
  static func embeddedThumbnail(
    of file: MediaFile, atLeast longerSide: Int
  ) throws -> DecodedPicture? { nil }

  static var hasSizeLimit: Bool { true }

  static var isUpright: Bool { false }
}

extension MediaFile {
  /// Describes the picture for planning an export, from its header alone. Only a picture with an alpha channel is
  /// decoded, because most alpha channels are opaque.
  func pictureDescription(_ type: UniformType) throws -> PictureDescription {
    guard let format = type.format as? any DecodablePicture.Type else {
      throw ProbeFailure.noDecoder
    }
    var found = try format.describe(self, type)
    let orientation = format.isUpright ? .up : try storedOrientation(type)
    found.uprightSize = orientation.upright(found.uprightSize)
    found.orientation = orientation
    if format.hasSizeLimit { found.obstacle = found.obstacle ?? found.sizeObstacle }
    if found.isTransparent, found.obstacle == nil {
      // If decoding fails, rendering will report the reason.
      let picture = try? decodePicture(type, atLeast: nil)
      found.isTransparent = picture.map { !$0.isOpaque } ?? true
    }
    return found
  }
}

extension PictureDescription {
  fileprivate var sizeObstacle: String? {
    uprightSize.isDecodable
      ? nil
      : ProbeFailure.tooLarge("A picture of \(uprightSize.width) × \(uprightSize.height) pixels")
  }
}
