import MediaModel

/// The blocks of Samsung's trailer that identify the kind of the picture or video before it.
///
/// Their numbers and names are those of exiftool (Samsung.pm), Media3's `SefReader` and Samsung's own
/// gallery.
enum SamsungBlocks {
  private static let kinds: [UInt16: MediaSubtypes] = [
    0x0890: .slomo,  // SlowMotion_Data
    0x08A0: .timelapse,  // FastMotion_Data
    0x08D0: .panorama,  // Interactive_Panorama_Info
    0x08E0: .panorama,  // Panorama_Shot_Info
    0x08E1: .panorama,  // Motion_Panorama_Info
    0x09E0: .burst,  // Burst_Shot_Info
    0x09E1: .burst,  // BurstShot_Best_Photo_Info
    0x0AB1: .depthEffect,  // DualShot_DepthMap
    0x0B00: .slomo,  // Super_SlowMotion_Data
    0x0B41: .depthEffect,  // SingleShot_DepthMap
    0x0D00: .timelapse,  // Hyperlapse_Data
  ]

  static func kind(of type: UInt16) -> MediaSubtypes? { kinds[type] }
}

extension RecognitionSubject {
  /// The blocks that identify a kind, as `samsung:08e0`.
  func samsungEvidence(of subtype: MediaSubtypes) -> [String] {
    let types = facts.clues.compactMap { clue in
      clue.key == .samsungBlock ? clue.value.flatMap { UInt16($0, radix: 16) } : nil
    }
    return Set(types).sorted().compactMap { type in
      guard SamsungBlocks.kind(of: type) == subtype else { return nil }
      let digits = String(type, radix: 16)
      return "samsung:" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
