import Foundation
import MediaModel
import MediaTools

/// What exiftool reads from a file, for the tags that ``MediaFacts`` has too.
struct ExiftoolFacts: Decodable {
  var Make, Model, LensModel, DateTimeOriginal, ObjectName, Description: String?
  var ISO: Int?
  var ExposureTime, FNumber, FocalLength, GPSLatitude, GPSLongitude: Double?
  var Orientation: UInt8?

  private static let tags = [
    "Make", "Model", "LensModel", "DateTimeOriginal", "ObjectName", "Description", "ISO",
    "ExposureTime", "FNumber", "FocalLength", "GPSLatitude", "GPSLongitude", "Orientation",
  ]

  /// Reads files of a folder. exiftool reads damaged ones too.
  ///
  /// - Parameter options: `-n`, or none for values that exiftool stores as codes.
  static func read(
    _ names: [String], in folder: ScratchFolder, options: [String] = ["-n"]
  ) async throws -> [ExiftoolFacts] {
    let text = try await Tool.exiftool.run(
      ["-j", "-m", "-q", "-q"] + options + tags.map { "-" + $0 } + names.map { folder.path($0) })
    return try JSONDecoder().decode([ExiftoolFacts].self, from: Data(text.utf8))
  }

  /// The number of tags that exiftool found.
  var count: Int {
    let values: [Any?] = [
      Make, Model, LensModel, DateTimeOriginal, ISO, ExposureTime, FNumber, FocalLength,
      GPSLatitude, GPSLongitude, Orientation,
    ]
    return values.count { $0 != nil }
  }

  /// The names of the values that exiftool found and the facts lack or contradict.
  func missing(in facts: MediaFacts) -> [String] {
    func differs(_ theirs: Double?, _ ours: Double?) -> Bool {
      guard let theirs, theirs > 0 else { return false }
      return abs((ours ?? 0) - theirs) > theirs / 1000
    }
    func differs<Value: Equatable>(_ theirs: Value?, _ ours: Value?) -> Bool {
      theirs != nil && theirs != ours
    }
    let place = facts.location
    let found: [(String, Bool)] = [
      ("Make", differs(Make, facts.camera.make)), ("Model", differs(Model, facts.camera.model)),
      ("LensModel", differs(LensModel, facts.camera.lens)),
      ("DateTimeOriginal", DateTimeOriginal != nil && facts.captureTime == nil),
      ("ISO", differs(ISO, facts.exposure.iso)),
      ("ExposureTime", differs(ExposureTime, facts.exposure.time)),
      ("FNumber", differs(FNumber, facts.exposure.fNumber)),
      ("FocalLength", differs(FocalLength, facts.exposure.focalLength)),
      // One of them is not a place.
      ("GPSLatitude", GPSLongitude != nil && differs(GPSLatitude, place?.latitude)),
      ("GPSLongitude", GPSLatitude != nil && differs(GPSLongitude, place?.longitude)),
      ("Orientation", differs(Orientation, facts.orientation?.rawValue)),
    ]
    return found.filter(\.1).map(\.0)
  }
}

/// A JPEG with a frame header of 8 × 8 pixels, without pixels.
///
/// - Parameter segments: the contents of APP1 segments.
func bareJPEG(_ segments: [[UInt8]]) -> [UInt8] {
  let frame: [UInt8] = [
    0xFF, 0xC0, 0, 17, 8, 0, 8, 0, 8, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
  ]
  return [0xFF, 0xD8] + segments.flatMap { [0xFF, 0xE1] + bigEndian($0.count + 2, 2) + $0 } + frame
    + [0xFF, 0xD9]
}
