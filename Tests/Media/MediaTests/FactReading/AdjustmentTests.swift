import ByteReading
import Foundation
import MediaModel
import Testing

@testable import FactReading

/// The edits that AAE files record.
struct AdjustmentTests {
  /// An iPhone's file of a picture that its camera crops to 16:9 (Stack Overflow, question 61023739). Python's zlib and
  /// json read one enabled `Crop` from (0, 378), 4032×2268, in the orientation 6.
  private static let camera = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
        <key>adjustmentBaseVersion</key>
        <integer>0</integer>
        <key>adjustmentData</key>
        <data>
        bZBNT8JAEIb/y5wrKaBg9mbwIBdJNNGD8TC003bNfjS7U5CQ/nenW0o4eNt95+t9nzNY
        YiyREdQZLEam8EK6bhjUfb5cZBftU5fcgFosVo8Z+KDJMbL2DtSqz6DywSJ/UIhJmmdw
        GN9bV/lh8b7Tpnzt7J4CKJivnx9yyADb9joD8o9FQxbf6KBHLc+gNcjDdmnQu3eQW1j+
        dJGtGIigvs7/3CaHe0MlKA4dyVZi1q6Og48THtNaSVBrh2YTfDv1/e6SmOrRYhACFZoo
        leMYfuRxmtqWa0EROeBAi9yTqw2BupNp7Nhfh5sLzRFd4V0acTxRzm/FC+YhuOZieEli
        XUpYXenELjmeiG9vK4W3MyFqaNY2Xgz03/0f
        </data>
        <key>adjustmentEditorBundleID</key>
        <string>com.apple.camera</string>
        <key>adjustmentFormatIdentifier</key>
        <string>com.apple.photo</string>
        <key>adjustmentFormatVersion</key>
        <string>1.6</string>
        <key>adjustmentTimestamp</key>
        <date>2020-03-21T17:37:31Z</date>
    </dict>
    </plist>
    """

  /// A file that Python's plistlib has written in binary form, with an enabled effect and a disabled tone, compressed by
  /// its zlib.
  private static let binary = """
    YnBsaXN0MDDVAQIDBAUGBwgJCl8QFWFkanVzdG1lbnRCYXNlVmVyc2lvbl5hZGp1c3RtZW50RGF0YV8QGGFkanVzdG1lbnRFZGl0
    b3JCdW5kbGVJRF8QGmFkanVzdG1lbnRGb3JtYXRJZGVudGlmaWVyXxAXYWRqdXN0bWVudEZvcm1hdFZlcnNpb24QAE8QmF3OsQrC
    QAwG4FeRzA4KRcRdcHJRdBCH6OXaaO8OknQq9+6m0kW35MtPkhESGQY0hN1ihIRqJAfitjOHZrtaLma8crDObdNMVoQpGxqX7Lau
    TrFIQruQ6IxuGF6DWvKoutxG4OA1RybxHvYx0tPAg5Tx0VNwNBnIQcmMc6vft96cpxEcCwtUP/a/6JRQ7Fwy/e6K2CvVe/0AXxAQ
    Y29tLmFwcGxlLlBob3Rvc18QD2NvbS5hcHBsZS5waG90b1MxLjUACAATACsAOgBVAHIAjACOASkBPAFOAAAAAAAAAgEAAAAAAAAA
    CwAAAAAAAAAAAAAAAAAAAVI=
    """

  private func facts(_ file: [UInt8]) throws -> SidecarFacts {
    try #require(try SidecarFacts(.adjustmentData, ArraySource(file)))
  }

  /// The facts of a file in XML with this data.
  private func facts(
    data: [UInt8], format: String = "com.apple.photo"
  ) throws -> SidecarFacts {
    let text = """
      <plist version="1.0"><dict><key>adjustmentFormatIdentifier</key><string>\(format)</string>
      <key>adjustmentData</key><data>\(Data(data).base64EncodedString())</data></dict></plist>
      """
    return try facts(Array(text.utf8))
  }

  /// JSON as a DEFLATE stream of stored blocks (RFC 1951 §3.2.4).
  private func stored(_ json: String) -> [UInt8] {
    var stream: [UInt8] = []
    let bytes = Array(json.utf8)
    for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
      let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
      let length = UInt16(block.count)
      stream.append(start + block.count == bytes.count ? 1 : 0)
      for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
      stream += block
    }
    return stream
  }

  private func facts(json: String) throws -> SidecarFacts { try facts(data: stored(json)) }

  private func words(_ adjustments: String) throws -> [String] {
    try facts(json: #"{"adjustments":[\#(adjustments)]}"#).adjustments.words
  }

  @Test func `the crop of an iPhone's camera is named`() throws {
    let facts = try facts(Array(Self.camera.utf8))
    #expect(facts.adjustmentFormat == "com.apple.photo")
    #expect(facts.adjustments == AdjustmentList(words: ["crop"]))
    #expect(facts.orientation == .right)
  }

  @Test func `a binary property list is read`() throws {
    let file = try #require(Data(base64Encoded: Self.binary, options: .ignoreUnknownCharacters))
    let facts = try facts(Array(file))
    #expect(facts.adjustmentFormat == "com.apple.photo")
    #expect(facts.adjustments == AdjustmentList(words: ["filter"]))
    #expect(facts.orientation == .up)
  }

  /// The regions that an iPhone 6 Plus marks in a slow motion (rae.tnir.org, "Data inside Apple's AAE files").
  @Test func `a slow motion is named by its format`() throws {
    let data = """
      YnBsaXN0MDDRAQJac2xvd01vdGlvbtIDBAUXV3JlZ2lvbnNUcmF0ZaEG0QcIWXRpbWVSYW5nZdIJCgsUVXN0YXJ0WGR1cmF0aW9u
      1AwNDg8QERITVWZsYWdzVXZhbHVlWXRpbWVzY2FsZVVlcG9jaBABEQEMEQJYEADUDA0ODxUWEhMQAxEC4SI+AAAACAsWGyMoKi03
      PEJLVFpganBydXh6g4WIAAAAAAAAAQEAAAAAAAAAGAAAAAAAAAAAAAAAAAAAAI0=
      """
    let bytes = try #require(Data(base64Encoded: data, options: .ignoreUnknownCharacters))
    let facts = try facts(data: Array(bytes), format: "com.apple.video.slomo")
    #expect(facts.adjustments.words == ["slowMotion"])
  }

  @Test func `instructions of another program are its format's identifier`() throws {
    #expect(
      try facts(data: [1, 2, 3], format: "com.example.editor").adjustments.words
        == ["com.example.editor"])
    #expect(try facts(data: [1, 2, 3], format: "").adjustments.words == [])
    #expect(try facts(data: [1, 2, 3], format: "a\u{7}b").adjustments.words == [])
    #expect(
      try facts(data: [], format: String(repeating: "a", count: 129)).adjustments.words == [])
  }

  @Test(arguments: [
    (#"{"identifier":"Effect","enabled":true},{"identifier":"SmartColor"}"#, ["color", "filter"]),
    (#"{"identifier":"SmartTone","enabled":false},{"identifier":"Mute","enabled":0}"#, []),
    (#"{"identifier":"RedEyeBB","enabled":1},{"identifier":"RKRedEyeOperation"}"#, ["redEye"]),
    // A RAW always has the version of its decoder.
    (#"{"identifier":"RKRawDecodeOperation","enabled":true}"#, []),
    (#"{"identifier":"Later"},{"identifier":"Trim"},{"identifier":"A"}"#, ["trim", "A", "Later"]),
    // Other types than expected.
    (#"1,null,[],"x",{},{"identifier":7},{"identifier":"Mute","enabled":"no"}"#, ["mute"]),
    (#"{"identifier":"Effect","settings":[1]},{"identifier":""}"#, ["filter"]),
    (##"{"identifier":"a\nb"},{"identifier":"\#u0000"}"##, []),
  ])
  func `enabled edits are named in one order`(adjustments: String, expected: [String]) throws {
    #expect(try words(adjustments) == expected)
  }

  @Test(arguments: [
    (#""straightenAngle":0.05,"xOrigin":9,"width":80,"height":60"#, ["crop", "straighten"], nil),
    (#""straightenAngle":-0,"pitch":0,"yaw":0,"width":80,"height":60"#, [], PixelSize.test),
    (#""pitch":0.1,"width":80,"height":60"#, ["perspective"], .test),
    (#""yaw":-0.1,"yOrigin":2,"width":80,"height":60"#, ["crop", "perspective"], nil),
    (#""xOrigin":0.2,"yOrigin":-1e-9,"width":80.0001,"height":59.9"#, [], .test),
    (#""width":"80","height":60"#, ["crop"], nil), ("", ["crop"], nil),
    (#""width":1e300,"height":60"#, ["crop"], nil), (#""width":-80,"height":60"#, ["crop"], nil),
  ])
  func `the geometry of a crop decides its words`(
    settings: String, expected: [String], corner: PixelSize?
  ) throws {
    let facts = try facts(
      json: #"{"adjustments":[{"identifier":"Crop","settings":{\#(settings)}}]}"#)
    #expect(facts.adjustments == AdjustmentList(words: expected, cornerCrop: corner))
  }

  @Test func `a crop from a corner is an edit of a larger picture only`() {
    let list = AdjustmentList(words: ["filter"], cornerCrop: .test)
    for size in [PixelSize.test, PixelSize(width: 60, height: 80)] {
      #expect(list.words(for: size, isTurned: false) == ["filter"])
    }
    #expect(
      list.words(for: PixelSize(width: 80, height: 61), isTurned: true)
        == ["crop", "rotation", "filter"])
    #expect(list.words(for: nil, isTurned: false) == ["crop", "filter"])
  }

  @Test(arguments: [
    ("red eye", "redEye"), ("black and white", "blackAndWhite"), ("crop", "crop"),
    ("SomethingNew", "SomethingNew"), ("com.example.Editor", "com.example.Editor"),
  ])
  func `words are readable`(text: String, word: String) {
    #expect(Adjustment.text(word) == text)
  }

  @Test(arguments: [
    "", "[]", "{", "null", #"{"adjustments":{}}"#, #"{"adjustments":[{"identifier":"Crop"}"#,
    #"{"metadata":{"orientation":9}}"#, #"{"metadata":[]}"#, "\u{FEFF}{}",
    #"{"adjustments":"Crop"}"#,
  ])
  func `other JSON names nothing`(json: String) throws {
    let facts = try facts(json: json)
    #expect(facts.adjustments == AdjustmentList())
    #expect(facts.orientation == nil)
  }

  @Test func `depth, number and length of edits are limited`() throws {
    let deep = String(repeating: "[", count: 200_000)
    #expect(try facts(json: deep).adjustments == AdjustmentList())
    #expect(try facts(json: #"{"adjustments":\#(deep)"#).adjustments == AdjustmentList())
    #expect(
      try words(#"{"identifier":"Crop","settings":{"width":\#(deep)"#) == [], "not valid JSON")
    let many = (0..<5000).map { #"{"identifier":"n\#($0)"}"# }.joined(separator: ",")
    #expect(try words(many).count == 256)
    let long = String(repeating: "n", count: 129)
    #expect(
      try words(#"{"identifier":"\#(long)"},{"identifier":"\#(long.dropLast())"}"#).count == 1)
  }

  /// A stream of the fixed codes (RFC 1951 §3.2.6): a space, then copies of the 258 bytes before.
  @Test func `a stream that grows beyond the limit is not read`() throws {
    func stream(copies: Int) -> [UInt8] {
      let json = #"{"adjustments":[{"identifier":"Mute"}]}"#
      func literal(_ byte: UInt8) -> String { bits(UInt16(byte) + 0x30, 8) }
      func bits(_ code: UInt16, _ count: Int) -> String {
        let digits = String(code, radix: 2)
        return String(repeating: "0", count: count - digits.count) + digits
      }
      let all =
        "110" + json.utf8.map(literal).joined() + literal(0x20)
        + String(repeating: bits(0b1100_0101, 8) + bits(0, 5), count: copies) + bits(0, 7)
      let digits = Array(all.utf8)
      return stride(from: 0, to: digits.count, by: 8).map { start in
        (start..<min(start + 8, digits.count)).reduce(0) { byte, index in
          byte | (digits[index] == UInt8(ascii: "1") ? 1 << UInt8(index - start) : 0)
        }
      }
    }
    #expect(try facts(data: stream(copies: 100)).adjustments.words == ["mute"])
    #expect(try facts(data: stream(copies: 16_257)).adjustments.words == [], "4 MiB")
  }

  @Test func `a damaged file names nothing`() throws {
    let whole = Array(Self.camera.utf8)
    for count in stride(from: 0, to: whole.count - 8, by: 7) {
      #expect(try facts(Array(whole.prefix(count))).adjustments.words == [])
    }
    for broken in ["bZBNT8", "bZB!N@", "====", "bZBNT8JAEIb/y5wrKaBg9mbwIBdJNNGD8TC0"] {
      let text = Self.camera.replacing(#/<data>[^<]*</data>/#, with: "<data>\(broken)</data>")
      let facts = try facts(Array(text.utf8))
      #expect(facts.adjustmentFormat == "com.apple.photo")
      #expect(facts.adjustments == AdjustmentList())
    }
    let file = try #require(Data(base64Encoded: Self.binary, options: .ignoreUnknownCharacters))
    let binary = Array(file)
    for count in binary.indices { _ = try facts(Array(binary.prefix(count))) }
    for index in binary.indices {
      for value: UInt8 in [0, 1, 0x0F, 0x7F, 0x80, 0xFF] {
        var damaged = binary
        damaged[index] = value
        _ = try facts(damaged)
      }
    }
  }
}

extension PixelSize {
  fileprivate static let test = PixelSize(width: 80, height: 60)
}
