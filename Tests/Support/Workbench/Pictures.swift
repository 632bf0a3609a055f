import Foundation

extension Workbench {
  /// Writes a small picture into the library, and creates folders as needed.
  ///
  /// - Parameters:
  ///   - path: below the library.
  ///   - width: the picture's width, by which a test can distinguish pictures.
  ///   - words: a comment inside the file, so that files are equal only if a test wants them to be.
  package func addPicture(
    _ path: String, width: Int = 16, words: String? = nil
  ) throws {
    let url = URL(filePath: library).appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(Self.gif(width: width, words: words ?? path)).write(to: url)
  }

  /// Waits until the last written files are old enough for their times to prove that they are unchanged.
  package func letFilesAge() async throws {
    try await Task.sleep(for: .milliseconds(300))
  }

  /// Writes `count` small, different pictures, `perFolder` to a folder.
  package func addPictures(_ count: Int, perFolder: Int = 25) throws {
    for index in 0..<count {
      try addPicture("folder\(index / perFolder)/picture\(index).gif", width: 1 + index)
    }
  }

  /// A GIF whose screen is `width` × 9 and whose one frame is a single pixel, with a comment.
  private static func gif(width: Int, words: String) -> [UInt8] {
    let comment = Array(words.utf8.prefix(255))
    return Array("GIF89a".utf8)
      + [UInt8(truncatingIfNeeded: width), UInt8(truncatingIfNeeded: width >> 8), 9, 0]
      + [0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
      + [0x21, 0xFE, UInt8(comment.count)] + comment + [0]
      + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
  }
}
