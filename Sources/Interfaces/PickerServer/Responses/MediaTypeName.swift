import ShoeboxKit

/// The media type (RFC 6838) of a result, by the extension of its name.
struct MediaTypeName {
  /// Such as `image/jpeg`.
  let text: String

  init(fileName: String) {
    let fileExtension = FilePath(fileName).extension?.lowercased() ?? ""
    text = Self.types[fileExtension] ?? "application/octet-stream"
  }

  /// Those of the IANA registry, and the usual ones for raw data and Matroska.
  private static let types = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
    "heic": "image/heic", "heif": "image/heif", "hif": "image/heif", "avif": "image/avif",
    "webp": "image/webp", "tif": "image/tiff", "tiff": "image/tiff", "bmp": "image/bmp",
    "jxl": "image/jxl", "jp2": "image/jp2", "j2k": "image/j2c", "dng": "image/x-adobe-dng",
    "cr2": "image/x-canon-cr2", "cr3": "image/x-canon-cr3", "nef": "image/x-nikon-nef",
    "arw": "image/x-sony-arw", "raf": "image/x-fuji-raf", "orf": "image/x-olympus-orf",
    "rw2": "image/x-panasonic-rw2", "pef": "image/x-pentax-pef",
    "mp4": "video/mp4", "m4v": "video/x-m4v", "mov": "video/quicktime", "qt": "video/quicktime",
    "3gp": "video/3gpp", "3g2": "video/3gpp2", "avi": "video/x-msvideo",
    "mkv": "video/matroska", "webm": "video/webm", "ts": "video/mp2t", "mts": "video/mp2t",
    "m2ts": "video/mp2t", "mpg": "video/mpeg", "mpeg": "video/mpeg", "wmv": "video/x-ms-wmv",
    "asf": "video/x-ms-asf", "flv": "video/x-flv", "dv": "video/dv",
  ]
}
