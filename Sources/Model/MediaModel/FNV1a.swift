/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): fast, and equal on every machine and in every run. It does not
/// resist deliberate collisions.
package struct FNV1a: Sendable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
