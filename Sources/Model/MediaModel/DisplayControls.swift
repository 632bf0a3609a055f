extension Unicode.Scalar {
  /// Whether terminals or viewers interpret the character: control characters, line separators and
  /// characters that change the writing direction (Unicode's property `Bidi_Control`).
  ///
  /// Names and texts in files can contain any character.
  package var isDisplayControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
