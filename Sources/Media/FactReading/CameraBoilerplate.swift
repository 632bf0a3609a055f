/// What cameras write where people write captions, into every picture and by themselves.
enum CameraBoilerplate {
  /// What stands behind the maker's name: `OLYMPUS DIGITAL CAMERA`, `SAMSUNG CSC`, `SONY DSC`.
  private static let kinds = [" DIGITAL CAMERA", " CSC", " DSC"]

  /// Whether a caption is of that sort.
  ///
  /// - Parameter make: the camera's, which such a text names.
  static func matches(_ caption: String, make: String?) -> Bool {
    // DJI: where the picture lay on the card; what it was set to; the name of a style.
    if caption.hasPrefix("DCIM\\") || caption.hasPrefix("Type=N, Mode=") { return true }
    let make = (make ?? "").uppercased()
    if caption == "default" { return make == "DJI" }
    return kinds.contains { kind in
      guard caption.hasSuffix(kind) else { return false }
      let name = caption.dropLast(kind.count)
      return !name.isEmpty && make.contains(name)
    }
  }
}
