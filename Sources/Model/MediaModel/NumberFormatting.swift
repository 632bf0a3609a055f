// Numbers in sentences, independent of Foundation and of the locale.

extension Double {
  /// With one decimal place, such as `3.2`.
  package var tenths: String { fixed(digits: 1) }

  /// With two decimal places, such as `1.05`.
  package var hundredths: String { fixed(digits: 2) }

  /// Rounded half up, and clamped to 0…1e9.
  private func fixed(digits: Int) -> String {
    let unit = digits == 1 ? 10 : 100
    let whole = self > 0 ? Int(Swift.min(self, 1e9) * Double(unit) + 0.5) : 0
    let rest = String(whole % unit)
    return "\(whole / unit).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }
}
