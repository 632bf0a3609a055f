import MediaModel

/// Pentax' maker note, also of Samsung's and Ricoh's cameras that Pentax designed.
enum PentaxMakerNote {
  /// Speeds in thirds of a step from code 3 on.
  private static let thirds = [
    50, 64, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000, 1250, 1600, 2000, 2500,
    3200, 4000, 5000, 6400, 8000, 10000, 12800, 16000, 20000, 25600, 32000, 40000, 51200, 64000,
    80000, 102_400, 128_000, 160_000, 204_800, 256_000, 320_000, 409_600, 512_000, 640_000, 819_200,
  ]
  /// Speeds in half steps from code 258 on.
  private static let halves = [
    50, 70, 100, 140, 200, 280, 400, 560, 800, 1100, 1600, 2200, 3200, 4500, 6400, 9000, 12800,
    18000, 25600, 36000, 51200, 72000, 102_400, 144_000, 204_800, 288_000, 409_600, 576_000,
    819_200,
  ]

  static func exposure(_ note: MakerNoteDirectory) -> Exposure {
    Exposure(
      // The largest number means an exposure of unknown length.
      time: note.positive(0x0012).flatMap { $0 < 0xFFFF_FFFF ? Double($0) / 100_000 : nil },
      fNumber: note.positive(0x0013).map { Double($0) / 10 },
      iso: note.positive(0x0014).flatMap(speed))
  }

  /// The speed for a code.
  static func speed(_ code: Int) -> Int? {
    switch code {
    case 3..<(3 + thirds.count): thirds[code - 3]
    case 258..<(258 + halves.count): halves[code - 258]
    // Two early cameras store the speed.
    case 50, 100, 200, 400, 800, 1600, 3200: code
    default: nil
    }
  }
}
