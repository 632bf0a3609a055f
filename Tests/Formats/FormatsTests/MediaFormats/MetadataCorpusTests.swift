import ByteReading
import MediaFormats
import MediaModel
import Testing

/// XMP, IPTC and Apple's MakerNotes of the corpus, compared with exiftool's output.
@Suite(.enabled(if: Corpus.isPresent))
struct MetadataCorpusTests {
  private func pictures() throws -> [(entry: Corpus.Entry, picture: FoundPicture)] {
    let corpus = try #require(Corpus.shared)
    return try corpus.entries().compactMap { entry in
      let bytes = try corpus.library(entry.path)
      switch try ContentType(of: ArraySource(bytes), fileExtension: fileExtension(of: entry.path)) {
      case .media(let type):
        return try? FoundPicture(bytes, type).map { (entry, $0) }
      case .sidecar(.xmp):
        return (entry, FoundPicture(xmp: bytes))
      default: return nil
      }
    }
  }

  @Test func `content identifiers of stills equal exiftool's`() throws {
    var found = 0
    for (entry, picture) in try pictures() where entry["media_type"] == "image" {
      guard let exif = picture.exif, let tiff = try? TIFFFile(ArraySource(exif)),
        let first = try tiff.directory(at: tiff.firstDirectoryOffset),
        let directory = try tiff.directory(0x8769, of: first), let entry927C = directory[0x927C],
        let bytes = try tiff.bytes(of: entry927C), let note = AppleMakerNote(bytes)
      else {
        #expect(entry["content_id"] == nil, "\(entry.path)")
        continue
      }
      #expect(note.contentIdentifier == entry["content_id"], "\(entry.path)")
      if note.contentIdentifier != nil { found += 1 }
    }
    #expect(found >= 6)
  }
}

extension FoundPicture {
  init(xmp: [UInt8]) {
    self.xmp = xmp
  }
}
