/// Where the references are wrong, or answer another question; each with its reason. docs/formats.md
/// tells the same to people.
enum KnownDisagreements {
  /// What a reference calls a picture or a video and Shoebox leaves alone.
  static func isNotMedia(_ file: ManifestFile) -> Bool {
    foreignFormats.contains(file.fileType) || withoutPicture[file.path] != nil
  }

  /// Pictures of laboratories, printing presses and films, drawings, and cameras' own wrappers: nothing
  /// that a photo library holds, and nothing that Shoebox promises to read.
  private static let foreignFormats: Set<String> = [
    "BPG", "CZI", "DJVU (multi-page)", "DPX", "EXR", "FITS", "FLIF", "FPF", "HDR", "ICO", "LFP",
    "MIE", "MRC", "PCD", "PCX", "PFM", "PGF", "PICT", "PMP", "PPM", "PSP", "R3D", "RAW", "SVG",
    "WTV", "XCF",
  ]

  /// Files in a video's container that hold no picture.
  private static let withoutPicture: [String: String] = [:]

  /// By column and path below the corpus's library.
  static let wrongReferences: [Comparison: [String: String]] = [:]
}
