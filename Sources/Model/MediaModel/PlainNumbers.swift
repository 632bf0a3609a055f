// Numbers as they stand in sentences, without Foundation and without anyone's locale.

extension Double {
  /// With one digit behind the point, as `3.2`.
  package var tenths: String { fixed(digits: 1) }

  /// With two digits behind the point, as `1.05`.
  package var hundredths: String { fixed(digits: 2) }

  /// Rounded half up; for what is no smaller than 0 and no larger than times are, to which other numbers
  /// are brought.
  private func fixed(digits: Int) -> String {
    let unit = digits == 1 ? 10 : 100
    let whole = self > 0 ? Int(Swift.min(self, 1e9) * Double(unit) + 0.5) : 0
    let rest = String(whole % unit)
    return "\(whole / unit).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }
}
