import MediaModel
import Testing

/// The media types of uniform types.
@Suite struct MediaTypeNameTests {
  @Test func `every picture and video has a media type of its kind`() throws {
    for type in UniformType.pictures {
      #expect(type.mediaTypeName?.hasPrefix("image/") == true, "\(type.rawValue)")
    }
    for type in UniformType.videos {
      #expect(type.mediaTypeName?.hasPrefix("video/") == true, "\(type.rawValue)")
    }
    #expect(UniformType.xmp.mediaTypeName == nil)
  }

  /// Names of the IANA registry.
  @Test(arguments: [
    ("jfif", "image/jpeg"), ("jpe", "image/jpeg"), ("JPG", "image/jpeg"), ("apng", "image/png"),
    ("heic", "image/heic"), ("heics", "image/heic-sequence"), ("hif", "image/heif"),
    ("avifs", "image/avif"), ("jxl", "image/jxl"), ("jp2", "image/jp2"), ("mov", "video/quicktime"),
    ("mkv", "video/matroska"), ("3gpp", "video/3gpp"),
  ])
  func `known extensions lead to media types`(fileExtension: String, name: String) throws {
    #expect(UniformType(fileExtension: fileExtension)?.mediaTypeName == name)
  }
}
