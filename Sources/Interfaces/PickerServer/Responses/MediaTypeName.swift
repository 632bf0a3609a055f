import MediaModel
import ShoeboxKit

/// The media type (RFC 6838) of a result, by the extension of its name.
struct MediaTypeName {
  /// Such as `image/jpeg`.
  let text: String

  init(fileName: String) {
    let fileExtension = FilePath(fileName).extension?.lowercased() ?? ""
    text =
      Self.exceptions[fileExtension] ?? UniformType(fileExtension: fileExtension)?.mediaTypeName
      ?? "application/octet-stream"
  }

  /// Extensions that say more than the uniform type.
  private static let exceptions = [
    "j2k": "image/j2c", "j2c": "image/j2c", "jpc": "image/j2c", "asf": "video/x-ms-asf",
  ]
}
