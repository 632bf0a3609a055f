/// A TIFF with one uncompressed strip for each plane, in little-endian order (TIFF 6.0 §2), for files that no program
/// makes.
struct MadeTIFF {
  /// The values of tags, as SHORT where all fit in 16 bits, else as LONG.
  private var tags: [Int: [Int]]
  private let pixels: [UInt8]

  /// - Parameter bits: of each sample of a pixel.
  init(width: Int, height: Int, bits: [Int], space: Int = 1, pixels: [UInt8]) {
    tags = [
      256: [width], 257: [height], 258: bits, 259: [1], 262: [space], 277: [bits.count],
      278: [height],
    ]
    self.pixels = pixels
  }

  mutating func set(_ tag: Int, _ values: [Int]) { tags[tag] = values }

  var bytes: [UInt8] {
    var all = tags
    let planes = tags[284] == [2] ? tags[277]?.first ?? 1 : 1
    let step = pixels.count / planes
    all[273] = (0..<planes).map { 8 + $0 * step }
    all[279] = [Int](repeating: step, count: planes)
    func little(_ number: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    let directory = 8 + pixels.count + pixels.count % 2
    var result = [0x49, 0x49, 42, 0] + little(directory, 4) + pixels
    result += [UInt8](repeating: 0, count: pixels.count % 2) + little(all.count, 2)
    var values: [UInt8] = []
    let start = directory + 2 + all.count * 12 + 4
    for (tag, list) in all.sorted(by: { $0.key < $1.key }) {
      let width = list.allSatisfy { $0 < 1 << 16 } ? 2 : 4
      let value = list.flatMap { little($0, width) }
      result += little(tag, 2) + little(width == 2 ? 3 : 4, 2) + little(list.count, 4)
      if value.count <= 4 {
        result += value + [UInt8](repeating: 0, count: 4 - value.count)
      } else {
        result += little(start + values.count, 4)
        values += value + [UInt8](repeating: 0, count: value.count % 2)
      }
    }
    return result + little(0, 4) + values
  }
}
