import Glibc
package import MediaModel

/// One name in a folder, with the result of `stat`.
package struct DirectoryEntry: Sendable, Hashable {
  /// The bytes of the name: anything except NUL and slash.
  package var name: [UInt8]
  package var kind: FileStatus.Kind
  /// For regular files only, if requested; a folder's entry costs no `stat`.
  package var stamp: FileStamp?
  /// ``FileStatus/changed``, if there is a stamp.
  package var changed: Int64?
  /// Why `stat` failed. The entry exists, but its kind may be wrong.
  package var failure: SystemError?
}

/// The entries of a folder, in no particular order.
///
/// Each takes 38 bytes and the length of its name, so that a folder of a million files needs little memory. All
/// names are in one buffer, and an element is created when it is accessed.
package struct DirectoryEntries: Sendable, RandomAccessCollection {
  /// The kind of an entry, or why it is not known while the folder is being read.
  enum Kind: UInt8, Sendable {
    case regular, directory, symbolicLink, other
    /// The file system lists names without kinds.
    case unlisted
    /// The file disappeared during reading.
    case gone

    init(_ kind: FileStatus.Kind) {
      self =
        switch kind {
        case .regular: .regular
        case .directory: .directory
        case .symbolicLink: .symbolicLink
        case .other: .other
        }
    }
  }

  /// What `stat` reports about a regular file, as in ``FileStatus``; zeros for other entries.
  struct State: Sendable {
    var size: Int64 = 0
    var modified: Int64 = 0
    var inode: UInt64 = 0
    var changed: Int64 = 0
  }

  /// All names, each with a NUL after it.
  private var names: [UInt8] = []
  /// The offsets after each name's NUL.
  private var ends: [UInt32] = []
  private var kinds: [Kind] = []
  /// One for each entry; empty if only names were read.
  private var states: [State] = []
  private var failures: [Int: SystemError] = [:]

  package var startIndex: Int { 0 }
  package var endIndex: Int { ends.count }

  package subscript(index: Int) -> DirectoryEntry {
    DirectoryEntry(
      name: Array(name(at: index)), kind: kind(at: index), stamp: stamp(at: index),
      changed: changed(at: index), failure: failure(at: index))
  }

  // MARK: Parts of an entry, without creating it

  /// A name, without a copy.
  package func name(at index: Int) -> ArraySlice<UInt8> {
    names[start(of: index)..<Int(ends[index]) - 1]
  }

  /// Whether a name precedes another in the order of their bytes.
  package func name(at index: Int, precedesThatAt other: Int) -> Bool {
    let (first, second) = (start(of: index), start(of: other))
    let (length, otherLength) = (Int(ends[index]) - 1 - first, Int(ends[other]) - 1 - second)
    let difference = unsafe names.withUnsafeBytes {
      guard let base = $0.baseAddress else { return Int32(0) }
      return unsafe memcmp(base + first, base + second, Swift.min(length, otherLength))
    }
    return difference == 0 ? length < otherLength : difference < 0
  }

  package func kind(at index: Int) -> FileStatus.Kind {
    switch kinds[index] {
    case .regular: .regular
    case .directory: .directory
    case .symbolicLink: .symbolicLink
    case .other, .unlisted, .gone: .other
    }
  }

  package func stamp(at index: Int) -> FileStamp? {
    guard hasState(index) else { return nil }
    let state = states[index]
    return FileStamp(size: state.size, modified: state.modified, inode: state.inode)
  }

  package func changed(at index: Int) -> Int64? {
    hasState(index) ? states[index].changed : nil
  }

  package func failure(at index: Int) -> SystemError? {
    failures.isEmpty ? nil : failures[index]
  }

  /// The first entry of a name.
  package func firstIndex(named name: [UInt8]) -> Int? {
    indices.first { self.name(at: $0).elementsEqual(name) }
  }

  private func start(of index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }

  private func hasState(_ index: Int) -> Bool {
    kinds[index] == .regular && !states.isEmpty && failure(at: index) == nil
  }

  // MARK: Reading

  private init() {}

  /// - Parameter folderSize: the size in bytes that the file system reports for the folder. Most report more
  ///   than the names need.
  init(folderSize: Int64) {
    // Arrays that grow leave holes in the heap. Memory that is reserved and not used costs nothing.
    guard folderSize > 1 << 20 else { return }
    let size = Int(Swift.min(folderSize, 64 << 20))
    names.reserveCapacity(size)
    // An ext4 entry has 8 bytes and the name, which has 8 bytes or more in most big folders.
    ends.reserveCapacity(size / 16)
    kinds.reserveCapacity(size / 16)
  }

  /// Adds an entry.
  ///
  /// - Returns: false if all names together would exceed 4 GiB.
  mutating func append(_ name: UnsafeRawBufferPointer, _ kind: Kind) -> Bool {
    guard let end = UInt32(exactly: names.count + name.count + 1) else { return false }
    unsafe names.append(contentsOf: name)
    names.append(0)
    ends.append(end)
    kinds.append(kind)
    return true
  }

  /// The number of entries that are not known to be folders.
  var otherCount: Int { kinds.count { $0 != .directory } }

  /// Whether the file system has listed names without kinds.
  var hasUnlistedKinds: Bool { kinds.contains(.unlisted) }

  /// Asks the file system for the state of each regular file, and for kinds that are not known yet.
  ///
  /// - Parameters:
  ///   - folder: the descriptor of the folder.
  ///   - followingLinks: whether a symbolic link to a regular file is replaced with that file.
  ///   - threads: make some of the calls if there are many or these are slow.
  mutating func examine(
    in folder: Int32, followingLinks: Bool, sharedWith threads: BlockingThreads?
  ) {
    let count = self.count
    unsafe names.withUnsafeBytes { names in
      unsafe ends.withUnsafeBufferPointer { ends in
        unsafe kinds.withUnsafeMutableBufferPointer { kinds in
          unsafe states = Array(unsafeUninitializedCapacity: count) { states, filled in
            let calls = unsafe StatCalls(
              folder: folder, names: names, ends: ends, kinds: kinds, states: states,
              followingLinks: followingLinks)
            failures = calls.make(sharedWith: threads)
            filled = count
          }
        }
      }
    }
    if kinds.contains(.gone) { self = filtered { kinds[$0] != .gone } }
  }

  /// Keeps one entry of each name. Some network and FUSE file systems list a name twice if the folder
  /// changes during reading.
  ///
  /// - Returns: whether a name was listed twice.
  mutating func removeDuplicateNames() -> Bool {
    // Hashes take less memory than a set of names, and hardly any folder has two equal ones.
    var hashes = indices.map { FNV1a(name(at: $0)).value }
    hashes.sort()
    let repeated = Set(zip(hashes, hashes.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
    guard !repeated.isEmpty else { return false }
    hashes = []
    var seen: Set<[UInt8]> = []
    let before = count
    self = filtered {
      let name = name(at: $0)
      return !repeated.contains(FNV1a(name).value) || seen.insert(Array(name)).inserted
    }
    return count < before
  }

  /// The entries at the positions for which `isKept` returns true.
  private func filtered(_ isKept: (Int) -> Bool) -> DirectoryEntries {
    var kept = DirectoryEntries()
    for index in indices where isKept(index) {
      kept.failures[kept.count] = failure(at: index)
      kept.names.append(contentsOf: names[start(of: index)..<Int(ends[index])])
      kept.ends.append(UInt32(kept.names.count))
      kept.kinds.append(kinds[index])
      if !states.isEmpty { kept.states.append(states[index]) }
    }
    return kept
  }
}
