import CLinux
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

  package init(
    name: [UInt8], kind: FileStatus.Kind, stamp: FileStamp? = nil, changed: Int64? = nil,
    failure: SystemError? = nil
  ) {
    self.name = name
    self.kind = kind
    self.stamp = stamp
    self.changed = changed
    self.failure = failure
  }
}

/// A folder's identity and entries, read at once.
package struct Directory: Sendable {
  package var identity: FolderIdentity
  /// ``FileStatus/changed`` of the folder, from before its entries were read.
  package var changed: Int64
  /// Whether a file system is mounted here, even one that is mounted elsewhere too. Device numbers are not
  /// enough: a bind mount has that of the folder above, and a subvolume another one.
  package var isMountPoint: Bool
  /// In no particular order, without `.` and `..`. A file that disappears during reading is left out.
  package var entries: [DirectoryEntry]

  /// Reads a folder, which must not be a symbolic link: a link could lead the scan out of a root.
  ///
  /// - Parameters:
  ///   - namesOnly: leaves out the stamps, which saves a `stat` for each file.
  ///   - followingLinks: whether a symbolic link to a regular file is listed as that file, under the link's name.
  package init(
    reading path: BytePath, namesOnly: Bool = false, followingLinks: Bool = false
  ) throws(SystemError) {
    let descriptor = try unsafe path.call("open") {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    try self.init(consuming: descriptor, path, namesOnly: namesOnly, followingLinks: followingLinks)
  }

  /// Reads a folder from its descriptor, which is closed.
  init(
    consuming descriptor: Int32, _ path: BytePath, namesOnly: Bool, followingLinks: Bool = false
  ) throws(SystemError) {
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError.last("opendir", path)
      close(descriptor)
      throw error
    }
    defer { unsafe closedir(stream) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last("stat", path) }
    let found = FileStatus(status)
    identity = found.folderIdentity
    changed = found.changed
    isMountPoint = Self.isMountPoint(descriptor, status)
    entries = []
    while true {
      errno = 0
      guard let record = unsafe readdir(stream) else { break }
      guard var entry = unsafe Self.entry(record, in: descriptor, namesOnly) else { continue }
      if followingLinks, entry.kind == .symbolicLink { entry.follow(in: descriptor) }
      entries.append(entry)
    }
    guard errno == 0 else { throw .last("readdir", path) }
  }

  /// Keeps one entry of each name. Some network and FUSE file systems list a name twice if the folder
  /// changes during reading.
  ///
  /// - Returns: whether a name was listed twice.
  package mutating func removeDuplicateNames() -> Bool {
    var seen: Set<[UInt8]> = []
    let before = entries.count
    entries.removeAll { !seen.insert($0.name).inserted }
    return entries.count < before
  }

  /// Asks the kernel; one before Linux 5.8 cannot answer, and the devices are compared.
  private static func isMountPoint(_ descriptor: Int32, _ status: stat) -> Bool {
    let state = unsafe mount_root_state(descriptor, "", 1)
    if state >= 0 { return state == 1 }
    var above = stat()
    guard unsafe fstatat(descriptor, "..", &above, 0) == 0 else { return false }
    return above.st_dev != status.st_dev
  }

  /// Converts a directory record; nil for `.`, `..` and a file that has just disappeared.
  private static func entry(
    _ record: UnsafeMutablePointer<dirent>, in folder: Int32, _ namesOnly: Bool
  ) -> DirectoryEntry? {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = unsafe UnsafeRawPointer(record).advanced(by: offset)
      .assumingMemoryBound(to: CChar.self)
    let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    if name == [0x2E] || name == [0x2E, 0x2E] { return nil }
    switch Int32(unsafe record.pointee.d_type) {
    case Int32(DT_DIR): return DirectoryEntry(name: name, kind: .directory)
    case Int32(DT_LNK): return DirectoryEntry(name: name, kind: .symbolicLink)
    case Int32(DT_REG) where namesOnly: return DirectoryEntry(name: name, kind: .regular)
    case Int32(DT_REG), Int32(DT_UNKNOWN):
      var status = stat()
      guard unsafe fstatat(folder, start, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        if errno == ENOENT { return nil }
        let failure = SystemError.last("stat", BytePath(bytes: name))
        let isRegular = Int32(unsafe record.pointee.d_type) == Int32(DT_REG)
        return DirectoryEntry(name: name, kind: isRegular ? .regular : .other, failure: failure)
      }
      let found = FileStatus(status)
      guard found.kind == .regular else { return DirectoryEntry(name: name, kind: found.kind) }
      return DirectoryEntry(
        name: name, kind: .regular, stamp: found.stamp, changed: found.changed)
    default: return DirectoryEntry(name: name, kind: .other)
    }
  }
}

extension DirectoryEntry {
  /// Replaces a symbolic link to a regular file with that file. Other links stay links, those that lead nowhere
  /// too. A link with an unknown target, as in a folder without permission, has a ``failure``.
  fileprivate mutating func follow(in folder: Int32) {
    var status = stat()
    let path = BytePath(bytes: name)
    let result = unsafe path.withCString { unsafe fstatat(folder, $0, &status, 0) }
    guard result == 0 else {
      let error = SystemError.last("stat", path)
      if !error.isNotFound, !error.isLink { failure = error }
      return
    }
    let found = FileStatus(status)
    guard found.kind == .regular else { return }
    (kind, stamp, changed) = (.regular, found.stamp, found.changed)
  }
}
