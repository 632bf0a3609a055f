import ArgumentParser
import MediaEdits
import MediaModel
import Presets
import Query
import ShoeboxKit

/// The options for the results of an export.
struct ExportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Preset for pictures and videos, for example compatible or current.",
      valueName: "name"), completion: .presets())
  var preset: String?

  @Option(
    help: ArgumentHelp("Preset for pictures.", valueName: "name"),
    completion: .presets(.image))
  var imagePreset: String?

  @Option(
    help: ArgumentHelp("Preset for videos.", valueName: "name"), completion: .presets(.video))
  var videoPreset: String?

  @Option(choosing: "Parts of a live photo to export.", valueName: "live-photo")
  var livePhoto = Representation.LivePhotoPart.pair

  @Option(
    choosing: "Version of an edited picture to export, if you do not name a file.",
    valueName: "edits")
  var edits = Representation.Version.current

  @Option(
    choosing: "Files of an asset to export; all includes both versions, clips, RAW and sidecars.",
    valueName: "resources")
  var resources = ResourceChoice.main

  @Option(
    choosing:
      "Write what the catalog knows of each result into a file next to it, RESULT.EXT.xmp.",
    valueName: "sidecars")
  var sidecars: ShoeboxKit::ExportOptions.Sidecars?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Template for output names, for example '{captureDate:yyyy/MM}/{stem}{ext}'. Without a "
        + "{field}, a name filter as in list.", valueName: "template"))
  var name: [String] = []

  @Flag(help: "Write all results into one folder.")
  var flatten = false

  @Flag(help: "Re-export assets whose source or settings changed.")
  var update = false

  @Flag(help: "Overwrite files that have the names of results, but never originals.")
  var overwrite = false

  @Flag(
    help:
      "Remove location metadata: coordinates and place names. Titles, captions and file names stay."
  )
  var stripLocation = false

  @Flag(
    help:
      "Remove captions: titles, descriptions, headlines, alternative texts and comments. Keywords stay."
  )
  var stripCaptions = false

  @Flag(help: "Remove all metadata except orientation and colour.")
  var stripMetadata = false

  @Option(help: ArgumentHelp("Limit the longer side of pictures to N pixels.", valueName: "n"))
  var maxPixels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Crop each picture to this rectangle, in pixels.", valueName: "x,y,w,h"))
  var crop: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut each video to this range, for example 5-12.5 (seconds) or 1:05-1:20.",
      valueName: "start-end"))
  var trim: String?

  @Option(help: ArgumentHelp("Cut videos after this duration, for example 30s.", valueName: "time"))
  var maxDuration: String?
}

extension Representation.LivePhotoPart: WordChoice {}
extension Representation.Version: WordChoice {}
extension ShoeboxKit::ExportOptions.Sidecars: WordChoice {}

/// Which of the files of an asset a command is about.
enum ResourceChoice: String, WordChoice, CaseIterable {
  /// The picture or video, and the clip of a live photo.
  case main
  /// Every file of the asset: both versions, their clips, the RAW, and the sidecars.
  case all
}

extension ExportOptions {
  /// Rejects options that select a part of an asset together with options that select all of it.
  ///
  /// - Throws: `ValidationError`.
  func validateChoices() throws {
    if resources == .all, livePhoto != .pair || edits == .original {
      throw ValidationError(
        "--resources all exports everything: leave out --live-photo and --edits.")
    }
  }

  /// The names wanted, as filters have them.
  var namePatterns: [String] { name.filter { !$0.contains("{") } }

  /// What the assets become.
  ///
  /// - Throws: `BadValue`, `PresetChoiceError` for invalid values.
  func representation(_ library: PresetLibrary) throws -> Representation {
    var representation = Representation.presets(
      try library.imagePreset(imagePreset ?? preset ?? "compatible"),
      try library.videoPreset(videoPreset ?? preset ?? "compatible"))
    representation = representation.livePhoto(livePhoto).version(edits)
    if resources == .all { representation = representation.includingAllResources() }
    if stripLocation { representation = representation.removingLocation() }
    if stripCaptions { representation = representation.removingCaptions() }
    if stripMetadata { representation = representation.removingMetadata() }
    if let maxPixels {
      guard (1...65_535).contains(maxPixels) else {
        throw BadValue(
          String(maxPixels), "is not a number of pixels: write a number from 1 to 65535")
      }
      representation = representation.maxPixels(maxPixels)
    }
    if let crop { representation = representation.cropped(to: try .init(typed: crop)) }
    if let trim { representation = representation.trimmed(to: try TimeSpan(typed: trim)) }
    if let maxDuration {
      let seconds = try seconds(typed: maxDuration)
      if seconds == 0 { throw BadValue(maxDuration, "leaves nothing of a video") }
      representation = representation.maxDuration(seconds)
    }
    return representation
  }

  /// How the results are called, and what happens to files that have their names.
  ///
  /// - Throws: `BadValue`, `PhotoLibraryError` for invalid templates.
  func placement() throws -> ShoeboxKit::ExportOptions {
    let templates = name.filter { $0.contains("{") }
    if templates.count > 1 {
      throw BadValue(templates[1], "is a second name template: give only one")
    }
    let options = ShoeboxKit::ExportOptions(
      existingFiles: overwrite ? .overwrite : update ? .update : .keep,
      nameTemplate: templates.first, isFlat: flatten, sidecars: sidecars)
    try options.check()
    return options
  }
}

extension Representation.Crop {
  /// Four numbers with commas: the distances from the left and the top, width and height.
  init(typed text: String) throws(BadValue) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Int($0.trimmed) }
    let known = numbers.compactMap { $0 }.filter { (0...1_000_000).contains($0) }
    guard numbers.count == 4, known.count == 4, known[2] > 0, known[3] > 0 else {
      throw BadValue(text, "is not a crop: write x,y,width,height in pixels")
    }
    self.init(
      x: known[0], y: known[1], size: ShoeboxKit::PixelSize(width: known[2], height: known[3]))
  }
}

extension TimeSpan {
  /// Two times with a hyphen, of which one may be omitted: `5-12.5`, `1:05-`, `-30s`.
  init(typed text: String) throws(BadValue) {
    let bad = BadValue(text, "is not a range: write start and end, for example 5-12.5 or 1:05-1:20")
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(\.trimmed)
    guard parts.count == 2, parts != ["", ""] else { throw bad }
    let start = parts[0].isEmpty ? 0 : try Self.time(parts[0], bad)
    let end = parts[1].isEmpty ? nil : try Self.time(parts[1], bad)
    if let end, end <= start { throw BadValue(text, "ends before it begins") }
    self.init(start: start, end: end)
  }

  /// Seconds of `12.5`, `90s`, `1:05` or `1:02:03.5`.
  private static func time(_ text: String, _ bad: BadValue) throws(BadValue) -> Double {
    let fields = text.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count > 1 else { return try seconds(typed: text) }
    let numbers = fields.compactMap { Double($0) }.filter { (0..<100_000).contains($0) }
    guard fields.count <= 3, numbers.count == fields.count else { throw bad }
    return numbers.reduce(0) { $0 * 60 + $1 }
  }
}
