/// The matrix coefficients of ITU-T H.273 §8.3.
package enum MatrixCoefficients {
  /// Whether a code's equations are those of JFIF: ITU-R BT.601, with codes 5 and 6. Code 2, "unspecified",
  /// counts as BT.601 too: that is the default of HEIF (MIAF §7.3.6.4) and of libheif.
  package static func isJFIF(_ code: Int) -> Bool { [2, 5, 6].contains(code) }
}
