import ByteReading
import MediaFormats
import Testing

/// Texts in AVI headers and in edit instructions.
struct CameraDateTests {
  private func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + le32(content.count) + content + zeros(content.count % 2)
  }

  /// A Konica's date, which two NULs follow (exiftool's RIFF.pm).
  @Test func `the recording date of an AVI is read`() throws {
    let date = chunk("IDIT", Array("2002-12-16  15:35:01\0\0".utf8))
    let header = chunk("LIST", Array("hdrl".utf8) + chunk("avih", zeros(56)) + date)
    let file = chunk("RIFF", Array("AVI ".utf8) + header + chunk("idx1", zeros(16)))
    #expect(try aviRecordingDate(in: ArraySource(file)) == "2002-12-16  15:35:01")
    let bare = chunk(
      "RIFF", Array("AVI ".utf8) + chunk("LIST", Array("hdrl".utf8) + chunk("avih", zeros(56))))
    #expect(try aviRecordingDate(in: ArraySource(bare)) == nil)
    #expect(try aviRecordingDate(in: ArraySource(chunk("RIFF", Array("WAVE".utf8) + date))) == nil)
    for count in 0..<(file.count - 30) {
      let cut = try aviRecordingDate(in: ArraySource(Array(file.prefix(count))))
      #expect(cut == nil || "2002-12-16  15:35:01".hasPrefix(cut ?? ""))
    }
  }

  /// The instructions that an iPhone 6 Plus writes next to a slow-motion video.
  @Test(arguments: [
    (
      "<key>adjustmentData</key><data>YnBs</data><key>adjustmentFormatIdentifier</key>"
        + "<string>com.apple.video.slomo</string>", "com.apple.video.slomo"
    ),
    ("<key>adjustmentFormatIdentifier</key><string> com.apple.photo </string>", "com.apple.photo"),
    ("<key>adjustmentFormatIdentifier</key>", nil),
    ("<key>adjustmentFormatIdentifier</key><integer>1</integer>", nil),
    ("<key>other</key><string>com.apple.photo</string>", nil),
  ])
  func `the format of edit instructions is read`(entries: String, expected: String?) {
    let list =
      #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\#(entries)</dict></plist>"#
    #expect(AdjustmentFile(Array(list.utf8)).formatIdentifier == expected)
  }
}
