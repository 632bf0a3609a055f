/// Default captions that cameras write into every picture.
enum CameraBoilerplate {
  /// The words after the maker's name: `OLYMPUS DIGITAL CAMERA`, `SAMSUNG CSC`, `SONY DSC`.
  private static let kinds = [" DIGITAL CAMERA", " CSC", " DSC"]

  /// Whether a camera wrote a caption.
  ///
  /// - Parameter make: the camera's maker, which such a caption contains; nil if it is unknown. Then only
  ///   captions such as `OLYMPUS DIGITAL CAMERA` match, which programs copy into pictures without EXIF.
  static func matches(_ caption: String, make: String?) -> Bool {
    // DJI: the picture's path on the card, its settings, or the name of a style.
    if caption.hasPrefix("DCIM\\") || caption.hasPrefix("Type=N, Mode=") { return true }
    let make = (make ?? "").uppercased()
    if caption == "default" { return make == "DJI" }
    return kinds.contains { kind in
      guard caption.hasSuffix(kind) else { return false }
      let name = caption.dropLast(kind.count)
      guard !name.isEmpty else { return false }
      return make.isEmpty
        ? kind == kinds[0] && name.allSatisfy(\.isUppercase) : make.contains(name)
    }
  }
}
