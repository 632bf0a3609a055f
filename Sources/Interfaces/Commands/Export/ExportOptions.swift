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

  @Flag(
    help:
      "Write into results what the catalog knows from sidecars and file names: capture time, place, title, description, keywords, people, rating, favorite, albums, original name."
  )
  var writeMetadata = false

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

  @Option(
    choosing:
      "Keep HDR (JPEGs get a gain map, videos become HEVC) or convert it to SDR; the preset decides otherwise.",
    valueName: "hdr")
  var hdr: Representation.DynamicRange?

  @Option(help: ArgumentHelp("Limit the longer side of pictures to N pixels.", valueName: "n"))
  var maxPixels: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Crop each picture: x,y,w,h is a rectangle in pixels, or per cent as 10%,0%,80%,100%. w,h is \
      in the middle, w:h the largest part there with this ratio, as 1:1 or square.
      """, valueName: "part"))
  var crop: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Cut each video to this range, for example 5-12.5 (seconds) or 1:05-1:20.",
      valueName: "start-end"))
  var trim: String?

  @Option(help: ArgumentHelp("Cut videos after this duration, for example 30s.", valueName: "time"))
  var maxDuration: String?

  @Flag(
    help:
      "Cut videos exactly to the frame, by re-encoding. Without it, a copied track begins at a key frame."
  )
  var exact = false
}

extension Representation.LivePhotoPart: WordChoice {}
extension Representation.Version: WordChoice {}
extension Representation.DynamicRange: WordChoice {}
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
    if exact, trim == nil, maxDuration == nil {
      throw ValidationError("--exact needs a cut: add --trim or --max-duration.")
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
    if let hdr { representation = representation.hdr(hdr) }
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
    if exact { representation = representation.cutExactly() }
    return representation
  }

  /// How the results are called, and what happens to files that have their names.
  ///
  /// - Parameter shard: the shard that is exported; nil for all.
  /// - Throws: `BadValue`, `PhotoLibraryError` for invalid templates.
  func placement(of shard: LibraryShard? = nil) throws -> ShoeboxKit::ExportOptions {
    let templates = name.filter { $0.contains("{") }
    if templates.count > 1 {
      throw BadValue(templates[1], "is a second name template: give only one")
    }
    var options = ShoeboxKit::ExportOptions(
      existingFiles: overwrite ? .overwrite : update ? .update : .keep,
      nameTemplate: templates.first, isFlat: flatten, sidecars: sidecars,
      writesMetadata: writeMetadata)
    options.shard = shard
    try options.check()
    return options
  }
}

extension Representation.Crop {
  /// The distances from the left and the top, width and height with commas, all in pixels or all in per cent; only
  /// width and height for a part in the middle; or a ratio with a colon.
  init(typed text: String) throws(BadValue) {
    let bad = BadValue(
      text,
      "is not a crop: write x,y,width,height in pixels or per cent, width,height, or a ratio as 16:9"
    )
    if text.trimmed.lowercased() == "square" {
      self = .square
    } else if text.contains(":") {
      let sides = try Self.pixels(text, separator: ":", bad)
      guard sides.count == 2, sides.allSatisfy({ $0 > 0 }) else { throw bad }
      self = .aspectRatio(sides[0], sides[1])
    } else if text.contains("%") {
      self = try .init(percentages: text, bad)
    } else {
      let numbers = try Self.pixels(text, separator: ",", bad)
      guard numbers.suffix(2).allSatisfy({ $0 > 0 }) else { throw bad }
      switch numbers.count {
      case 2: self = .centered(ShoeboxKit::PixelSize(width: numbers[0], height: numbers[1]))
      case 4:
        self.init(
          x: numbers[0], y: numbers[1],
          size: ShoeboxKit::PixelSize(width: numbers[2], height: numbers[3]))
      default: throw bad
      }
    }
  }

  private init(percentages text: String, _ bad: BadValue) throws(BadValue) {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    let parts = fields.filter { $0.hasSuffix("%") }.compactMap { Double($0.dropLast()) }
      .filter { (0...100).contains($0) }.map { $0 / 100 }
    guard fields.count == 4, parts.count == 4, parts[0] < 1, parts[1] < 1, parts[2] > 0,
      parts[3] > 0
    else { throw bad }
    self = .fractions(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }

  private static func pixels(
    _ text: String, separator: Character, _ bad: BadValue
  ) throws(BadValue) -> [Int] {
    let fields = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = fields.compactMap { Int($0.trimmed) }.filter { (0...1_000_000).contains($0) }
    guard numbers.count == fields.count else { throw bad }
    return numbers
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
    do {
      return try seconds(typed: text)
    } catch {
      throw text.contains(":") ? bad : error
    }
  }
}
