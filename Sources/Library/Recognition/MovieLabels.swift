package import MediaModel

// What a single video's own clues settle.

extension RecognitionSubject {
  var movieLabels: [Label] {
    [
      screenRecording, slomo, timelapse,
      given(.cinematic, by: clue(.disparityTrack) == nil ? [] : ["disparityTrack"]),
      given(.spatial, by: clue(.stereoVideo) == nil ? [] : ["stereoVideo"]),
      given(.hdr, by: hdrEvidence),
    ].compactMap { $0 }
  }

  private var hdrEvidence: [String] {
    guard let range = facts.video?.dynamicRange, range != .sdr else { return [] }
    return ["transfer:\(range.rawValue)"]
  }

  /// ReplayKit's author mark, or a name that only recorders give.
  private var screenRecording: Label? {
    if clue(.movieAuthor) == "ReplayKitRecording" {
      return Label(.screenRecording, isGiven: true, evidence: ["author:ReplayKitRecording"])
    }
    let stem = folded(FileNameParts(name: name).stem)
    var evidence: [String] = []
    if RecordingName.isStrict(stem) {
      evidence = ["name"]
    } else if RecordingName.isGameBar(stem) {
      evidence = folders.last.map(RecordingName.isFolder) == true ? ["name", "folder"] : []
    }
    guard !evidence.isEmpty else { return nil }
    let hasCamera = facts.camera.make != nil && facts.camera.model != nil && facts.location != nil
    return Label(
      .screenRecording, isGiven: !hasCamera,
      evidence: evidence + (hasCamera ? ["against:camera"] : []))
  }

  /// A high rate alone is not proof: the file must show that it is meant to be played slowly.
  private var slomo: Label? {
    guard let rate = number(.trackRate) ?? facts.video?.frameRate, rate > 0 else { return nil }
    if let capture = number(.androidCaptureRate), capture >= 100, capture > rate * 1.5 {
      return Label(
        .slomo, isGiven: true,
        evidence: ["captureRate:\(shortNumber(capture))", "rate:\(shortNumber(rate))"])
    }
    let blocks = samsungEvidence(of: .slomo)
    if !blocks.isEmpty { return Label(.slomo, isGiven: true, evidence: blocks) }
    // Beyond any camera's rate it is a time scale that a broken header gives.
    guard (100..<1000).contains(rate) else { return nil }
    if clue(.fullFrameRateIntent) == "0" {
      return Label(
        .slomo, isGiven: true, evidence: ["rate:\(shortNumber(rate))", "playbackIntent:0"])
    }
    return .slomo(rate: rate, isEdited: false)
  }

  /// Android notes how few frames a second were captured, Samsung that they were few.
  private var timelapse: Label? {
    let blocks = samsungEvidence(of: .timelapse)
    if !blocks.isEmpty { return Label(.timelapse, isGiven: true, evidence: blocks) }
    guard let capture = number(.androidCaptureRate), capture > 0, capture < 15,
      let rate = facts.video?.frameRate, rate > capture * 1.5
    else { return nil }
    return Label(
      .timelapse, isGiven: true,
      evidence: ["captureRate:\(shortNumber(capture))", "rate:\(shortNumber(rate))"])
  }
}

extension Label {
  /// The verdict on a fast video whose file shows no intent: edit instructions next to it show that the user
  /// chose the slow part.
  ///
  /// - Parameter rate: frames a second.
  package static func slomo(rate: Double, isEdited: Bool) -> Label {
    Label(
      .slomo, isGiven: isEdited,
      evidence: ["rate:\(shortNumber(rate))", isEdited ? "adjustmentData" : "no sign of intent"])
  }
}

/// The names that recorders of screens give their videos.
enum RecordingName {
  /// Each before a date: macOS, Windows 11, Android's makers, GNOME, KDE, recorders' own.
  private static let words = [
    "screen recording", "screen_recording", "screenrecording", "screenrecorder", "screenrecord",
    "screen-", "screencast", "bildschirmaufnahme", "bildschirmaufzeichnung",
    "enregistrement de l’écran", "enregistrement de l'écran", "grabación de pantalla",
    "gravação de tela", "gravação do ecrã", "registrazione schermo", "schermopname",
    "skärminspelning", "skærmoptagelse", "skjermopptak", "nagranie z ekranu", "záznam obrazovky",
    "ekran kaydı", "запись экрана", "画面収録", "화면 기록", "录屏", "屏幕录制", "螢幕錄影", "svid_",
    "xrecorder_", "mobizen_",
  ]

  /// - Parameter name: in lower case.
  static func isStrict(_ name: String) -> Bool {
    let plain = name.withoutSimulator
    let stem = plain.hasPrefix("screen-recording") ? plain.withSpaces : plain
    if stem.hasPrefix("rpreplay_final") || stem.hasPrefix("rpreplay-final") { return true }
    // ColorOS; the word alone proves nothing.
    if stem.hasPrefix("record_"), stem.dropFirst(7).count >= 19 {
      let digits = stem.dropFirst(7).prefix(19).split(
        separator: "-", omittingEmptySubsequences: false)
      return digits.map(\.count) == [4, 2, 2, 2, 2, 2] && DatePattern.isDate(stem.dropFirst(7))
    }
    return words.contains { word in
      guard stem.hasPrefix(word) else { return false }
      var rest = stem.dropFirst(word.count).drop { $0 == " " || $0 == "_" || $0 == "-" }
      if rest.hasPrefix("from ") { rest = rest.dropFirst(5) }
      // iOS writes `ScreenRecording_05-06-2024 12-34-56_1`.
      return DatePattern.isDate(rest) || DatePattern.isDateWithYearLast(rest)
    }
  }

  /// Whether a folder by this name is where Windows' Game Bar puts its videos.
  static func isFolder(_ name: [UInt8]) -> Bool {
    folded(name) == "captures"
  }

  /// `Some Game 2023-05-06 12_34_56`, as Windows' Game Bar names what it puts into Captures.
  static func isGameBar(_ stem: String) -> Bool {
    let parts = stem.split(separator: " ")
    guard parts.count >= 3, let time = parts.last else { return false }
    let numbers = time.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
    return DatePattern.isDate(parts[parts.count - 2]) && numbers.count == 3
      && numbers.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isASCIIDigit) }
  }
}

/// A number with two decimals at most, without Foundation.
private func shortNumber(_ number: Double) -> String {
  guard number.isFinite, abs(number) < 1e9 else { return "?" }
  let hundredths = Int(number * 100 + 0.5)
  if hundredths % 100 == 0 { return String(hundredths / 100) }
  let rest = hundredths % 100
  return "\(hundredths / 100)."
    + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
}
