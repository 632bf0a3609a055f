// Random numbers for tests with many inputs: a failure reports its seed, and the seed repeats it.

import Foundation

/// A seeded random number generator: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
/// number generators, 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The seed of a test with random inputs, which is printed. It is always the same, so that a test that fails is due to a
  /// change. `SHOEBOX_LONG_TESTS` asks for a new one, `SHOEBOX_SEED` for an earlier one.
  ///
  /// - Parameter test: the test's name, for the line that is printed.
  package static func seed(of test: String) -> UInt64 {
    let environment = ProcessInfo.processInfo.environment
    let fixed: UInt64 = environment["SHOEBOX_LONG_TESTS"] == nil ? 1 : .random(in: 0...UInt64.max)
    let seed = environment["SHOEBOX_SEED"].flatMap { UInt64($0) } ?? fixed
    print("\(test): seed \(seed)")
    return seed
  }
}
