/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): fast, and equal on every machine and in every run. It does not
/// resist deliberate collisions.
package struct FNV1a: Sendable {
  package let value: UInt64

  package init(_ bytes: some Sequence<UInt8>) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    value = hash
  }

  /// Other modules call the generic initialiser unspecialised, which takes ten times as long.
  package init(_ bytes: ArraySlice<UInt8>) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    value = hash
  }

  /// As for a slice.
  package init(_ bytes: [UInt8]) {
    self.init(bytes[...])
  }
}
