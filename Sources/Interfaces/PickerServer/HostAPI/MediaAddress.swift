import ShoeboxKit

/// The last part of a base URL: a name, and what is to be sent.
struct MediaAddress: Equatable {
  /// The form in which an item is sent.
  enum Form: Equatable {
    /// The file in the representation that the session asked for: `=d`, or nothing.
    case file
    /// The same of a video: `=dv`.
    case video
    /// A picture that fits into a box: `=w640-h480`, or one of the two. Google's options `-c`, to crop, and `-no`, for a
    /// video's frame without a play button, change nothing: the first is not supported, and the second is always so.
    case scaled(PixelSize)
    /// Something else.
    case unknown
  }

  /// The item's id, or the name of its part.
  let name: String
  /// What is to be sent.
  let form: Form

  init(name: String, form: Form) { (self.name, self.form) = (name, form) }

  init(_ text: String) {
    guard let sign = text.firstIndex(of: "=") else {
      self.init(name: text, form: .file)
      return
    }
    self.init(name: String(text[..<sign]), form: Self.form(text[text.index(after: sign)...]))
  }

  /// As in Google's API.
  private static let longestSide = 16_383

  private static func form(_ text: Substring) -> Form {
    switch text {
    case "d": return .file
    case "dv": return .video
    default: break
    }
    var size = PixelSize(width: longestSide, height: longestSide)
    var hasSide = false
    for option in text.split(separator: "-", omittingEmptySubsequences: false) {
      if option == "c" || option == "no" { continue }
      guard let number = Int(option.dropFirst()), (1...longestSide).contains(number) else {
        return .unknown
      }
      switch option.first {
      case "w": size.width = number
      case "h": size.height = number
      default: return .unknown
      }
      hasSide = true
    }
    return hasSide ? .scaled(size) : .unknown
  }
}
