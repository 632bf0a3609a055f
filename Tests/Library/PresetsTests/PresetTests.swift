import MediaEdits
import MediaModel
import Testing

@testable import Presets

struct ShippedPresetTests {
  @Test func everyShippedFileIsValid() {
    let library = PresetLibrary()
    #expect(library.problems.isEmpty, "\(library.problems)")
    #expect(library.presets.count >= PresetFile.shipped.count)
    for preset in library.presets { #expect(!preset.header.description.isEmpty) }
  }

  /// The schema's own defaults are values that it would take from a file.
  @Test(arguments: PresetKind.allCases) func everyDefaultKeepsToTheSchema(kind: PresetKind) {
    for key in PresetSchema.keys(of: kind) {
      let value = key.standard
      #expect(key.complaint(about: value) == nil, "\(key.name)")
    }
  }

  @Test func theContractsPresetsAreThere() throws {
    let library = PresetLibrary()
    let compatible = try library.imagePreset("compatible")
    #expect(compatible.format == .jpeg)
    #expect(compatible.transparentFormat == .png)
    #expect(compatible.keepTypes.contains(.jpeg))
    #expect(try library.imagePreset("current").format == .source)
    #expect(try library.imagePreset("web").maxPixels == 2048)
    #expect(try library.imagePreset("email").colorSpace == .sRGB)
    #expect(try library.imagePreset("thumbnail").metadata == .appearanceOnly)
    #expect(try library.imagePreset("archive-png").format == .png)
    #expect(try library.videoPreset("compatible").codec == .encoded(.h264))
    #expect(try library.videoPreset("current").codec == .source)
  }

  @Test(arguments: [
    "current", "Passthrough", "passthrough", "AVAssetExportPresetPassthrough",
    "avassetexportpresetpassthrough",
  ])
  func videoPresetsAreKnownByAllTheirNames(name: String) throws {
    #expect(try PresetLibrary().videoPreset(name).header.name == "current")
  }

  @Test(
    arguments: [
      ("keep", .keep), ("withoutLocation", .withoutLocation),
      ("withoutCaptions", .withoutCaptions), ("appearanceOnly", .appearanceOnly),
      ("withoutLocationAndCaptions", [.withoutLocation, .withoutCaptions]),
    ] as [(String, MetadataPolicy)])
  func `a preset names the metadata that it removes`(
    word: String, policy: MetadataPolicy
  ) throws {
    let text = #"{"kind": "image", "name": "a", "metadata": "\#(word)"}"#
    let library = PresetLibrary(own: [PresetFile(name: "a.json", bytes: Array(text.utf8))])
    #expect(try library.imagePreset("a").metadata == policy)
  }

  @Test func anUnknownNameMeetsTheNearest() throws {
    let error = #expect(throws: PresetChoiceError.self) {
      try PresetLibrary().imagePreset("compatable")
    }
    #expect(try #require(error).description.contains("compatible"))
  }
}

struct OwnPresetTests {
  private func library(_ texts: String...) -> PresetLibrary {
    PresetLibrary(
      own: texts.enumerated().map { index, text in
        PresetFile(name: "own\(index).json", bytes: Array(text.utf8))
      })
  }

  @Test func anOwnPresetStandsBesideTheShippedOnes() throws {
    let library = library(#"{"kind": "image", "name": "tiny", "maxPixels": 64}"#)
    #expect(library.problems.isEmpty)
    let tiny = try library.imagePreset("Tiny")
    #expect(tiny.maxPixels == 64)
    #expect(tiny.quality == 90)
    #expect(try library.imagePreset("compatible").maxPixels == nil)
  }

  @Test func anOwnPresetReplacesAndExtendsTheShippedOneOfItsName() throws {
    let library = library(
      #"{"kind": "image", "name": "compatible", "extends": "compatible", "quality": 70}"#)
    #expect(library.problems.isEmpty)
    let preset = try library.imagePreset("compatible")
    #expect(preset.quality == 70)
    #expect(preset.keepTypes.contains(.png))
    #expect(preset.header.origin == "own0.json")
    #expect(library.presets.count == PresetLibrary().presets.count)
  }

  @Test func extendingAddsUpOverSeveralFilesAndNullTakesALimitAway() throws {
    let library = library(
      #"[{"kind": "image", "name": "a", "extends": "b", "quality": 50},"#
        + #" {"kind": "image", "name": "b", "extends": "web", "chroma": "4:4:4"}]"#,
      #"{"kind": "image", "name": "c", "extends": "a", "maxPixels": null}"#)
    #expect(library.problems.isEmpty)
    let preset = try library.imagePreset("c")
    #expect(preset.quality == 50)
    #expect(preset.chroma == .yuv444)
    #expect(preset.maxPixels == nil)
    #expect(try library.imagePreset("a").maxPixels == 2048)
  }

  @Test func aPresetThatIsUnavailableSaysWhy() throws {
    let library = library(
      #"{"kind": "video", "name": "x", "unavailable": "No encoder for it is here."}"#)
    let error = #expect(throws: PresetChoiceError.self) { try library.videoPreset("x") }
    #expect(try #require(error).description.contains("No encoder for it is here."))
    #expect(try library.presets(named: "x").count == 1)
  }

  /// Each mistake with the key and a part of the remedy in its message.
  @Test(arguments: [
    ("{\n\"kind\": \"image\", \"name\": \"a\",\n\"qualty\": 5}", "qualty", "quality"),
    (#"{"kind": "image", "name": "a", "quality": 101}"#, "quality", "from 1 to 100"),
    (#"{"kind": "image", "name": "a", "quality": 1.5}"#, "quality", "from 1 to 100"),
    (#"{"kind": "image", "name": "a", "quality": "90"}"#, "quality", "whole number"),
    (#"{"kind": "image", "name": "a", "quality": null}"#, "quality", "whole number"),
    (#"{"kind": "image", "name": "a", "format": "jpg"}"#, "format", "jpeg"),
    (#"{"kind": "image", "name": "a", "format": true}"#, "format", "\"png\""),
    (
      #"{"kind": "image", "name": "a", "keepTypes": ["public.jpg"]}"#, "keepTypes", "public.jpeg"
    ),
    (#"{"kind": "image", "name": "a", "keepTypes": "public.jpeg"}"#, "keepTypes", "list"),
    (#"{"kind": "image", "name": "a", "codec": "h264"}"#, "codec", "presets show"),
    (#"{"kind": "image", "name": "a", "format": "bitmap"}"#, "format", "\"png\""),
    (#"{"kind": "image", "name": "a", "keepTypes": ["text"]}"#, "keepTypes", "public."),
    (#"{"kind": "video", "name": "a", "maxSize": "1920"}"#, "maxSize", "1920x1080"),
    (#"{"kind": "video", "name": "a", "maxSize": "8x8"}"#, "maxSize", "16 pixels"),
    (#"{"kind": "picture", "name": "a"}"#, "kind", "\"image\""),
    (#"{"kind": "image"}"#, "name", "letters"),
    (#"{"kind": "image", "name": "a b"}"#, "name", "letters"),
    (#"{"kind": "image", "name": "a", "extends": "webb"}"#, "extends", "web"),
    (#"{"kind": "image", "name": "a", "extends": "a"}"#, "extends", "lists them"),
    (#"{"kind": "image", "name": "a", "extends": 5}"#, "extends", "name"),
    (#"{"kind": "image", "name": "a", "description": ""}"#, "description", "sentence"),
    (#"{"kind": "image", "name": "a", "aliases": "b"}"#, "aliases", "list of names"),
    (
      #"{"kind": "image", "name": "a", "format": "source", "colorSpace": "sRGB"}"#, "colorSpace",
      "another format"
    ),
    (#"{"kind": "video", "name": "a", "codec": "prores422"}"#, "container", "\"mov\""),
    (#"{"kind": "video", "name": "a", "audioCodec": "pcm"}"#, "container", "\"mov\""),
    (#"{"kind": "video", "name": "a", "container": "m4a"}"#, "container", "\"none\""),
    (
      #"{"kind": "video", "name": "a", "extends": "current", "container": "m4a"}"#, "container",
      "\"none\""
    ),
    (
      #"{"kind": "video", "name": "a", "codec": "hevc", "container": "m4v"}"#, "container",
      "\"mp4\""
    ),
    (
      #"{"kind": "video", "name": "a", "codec": "none", "audioCodec": "none"}"#, "audioCodec",
      "another codec"
    ),
  ])
  func aMistakeIsNamedWithItsRemedy(text: String, key: String, remedy: String) throws {
    let library = library(text)
    let problem = try #require(library.problems.first)
    #expect(library.problems.count == 1)
    #expect(problem.file == "own0.json")
    #expect(problem.key == key)
    #expect(problem.complaint.contains(remedy), "\(problem)")
    #expect(library.presets.count == PresetLibrary().presets.count)
  }

  @Test func everyMistakeIsNamed() throws {
    let library = library(
      #"{"kind": "image", "name": "a", "format": "jpg", "quality": 900, "extra": 1}"#,
      #"{"quality": 3}"#)
    #expect(
      Set(library.problems.compactMap(\.key)) == ["format", "quality", "extra", "kind", "name"])
    let error = #expect(throws: PresetChoiceError.self) { try library.imagePreset("a") }
    #expect(try #require(error).description.contains("extra"))
  }

  @Test func `a wrong value hides no other mistake`() {
    let image = library(
      #"{"kind": "image", "name": "a", "extends": "nope", "aliases": ["web"], "quality": 170}"#)
    #expect(Set(image.problems.compactMap(\.key)) == ["extends", "aliases", "quality"])
    let video = #"{"kind": "video", "name": "a", "container": "mp4", "audioCodec": "pcm", "#
    #expect(
      Set(library(video + #""quality": 999}"#).problems.compactMap(\.key))
        == ["container", "quality"])
    // The codec that is meant may fit into the container.
    let unclear = #"{"kind": "video", "name": "a", "codec": "avi", "audioCodec": "pcm"}"#
    #expect(library(unclear).problems.map(\.key) == ["codec"])
  }

  @Test func `a mistake in a list names the preset`() {
    let list = library(
      #"[{"kind": "image", "name": "a", "quality": 170}, {"kind": "image", "name": "b"}, "#
        + #"{"kind": "image"}, {"kind": "image", "name": "c", "extends": "nope"}]"#)
    #expect(list.problems.map(\.preset) == ["a", "3", "c"])
    #expect(list.problems.first?.description.hasPrefix("own0.json: preset a: quality: ") == true)
    let single = library(#"{"kind": "image", "name": "a", "quality": 170}"#)
    #expect(single.problems.first?.description.hasPrefix("own0.json: quality: ") == true)
  }

  /// One with a mistake of its own, and one that extends it.
  @Test(arguments: ["a", "b"]) func `a preset with a mistake is not unknown`(name: String) throws {
    let library = library(
      #"{"kind": "image", "name": "a", "quality": 170}"#,
      #"{"kind": "image", "name": "b", "extends": "a", "quality": 17}"#)
    #expect(library.problems.count == 1)
    for choose in [
      { _ = try library.presets(named: name) }, { _ = try library.imagePreset(name) },
    ] {
      let error = #expect(throws: PresetChoiceError.self) { try choose() }
      #expect(try #require(error).description.hasPrefix("own0.json: quality: "))
    }
  }

  @Test func aMistakeStopsOnlyWhatUsesIt() throws {
    let library = library(#"{"kind": "image", "name": "compatible", "quality": 900}"#)
    #expect(throws: PresetChoiceError.self) { try library.imagePreset("compatible") }
    #expect(try library.imagePreset("web").header.name == "web")
    #expect(try library.videoPreset("compatible").header.name == "compatible")
  }

  @Test func anotherPresetsNameIsNoAlias() throws {
    let clash = library(#"{"kind": "image", "name": "a", "aliases": ["Web", "b"]}"#)
    #expect(clash.problems.map(\.key) == ["aliases"])
    #expect(clash.problems.first?.complaint.contains("'Web'") == true)
    // One that replaces a shipped preset may keep its other names; the kinds share none.
    let sound = library(
      #"[{"kind": "video", "name": "HighestQuality", "aliases": ["typeHigh"]}, "#
        + #"{"kind": "video", "name": "v", "aliases": ["web"]}]"#)
    #expect(sound.problems.isEmpty, "\(sound.problems)")
  }

  @Test func aCircleIsFoundAndTheNameThatStandsTwice() throws {
    let circle = library(
      #"{"kind": "image", "name": "a", "extends": "b"}"#,
      #"{"kind": "image", "name": "b", "extends": "a"}"#)
    #expect(circle.problems.map(\.key) == ["extends", "extends"])
    let twice = library(
      #"{"kind": "image", "name": "a"}"#, #"{"kind": "image", "name": "A"}"#)
    #expect(twice.problems.map(\.file) == ["own1.json"])
    #expect(twice.problems[0].complaint.contains("own0.json"))
  }

  @Test func `sound alone can be M4A`() {
    #expect(
      library(#"{"kind": "video", "name": "a", "codec": "none", "container": "m4a"}"#).problems
        .isEmpty)
  }

  /// A list of presets with these keys beside kind and name.
  private func list(_ numbers: Range<Int>, _ keys: (Int) -> String) -> String {
    let presets = numbers.map { "{\"kind\":\"image\",\"name\":\"a\($0)\",\(keys($0))}" }
    return "[\(presets.joined(separator: ","))]"
  }

  @Test(.timeLimit(.minutes(5)))
  func `thousands of presets that extend each other or have aliases are read`() throws {
    func library(_ keys: (Int) -> String) -> PresetLibrary {
      PresetLibrary(
        own: (0..<4).map { file in
          let text = list(file * 1000..<(file + 1) * 1000, keys)
          return PresetFile(name: "own\(file).json", bytes: Array(text.utf8))
        })
    }
    let chain = library { $0 == 3_999 ? #""quality":7"# : #""extends":"a\#($0 + 1)""# }
    #expect(chain.problems.isEmpty)
    #expect(try chain.imagePreset("a0").quality == 7)
    let broken = library { #""extends":"a\#($0 + 1)""# }
    #expect(broken.problems.count == 1)
    #expect(broken.presets.count == PresetLibrary().presets.count)
    let circle = library { #""extends":"a\#(($0 + 1) % 4_000)""# }
    #expect(circle.problems.count == 4_000)
    let aliases = library { #""aliases":["x\#($0)","y\#($0)","z\#($0)"]"# }
    #expect(aliases.problems.isEmpty)
    let clashes = library { _ in #""aliases":["x"]"# }
    #expect(clashes.problems.count == 4_000)
  }

  @Test func `a file has at most a thousand presets`() {
    #expect(library(list(0..<1000) { _ in #""quality":7"# }).problems.isEmpty)
    let many = library(list(0..<1001) { _ in #""quality":7"# })
    #expect(many.problems.map(\.complaint) == ["it has more than 1000 presets: split it"])
  }

  @Test(arguments: [
    "", "{", #"{"kind" "image"}"#, "[1, 2", "[}", #"{"a": "x}"#, "nul", "{} {}", #"["\q"]"#,
    #"["\u12"]"#, String(repeating: "[", count: 100_000), "5-",
  ])
  func whatIsNoJSONIsRefused(text: String) throws {
    let problem = try #require(library(text).problems.first)
    #expect(problem.complaint.hasPrefix("this is not JSON"), "\(problem)")
  }

  /// A person with a long file needs the place of a missing comma.
  @Test func whereTheJSONEndsToBeOneIsTold() throws {
    let problem = try #require(library("{\n\"kind\": \"image\"\n\"name\": 5}").problems.first)
    #expect(problem.complaint.contains("around character 18"), "\(problem)")
  }
}
