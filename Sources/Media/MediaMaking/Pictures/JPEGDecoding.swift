import ByteReading
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer
import TurboJPEG
import WorkerProtocol

extension JPEGFormat: DecodablePicture {
  /// False: a JPEG can be reduced while it is decoded.
  static var hasSizeLimit: Bool { false }

  static func describe(
    _ file: MediaFile, _ type: UniformType
  ) throws -> PictureDescription {
    let source = WindowedSource(file)
    let structure = try JPEGFile(source)
    guard let size = structure.size else {
      throw ProbeFailure(.damaged, "The JPEG contains no picture.")
    }
    return PictureDescription(
      uprightSize: size, bitDepth: structure.precision,
      hasGainMap: try JPEGGainMap(of: structure, in: source) != nil,
      sdrCopy: try GainMapRemoval.sdrCopy(of: file, limit: Int(MediaFile.maximumStill)),
      obstacle: structure.codingObstacle)
  }

  static func decode(
    _ file: MediaFile, _ type: UniformType, atLeast longerSide: Int?
  ) throws -> DecodedPicture {
    // A file whose segments cannot be read may have pixels that can.
    if let obstacle = (try? JPEGFile(WindowedSource(file)))?.codingObstacle {
      throw ProbeFailure(.unsupported, obstacle)
    }
    var picture = try file.decodeJPEG(file.content(), atLeast: longerSide)
    picture.orientation = try file.storedOrientation(type)
    return picture
  }

  /// The EXIF thumbnail, if it is large enough and has the picture's shape: many have black bars, and some show
  /// the picture before it was cropped.
  static func embeddedThumbnail(
    of file: MediaFile, atLeast longerSide: Int
  ) throws -> DecodedPicture? {
    let structure = try JPEGFile(WindowedSource(file))
    guard let whole = structure.size, let small = structure.exif.flatMap(exifThumbnail),
      let decoder = try? JPEGDecoder(small), !decoder.isCMYK,
      max(decoder.size.width, decoder.size.height) >= longerSide, decoder.size.hasShape(of: whole),
      let picture = try? file.decodeJPEG(small, atLeast: nil)
    else { return nil }
    var upright = picture
    upright.orientation = try file.storedOrientation(.jpeg)
    upright.profile = try? file.pictureMetadata(.jpeg).icc
    return upright
  }
}

extension JPEGFile {
  /// Why the pixels cannot be decoded, as a sentence; nil if no reason is known, or the frame header is missing.
  fileprivate var codingObstacle: String? {
    if isLossless { return "Lossless JPEGs cannot be decoded here." }
    return precision == 8 || precision == 0
      ? nil : "JPEGs with \(precision) bits a sample cannot be decoded here."
  }
}

extension MediaFile {
  /// Decodes a JPEG, without turning it.
  func decodeJPEG(_ bytes: [UInt8], atLeast longerSide: Int?) throws -> DecodedPicture {
    let decoder = try JPEGDecoder(bytes)
    let (raster, complaint) = try decoder.decode(atLeast: longerSide)
    var picture = DecodedPicture(raster: raster, sampling: decoder.sampling)
    if let complaint {
      picture.notes.append("The JPEG is damaged: \(complaint.asPartOfSentence).")
    }
    if decoder.isCMYK { picture.inks = .inverted }
    return picture
  }
}
