package import MediaModel

extension Location {
  /// ISO 6709 in degrees, such as `+47.3600+008.5400+408.0/`.
  package var iso6709: String {
    Self.signed(latitude, digits: 2) + Self.signed(longitude, digits: 3)
      + (altitude.map { Self.signed($0, digits: 1, places: 3) } ?? "") + "/"
  }

  /// A number with its sign, at least `digits` digits before the decimal point, and `places` after it.
  private static func signed(_ value: Double, digits: Int, places: Int = 6) -> String {
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let units = Int(min(abs(value), 1e9) * Double(scale) + 0.5)
    let whole = String(units / scale)
    let rest = String(units % scale)
    return (value < 0 ? "-" : "+") + String(repeating: "0", count: max(0, digits - whole.count))
      + whole + "." + String(repeating: "0", count: places - rest.count) + rest
  }
}
