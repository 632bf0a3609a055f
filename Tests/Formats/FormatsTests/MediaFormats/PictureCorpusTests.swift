import ByteReading
import MediaFormats
import MediaModel
import Testing

/// The picture in a file, by the readers of this module.
struct FoundPicture {
  var size: PixelSize?
  var exif: [UInt8]?
  var xmp: [UInt8]?

  /// Reads any still; nil for types that C libraries read.
  init?(_ bytes: [UInt8], _ type: UniformType) throws {
    let source = WindowedSource(ArraySource(bytes))
    switch type {
    case .jpeg:
      let file = try JPEGFile(source)
      (size, exif, xmp) = (file.size, file.exif, file.xmp)
    case .png:
      let file = try PNGFile(source)
      (size, exif, xmp) = (file.size, file.exif, file.xmp)
    case .gif: size = try GIFFile(source).size
    case .webP:
      let file = try WebPFile(source)
      (size, exif, xmp) = (file.size, file.exif, file.xmp)
    case .bmp: size = try BMPFile(source).size
    case .jpegXL:
      let file = try JPEGXLFile(source)
      (size, exif, xmp) = (file.size, file.exif, file.xmp)
    case .jpeg2000:
      let file = try JPEG2000File(source)
      (size, exif, xmp) = (file.size, file.exif, file.xmp)
    case .heic, .heif, .heics, .avif:
      let file = try HEIFContainer(source)
      size = file.storedSize
      exif = try file.exif(from: source)
      xmp = try file.xmp(from: source)
    case .fujiRAF:
      let file = try RAFFile(source)
      size = file.size
      exif = try JPEGFile(source.part(file.embeddedJPEG)).exif
    case .minoltaMRW:
      let file = try MRWFile(source)
      (size, exif) = (file.size, file.exif)
    case .canonCRW: size = try CRWFile(source).size
    case .sigmaX3F:
      let file = try X3FFile(source)
      size = file.size
      exif = try file.embeddedJPEG.map { try JPEGFile(source.part($0)).exif } ?? nil
    case .canonCR3:
      guard let canon = try ISOMovie(source).canonRaw else { return nil }
      exif = try CompactExif.block(of: canon)
      if let main = canon.main {
        size = try TIFFPicture(TIFFFile(ArraySource(main)), type: .tiff).storedSize
      }
    default:
      guard type.mediaType == .image else { return nil }
      let tiff = try TIFFFile(source)
      let picture = try TIFFPicture(tiff, type: type)
      (size, xmp) = (picture.storedSize, picture.xmp)
      exif = try CompactExif.block(of: tiff)
    }
  }
}

/// Sizes and EXIF of the stills of the corpus, compared with exiftool's output.
@Suite(.enabled(if: Corpus.isPresent))
struct PictureCorpusTests {
  @Test func `stored sizes equal exiftool's`() throws {
    let corpus = try #require(Corpus.shared)
    var compared = 0
    for entry in try corpus.entries() {
      guard let width = entry["width"].flatMap(Int.init),
        let height = entry["height"].flatMap(Int.init)
      else { continue }
      let bytes = try corpus.library(entry.path)
      guard
        case .media(let type) = try ContentType(
          of: ArraySource(bytes), fileExtension: fileExtension(of: entry.path)),
        let picture = try? FoundPicture(bytes, type)
      else { continue }
      // exiftool reports the DP2's preview. The size of a sequence is in its track only.
      if ["SigmaDP2.x3f", "avis_with_no_ptim_no_iloc.avif", "avis_with_pitm_no_iloc.avif"]
        .contains(where: entry.path.hasSuffix)
      {
        continue
      }
      compared += 1
      #expect(picture.size == PixelSize(width: width, height: height), "\(entry.path) \(type)")
    }
    #expect(compared > 350)
  }

  @Test func `camera models equal exiftool's`() throws {
    let corpus = try #require(Corpus.shared)
    var compared = 0
    for entry in try corpus.entries() {
      guard entry["media_type"] != "video", let model = entry["model"] else { continue }
      let bytes = try corpus.library(entry.path)
      guard
        case .media(let type) = try ContentType(
          of: ArraySource(bytes), fileExtension: fileExtension(of: entry.path)),
        let picture = try? FoundPicture(bytes, type)
      else { continue }
      compared += 1
      let tiff = try picture.exif.map { try TIFFFile(ArraySource($0)) }
      let first = try tiff.flatMap { try $0.directory(at: $0.firstDirectoryOffset) }
      let found = try first.flatMap { try tiff?.text(0x0110, in: $0) }
      #expect(found == model, "\(entry.path) \(type)")
    }
    #expect(compared > 150)
  }

  /// libheif reports the displayed size, exiftool does not.
  @Test func `displayed sizes of HEIF files equal libheif's`() throws {
    let corpus = try #require(Corpus.shared)
    var compared = 0
    for entry in try corpus.entries() {
      guard ["HEIC", "HEIF", "AVIF"].contains(entry["file_type"]),
        let width = entry["display_width"].flatMap(Int.init),
        let height = entry["display_height"].flatMap(Int.init),
        // Another item refers to its primary item as a thumbnail. The standard and exiftool show the primary item.
        !entry.path.hasSuffix("invalid_id.heic"),
        case let source = ArraySource(try corpus.library(entry.path)),
        let size = try? HEIFContainer(source).displaySize
      else { continue }
      compared += 1
      #expect(size == PixelSize(width: width, height: height), "\(entry.path)")
    }
    #expect(compared > 40)
  }
}
