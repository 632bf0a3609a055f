/// The hash of Fowler, Noll and Vo, variant 1a, with 64 bits: quick, the same on every machine and in every
/// run, and nothing against somebody who makes values to collide.
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
