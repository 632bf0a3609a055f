/// Where in a maker's note the names of places stand.
enum MakerNotePlaces {
  static func find(in note: [UInt8], at base: UInt64, order: ByteOrder) -> [Range<UInt64>] {
    []
  }
}
