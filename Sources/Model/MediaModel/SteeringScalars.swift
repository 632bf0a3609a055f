extension Unicode.Scalar {
  /// Whether a terminal or a viewer acts on it instead of showing it: control characters, separators of
  /// lines, and what turns the direction of writing (Unicode's property `Bidi_Control`).
  ///
  /// Names and texts from files hold whatever somebody wrote into them.
  package var isSteering: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
