import MediaModel

/// Weighs what speaks for a picture being a screenshot, and what speaks against it.
///
/// The weights and the threshold are in one table, so that a verdict can be explained by adding up. A mark
/// that the system itself wrote is enough alone, and so is a name that only a program gives; one that a
/// person may give needs more; the size of a screen alone proves nothing, for wallpapers and mock-ups have it
/// too; and whatever was exposed through a lens is a photograph, whatever its name.
struct ScreenshotScore {
  /// One reason with its weight.
  private struct Reason {
    var weight: Int
    var evidence: String
  }

  /// The sum that makes a screenshot.
  static let threshold = 50

  private enum Weight {
    static let systemMark = 100
    static let screenshotProgram = 80
    static let androidProfile = 60
    static let strictName = 55
    static let numberedName = 35
    static let folder = 30
    static let looseName = 20
    static let screenSize = 20
    static let png = 5
    static let exposure = -100
    static let location = -20
  }

  private let reasons: [Reason]

  /// The sum of the weights.
  var sum: Int { reasons.reduce(0) { $0 + $1.weight } }

  /// Nil if only one weak sign supports it: half of all films and many photographs have the size of some
  /// screen, and half the web is PNG.
  var label: Label? {
    let forIt = reasons.filter { $0.weight > 0 }
    let isAlone = forIt.count == 1 && forIt[0].evidence.hasPrefix("screenSize:")
    guard !isAlone, forIt.contains(where: { $0.weight >= Weight.looseName }) else { return nil }
    let isGiven = sum >= Self.threshold
    return Label(
      .screenshot, isGiven: isGiven, score: sum,
      evidence: reasons.map(\.evidence) + (isGiven ? [] : ["below:\(Self.threshold)"]))
  }

  init(_ subject: RecognitionSubject) {
    reasons =
      Self.marks(subject) + Self.names(subject) + Self.appearance(subject)
      + Self.contradictions(subject)
  }

  private static func marks(_ subject: RecognitionSubject) -> [Reason] {
    var reasons: [Reason] = []
    if subject.clue(.exifUserComment) == "Screenshot" {
      reasons.append(Reason(weight: Weight.systemMark, evidence: "userComment"))
    } else if subject.clue(.xmpUserComment) == "Screenshot" {
      reasons.append(Reason(weight: Weight.systemMark, evidence: "xmpUserComment"))
    } else if subject.clue(.samsungCaptureInfo) == "Screenshot" {
      reasons.append(Reason(weight: Weight.systemMark, evidence: "samsung:0c51"))
    }
    let software = subject.clue(.pngSoftware) ?? subject.clue(.exifSoftware) ?? ""
    let programs = ["gnome-screenshot", "spectacle", "shutter", "flameshot", "ksnip", "maim"]
    if programs.contains(where: { Self.isProgram(software.lowercased(), named: $0) }) {
      reasons.append(Reason(weight: Weight.screenshotProgram, evidence: "software:\(software)"))
    } else if software.hasPrefix("Android "), !hasCamera(subject), subject.facts.exposure.isEmpty {
      reasons.append(Reason(weight: Weight.androidProfile, evidence: "software:\(software)"))
    }
    return reasons
  }

  /// The name alone or with its version: `Shutter 0.99`, and not `Shutterstock Editor`.
  private static func isProgram(_ software: String, named name: String) -> Bool {
    guard software.hasPrefix(name) else { return false }
    let rest = software.dropFirst(name.count)
    let version = rest.drop { " -/_v".contains($0) }
    return rest.isEmpty || rest.count > version.count && version.first?.isASCIIDigit == true
  }

  private static func names(_ subject: RecognitionSubject) -> [Reason] {
    var reasons: [Reason] = []
    switch ScreenshotName(subject.name) {
    case .strict: reasons.append(Reason(weight: Weight.strictName, evidence: "name"))
    case .numbered: reasons.append(Reason(weight: Weight.numberedName, evidence: "numberedName"))
    case .loose: reasons.append(Reason(weight: Weight.looseName, evidence: "looseName"))
    case nil: break
    }
    if let folder = subject.folders.last, ScreenshotName.isFolder(folder) {
      reasons.append(Reason(weight: Weight.folder, evidence: "folder"))
    }
    return reasons
  }

  private static func appearance(_ subject: RecognitionSubject) -> [Reason] {
    var reasons: [Reason] = []
    if let size = subject.facts.pixelSize, isScreen(size), !hasCamera(subject) {
      reasons.append(
        Reason(weight: Weight.screenSize, evidence: "screenSize:\(size.width)x\(size.height)"))
    }
    if subject.facts.uniformType == .png {
      reasons.append(Reason(weight: Weight.png, evidence: "png"))
    }
    return reasons
  }

  private static func contradictions(_ subject: RecognitionSubject) -> [Reason] {
    var reasons: [Reason] = []
    let exposure = subject.facts.exposure
    if exposure.fNumber != nil || exposure.time != nil || exposure.iso != nil
      || subject.facts.camera.lens != nil
    {
      reasons.append(Reason(weight: Weight.exposure, evidence: "against:exposure"))
    }
    if subject.facts.location != nil {
      reasons.append(Reason(weight: Weight.location, evidence: "against:location"))
    }
    return reasons
  }

  private static func hasCamera(_ subject: RecognitionSubject) -> Bool {
    let camera = subject.facts.camera
    return camera.make != nil || camera.model != nil || camera.lens != nil
      || !subject.facts.exposure.isEmpty
  }

  private static func isScreen(_ size: PixelSize) -> Bool {
    let (short, long) = (min(size.width, size.height), max(size.width, size.height))
    return screens[short]?.contains(long) == true
  }

  /// Screens of phones and tablets by their shorter side, in pixels (Apple's device specifications;
  /// Android devices of 2016–2025).
  private static let screens: [Int: Set<Int>] = [
    640: [960, 1136], 720: [1280, 1520, 1560, 1600, 1612], 750: [1334], 768: [1024],
    828: [1792],
    1080: [1920, 2160, 2220, 2280, 2310, 2316, 2340, 2376, 2400, 2408, 2412, 2424, 2460],
    1125: [2436], 1170: [2532], 1179: [2556], 1206: [2622], 1220: [2712], 1240: [2772],
    1242: [2208, 2688], 1260: [2736, 2800], 1280: [2856], 1284: [2778], 1290: [2796],
    1320: [2868], 1344: [2992], 1440: [2560, 2880, 2960, 3040, 3088, 3120, 3200, 3216],
    1488: [2266], 1536: [2048], 1620: [2160], 1640: [2360], 1668: [2224, 2388, 2420],
    2048: [2732], 2064: [2752],
  ]
}
