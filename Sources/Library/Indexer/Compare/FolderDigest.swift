import Linux
import MediaModel

/// A number that identifies the state of all files in a folder: their names, sizes, times and inodes.
///
/// The order in which the file system lists them does not matter. A change goes unnoticed once in 2^64.
struct FolderDigest {
  private(set) var value: UInt64 = 0

  /// Adds one file's state.
  mutating func add(_ file: ListedFile) {
    var hash = FNV1a(file.name).value
    hash = Self.mix(hash ^ UInt64(bitPattern: file.stamp.size))
    hash = Self.mix(hash ^ UInt64(bitPattern: file.stamp.modified))
    hash = Self.mix(hash ^ file.stamp.inode)
    value &+= Self.mix(hash ^ UInt64(bitPattern: file.changed))
  }

  /// The finalizer of SplitMix64: every bit of the input reaches every bit of the output.
  private static func mix(_ input: UInt64) -> UInt64 {
    var mixed = input &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
