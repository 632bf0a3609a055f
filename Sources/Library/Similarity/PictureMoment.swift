package import MediaModel

/// When and by which camera a picture was taken, as far as it decides whether two pictures are of one exposure.
package struct PictureMoment: Sendable, Hashable {
  /// The camera's model; nil if unknown.
  private var model: String?
  /// Seconds on the wall clock; nil if the camera has not recorded them.
  private var seconds: Int64?
  /// The digits after the decimal point of the seconds.
  private var fraction = ""
  private var burst: String?

  package init(_ asset: AssetRecord) {
    model = asset.camera.model
    burst = asset.subtypes.contains(.burst) ? asset.burstIdentifier : nil
    // Other times are of changes, of names, or a person's.
    guard let time = asset.captureTime,
      ["exif:DateTimeOriginal", "exif:DateTimeDigitized"].contains(where: time.source.hasPrefix)
    else { return }
    (seconds, fraction) = (time.wallSeconds, time.fraction)
  }

  /// Whether two pictures are of different exposures, however much they look alike: frames of one burst, of two cameras,
  /// or of two moments.
  ///
  /// Programs correct clocks and zones by whole quarters of an hour, so such a difference proves nothing.
  package func isAnotherExposure(than other: PictureMoment) -> Bool {
    if let burst, burst == other.burst { return true }
    if let model, let otherModel = other.model, model != otherModel { return true }
    guard let seconds, let otherSeconds = other.seconds else { return false }
    let difference = seconds - otherSeconds
    if difference % 900 != 0 { return true }
    // Some programs cut digits off.
    let length = min(fraction.utf8.count, other.fraction.utf8.count)
    return !fraction.utf8.prefix(length).elementsEqual(other.fraction.utf8.prefix(length))
  }
}
