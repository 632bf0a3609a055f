import Presets
import Testing

/// The names that video presets answer to.
struct VideoPresetTests {
  /// AVAssetExportSession.h and UIImagePickerController.h.
  @Test(arguments: [
    "LowQuality", "MediumQuality", "HighestQuality", "HEVCHighestQuality", "640x480", "960x540",
    "1280x720", "1920x1080", "3840x2160", "HEVC1920x1080", "HEVC3840x2160", "HEVC7680x4320",
    "HEVC4320x2160", "AppleM4VCellular", "AppleM4ViPod", "AppleM4V480pSD", "AppleM4VAppleTV",
    "AppleM4VWiFi", "AppleM4V720pHD", "AppleM4V1080pHD", "AppleM4A", "AppleProRes422LPCM",
    "AppleProRes4444LPCM", "Passthrough",
  ])
  func applesNamesAreKnown(name: String) throws {
    let preset = try PresetLibrary().videoPreset(name)
    #expect(try PresetLibrary().videoPreset("AVAssetExportPreset" + name) == preset)
  }

  @Test(arguments: [
    "typeHigh", "typeMedium", "typeLow", "type640x480", "typeIFrame1280x720",
    "typeIFrame960x540", "IFrame960x540",
  ])
  func thePickersNamesAreKnown(name: String) throws {
    _ = try PresetLibrary().videoPreset(name)
  }

  @Test(arguments: [
    "HEVCHighestQualityWithAlpha", "HEVC1920x1080WithAlpha", "HEVC3840x2160WithAlpha",
    "MVHEVC960x960", "MVHEVC1440x1440",
  ])
  func whatIsNotHereSaysWhy(name: String) {
    #expect(throws: PresetChoiceError.self) { try PresetLibrary().videoPreset(name) }
  }
}
