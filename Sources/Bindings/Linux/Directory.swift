import CLinux
import Glibc
package import MediaModel

/// A folder's identity and entries, read at once.
package struct Directory: Sendable {
  package var identity: FolderIdentity
  /// ``FileStatus/changed`` of the folder, from before its entries were read.
  package var changed: Int64
  /// Whether a file system is mounted here, even one that is mounted elsewhere too. Device numbers are not
  /// enough: a bind mount has that of the folder above, and a subvolume another one.
  package var isMountPoint: Bool
  /// Without `.` and `..`. A file that disappears during reading is left out.
  package private(set) var entries: DirectoryEntries

  /// Reads a folder, which must not be a symbolic link: a link could lead the scan out of a root.
  ///
  /// - Parameters:
  ///   - namesOnly: leaves out the stamps, which saves a `stat` for each file.
  ///   - followingLinks: whether a symbolic link to a regular file is listed as that file, under the link's name.
  ///   - threads: make some of the calls of `stat` if there are many or these are slow.
  ///   - listed: called before these calls, with the number of names that are not folders, and ``changed``.
  package init(
    reading path: BytePath, namesOnly: Bool = false, followingLinks: Bool = false,
    sharedWith threads: BlockingThreads? = nil,
    listed: (_ count: Int, _ changed: Int64) -> Void = { _, _ in }
  ) throws(SystemError) {
    try self.init(
      consuming: openFolder(path), path, namesOnly: namesOnly, followingLinks: followingLinks,
      sharedWith: threads, listed: listed)
  }

  /// Reads the first names in a folder, which must not be a symbolic link.
  ///
  /// - Parameter limit: the largest number of names.
  package init(glancingAt path: BytePath, limit: Int) throws(SystemError) {
    try self.init(consuming: openFolder(path), path, namesOnly: true, limit: limit)
  }

  /// Reads a folder from its descriptor, which is closed.
  init(
    consuming descriptor: Int32, _ path: BytePath, namesOnly: Bool, followingLinks: Bool = false,
    limit: Int = .max, sharedWith threads: BlockingThreads? = nil,
    listed: (_ count: Int, _ changed: Int64) -> Void = { _, _ in }
  ) throws(SystemError) {
    let stream = try FolderStream(consuming: descriptor, path)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .last("stat", path) }
    let found = FileStatus(status)
    identity = found.folderIdentity
    changed = found.changed
    isMountPoint = Self.isMountPoint(descriptor, status)
    var entries = DirectoryEntries(folderSize: found.stamp.size)
    var isTooLarge = false
    try unsafe stream.forEachEntry { name, kind in
      isTooLarge = unsafe !entries.append(name, kind)
      return !isTooLarge && entries.count < limit
    }
    if isTooLarge { throw SystemError(code: EOVERFLOW, operation: "readdir", path: path) }
    listed(entries.otherCount, changed)
    if !namesOnly || entries.hasUnlistedKinds {
      entries.examine(in: descriptor, followingLinks: followingLinks, sharedWith: threads)
    }
    self.entries = entries
  }

  /// Keeps one entry of each name. Some network and FUSE file systems list a name twice if the folder
  /// changes during reading.
  ///
  /// - Returns: whether a name was listed twice.
  package mutating func removeDuplicateNames() -> Bool { entries.removeDuplicateNames() }

  /// Asks the kernel; one before Linux 5.8 cannot answer, and the devices are compared.
  private static func isMountPoint(_ descriptor: Int32, _ status: stat) -> Bool {
    let state = unsafe mount_root_state(descriptor, "", 1)
    if state >= 0 { return state == 1 }
    var above = stat()
    guard unsafe fstatat(descriptor, "..", &above, 0) == 0 else { return false }
    return above.st_dev != status.st_dev
  }
}

/// The names of a folder's subfolders, and the number of its other entries: enough for an estimate, and small even
/// for a folder of a million files.
package struct FolderCount: Sendable {
  package private(set) var folders: [[UInt8]] = []
  package private(set) var others = 0

  /// - Throws: `SystemError`, also for a symbolic link.
  package init(reading path: BytePath) throws(SystemError) {
    let stream = try FolderStream(consuming: openFolder(path), path)
    try unsafe stream.forEachEntry { name, kind in
      guard unsafe kind == .directory || kind == .unlisted && stream.isFolder(name) else {
        others += 1
        return true
      }
      unsafe folders.append(Array(name))
      return true
    }
  }
}

private func openFolder(_ path: BytePath) throws(SystemError) -> Int32 {
  try unsafe path.call("open") {
    unsafe open($0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }
}

/// An open folder whose entries are read one after the other.
@safe private struct FolderStream: ~Copyable {
  private let stream: OpaquePointer
  private let path: BytePath

  /// - Parameter descriptor: the stream closes it; if there is an error, this initializer does.
  init(consuming descriptor: Int32, _ path: BytePath) throws(SystemError) {
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError.last("opendir", path)
      close(descriptor)
      throw error
    }
    unsafe self.stream = unsafe stream
    self.path = path
  }

  deinit {
    unsafe closedir(stream)
  }

  /// Calls `body` with each name and its kind, except `.` and `..`. A NUL follows the name in memory.
  ///
  /// - Parameter body: returns false to end the reading.
  func forEachEntry(
    _ body: (UnsafeRawBufferPointer, DirectoryEntries.Kind) -> Bool
  ) throws(SystemError) {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      errno = 0
      guard let record = unsafe readdir(stream) else { break }
      let start = unsafe UnsafeRawPointer(record).advanced(by: offset)
      let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
      let name = unsafe UnsafeRawBufferPointer(start: start, count: length)
      if unsafe name.first == 0x2E && (length == 1 || length == 2 && name[1] == 0x2E) { continue }
      let kind: DirectoryEntries.Kind =
        switch Int32(unsafe record.pointee.d_type) {
        case Int32(DT_REG): .regular
        case Int32(DT_DIR): .directory
        case Int32(DT_LNK): .symbolicLink
        case Int32(DT_UNKNOWN): .unlisted
        default: .other
        }
      guard unsafe body(name, kind) else { return }
    }
    guard errno == 0 else { throw .last("readdir", path) }
  }

  /// Whether a name is that of a folder. A NUL follows the name in memory.
  func isFolder(_ name: UnsafeRawBufferPointer) -> Bool {
    var status = stat()
    guard let text = unsafe name.baseAddress?.assumingMemoryBound(to: CChar.self) else {
      return false
    }
    return unsafe fstatat(dirfd(stream), text, &status, AT_SYMLINK_NOFOLLOW) == 0
      && FileStatus(status).kind == .directory
  }
}
