package import MediaModel

// What a single video's own clues settle.

extension RecognitionSubject {
  var movieLabels: [Label] {
    [
      screenRecording, slomo, timelapse,
      given(.cinematic, by: clue("mov.dish") == nil ? [] : ["disparityTrack"]),
      given(.spatial, by: clue("mov.vexu") == nil ? [] : ["stereoVideo"]),
      given(.hdr, by: hdrEvidence),
    ].compactMap { $0 }
  }

  private var hdrEvidence: [String] {
    guard let range = facts.video?.dynamicRange, range != .sdr else { return [] }
    return ["transfer:\(range.rawValue)"]
  }

  /// ReplayKit's author mark, or a name that only recorders give.
  private var screenRecording: Label? {
    if clue("mov.author") == "ReplayKitRecording" {
      return Label(.screenRecording, isGiven: true, evidence: ["author:ReplayKitRecording"])
    }
    guard Self.isRecordingName(folded(FileNameParts(name: name).stem)) else { return nil }
    let hasCamera = facts.camera.make != nil && facts.camera.model != nil && facts.location != nil
    return Label(
      .screenRecording, isGiven: !hasCamera,
      evidence: hasCamera ? ["name", "against:camera"] : ["name"])
  }

  private static func isRecordingName(_ stem: String) -> Bool {
    if stem.hasPrefix("rpreplay_final") {
      return stem.dropFirst("rpreplay_final".count).prefix(10).allSatisfy(\.isASCIIDigit)
    }
    let words = [
      "screen recording", "screen_recording", "screenrecording", "screenrecorder", "screen-",
      "screencast", "bildschirmaufnahme", "enregistrement de l’écran", "grabación de pantalla",
      "gravação de tela", "registrazione schermo", "schermopname", "画面収録", "화면 기록", "录屏",
    ]
    guard let word = words.first(where: { stem.hasPrefix($0) }) else { return false }
    var rest = stem.dropFirst(word.count).drop { $0 == " " || $0 == "_" || $0 == "-" }
    if rest.hasPrefix("from ") { rest = rest.dropFirst(5) }
    return DatePattern.isDate(rest)
  }

  /// A high rate alone is no proof: somebody must have meant it to be played slowly.
  private var slomo: Label? {
    guard let rate = number("mov.trackRate") ?? facts.video?.frameRate else { return nil }
    if let capture = number("android.capture.fps"), capture >= 100, capture > rate * 1.5 {
      return Label(.slomo, isGiven: true, evidence: ["captureRate:\(capture)", "rate:\(rate)"])
    }
    guard rate >= 100 else { return nil }
    if clue("mov.fullFrameRate") == "0" {
      return Label(.slomo, isGiven: true, evidence: ["rate:\(rate)", "playbackIntent:0"])
    }
    return .slomo(rate: rate, isEdited: false)
  }

  /// Android notes how few frames a second were captured.
  private var timelapse: Label? {
    guard let capture = number("android.capture.fps"), capture > 0, capture < 15,
      let rate = facts.video?.frameRate, rate > capture * 1.5
    else { return nil }
    return Label(.timelapse, isGiven: true, evidence: ["captureRate:\(capture)", "rate:\(rate)"])
  }
}

extension Label {
  /// The verdict on a fast video whose file itself tells no intent: edit instructions beside it say that
  /// somebody chose what plays slowly.
  ///
  /// - Parameter rate: frames a second.
  package static func slomo(rate: Double, isEdited: Bool) -> Label {
    Label(
      .slomo, isGiven: isEdited,
      evidence: ["rate:\(rate)", isEdited ? "adjustmentData" : "no sign of intent"])
  }
}
