import MediaFormats
import MediaModel
import Testing

@testable import FactReading
@testable import MediaMaking
@testable import MetadataRemoval

/// The list of formats, and the protocols that each of them implements.
struct MediaFormatTests {
  @Test func `each type of pictures and videos has one format`() {
    let types = mediaFormats.flatMap { Array($0.uniformTypes) }
    #expect(Set(types).count == types.count)
    for type in types { #expect(type.mediaType != nil, "\(type.rawValue)") }
    for type in UniformType.pictures { #expect(type.format != nil, "\(type.rawValue)") }
  }

  @Test func `a format reads pictures or movies`() {
    for format in mediaFormats {
      let isMovie = format.uniformTypes.allSatisfy { $0.mediaType == .video }
      #expect((format is any MovieFormat.Type) == isMovie, "\(format)")
      #expect((format is any PictureFormat.Type) == !isMovie, "\(format)")
    }
  }

  @Test func `pictures can be read, decoded, and copied without their location`() {
    for format in mediaFormats where format is any PictureFormat.Type {
      #expect(format is any ReadablePicture.Type, "\(format)")
      #expect(format is any DecodablePicture.Type, "\(format)")
      #expect(format is any RedactableFormat.Type, "\(format)")
    }
  }

  @Test func `RAW formats contain only RAW types, but for TIFF`() {
    for format in mediaFormats {
      let hasRAW = format.uniformTypes.contains { $0.isRaw }
      #expect((format is any RAWFormat.Type) == hasRAW, "\(format)")
      for type in format.uniformTypes where hasRAW {
        #expect(type.isRaw || type == .tiff, "\(type.rawValue)")
      }
    }
  }
}
