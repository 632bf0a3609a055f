import CodecMessages
import Containers
import Heif
import MediaModel

extension PictureReading {
  /// Reads a HEIF or AVIF picture: libheif tells what it is; our own reader adds the groups, items and
  /// boxes that libheif keeps to itself, and stands in with a warning where libheif refuses the file
  /// but its description is whole.
  static func heif(_ source: any ByteSource) throws(ProbeFailure) -> PictureReading {
    let boxes = try? HEIFFile(source)
    var reading = PictureReading(isUpright: true)
    do throws(HeifError) {
      let file = try HeifFile(size: source.count, read: Codec.reading(source))
      reading.take(file.picture())
    } catch {
      guard let boxes, let size = boxes.displaySize else { throw ProbeFailure(error) }
      reading.size = size
      reading.exif = try? boxes.exif(from: source)
      reading.xmp = (try? boxes.xmp(from: source)).flatMap { $0 }.flatMap { XMPPacket($0) }
      reading.clues = boxes.auxiliaryTypes.map { Clue("heif.aux", $0) }
      reading.warnings.append("The picture cannot be opened; only its description was read.")
    }
    guard let boxes else { return reading }
    if boxes.hasStereoPair { reading.clues.append(Clue("heif.ster")) }
    if boxes.hasToneMap { reading.clues.append(Clue("heif.tmap")) }
    reading.warnings += boxes.warnings
    return reading
  }

  private mutating func take(_ picture: HeifPicture) {
    size = picture.uprightSize
    exif = picture.exif
    xmp = picture.xmp.flatMap { XMPPacket($0) }
    clues = picture.auxiliaryTypes.map { Clue("heif.aux", $0) }
    if picture.hasDepthImage { clues.append(Clue("heif.depth")) }
    if let range = picture.dynamicRange { clues.append(Clue("heif.transfer", range.rawValue)) }
    if picture.topLevelCount > 1 {
      clues.append(Clue("heif.topLevel", String(picture.topLevelCount)))
    }
  }
}
