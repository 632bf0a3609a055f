import CLinux
import Glibc
package import MediaModel

/// An open folder: operations apply to this very folder, even if its path leads elsewhere later.
///
/// Folders below it are opened without following symbolic links, so a link that another process creates in
/// it has no effect.
package final class OpenFolder: Sendable {
  let descriptor: Int32
  /// The path it was opened with, for messages.
  package let path: BytePath

  /// Opens a folder that the user has named; an empty path is the working directory. Symbolic links are
  /// followed.
  package init(_ path: BytePath) throws(SystemError) {
    let name = path.bytes.isEmpty ? BytePath(".") : path
    descriptor = try unsafe name.call("open") {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    self.path = path
  }

  private init(descriptor: Int32, path: BytePath) {
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    close(descriptor)
  }

  // MARK: Folders below

  /// Opens a folder below this one.
  ///
  /// - Parameters:
  ///   - relative: names separated by `/`; empty for this folder.
  ///   - making: whether to create missing folders, with the mode that the umask allows.
  /// - Throws: `SystemError`: ``SystemError/isLink`` if one of the names is a symbolic link.
  package func folder(
    _ relative: BytePath, making: Bool = false
  ) throws(SystemError) -> OpenFolder {
    let names = relative.components
    guard !names.contains([0x2E, 0x2E]), relative.bytes.first != UInt8(ascii: "/") else {
      throw SystemError(code: EXDEV, operation: "open", path: path.appending(relative.bytes))
    }
    do {
      return try openBeneath(relative)
    } catch {
      switch error.code {
      // Kernels before Linux 5.6 do not know the call, and some sandboxes refuse it.
      case ENOSYS, EPERM: return try openStepwise(names, making: making)
      case ENOENT where making: return try openStepwise(names, making: true)
      default: throw error
      }
    }
  }

  /// With one system call, which is repeated if another process changes the path meanwhile.
  private func openBeneath(_ relative: BytePath) throws(SystemError) -> OpenFolder {
    let name = relative.bytes.isEmpty ? [0x2E] : relative.bytes
    for attempt in 1... {
      do {
        let opened = try unsafe call("open", name) {
          unsafe open_beneath($0, $1, UInt32(O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        }
        return OpenFolder(
          descriptor: opened, path: relative.bytes.isEmpty ? path : path.appending(relative.bytes))
      } catch  where error.code == EAGAIN && attempt < 100 {
        continue
      }
    }
    throw SystemError(code: EAGAIN, operation: "open", path: path.appending(name))
  }

  /// One name after the other; none of them may be a link, or lead upwards.
  func openStepwise(_ names: [[UInt8]], making: Bool) throws(SystemError) -> OpenFolder {
    var folder = self
    for name in names {
      // As `openat2` reports it.
      guard name != Array("..".utf8) else {
        throw SystemError(code: EXDEV, operation: "open", path: folder.path.appending(name))
      }
      if making {
        do {
          _ = try unsafe folder.call("mkdir", name) { unsafe mkdirat($0, $1, 0o777) }
        } catch  where error.isTaken {}
      }
      do {
        let opened = try unsafe folder.call("open", name) {
          unsafe openat($0, $1, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        }
        folder = OpenFolder(descriptor: opened, path: folder.path.appending(name))
      } catch {
        // For a link this call reports that it is not a folder.
        guard error.code == ENOTDIR, let status = try folder.status(of: name),
          status.kind == .symbolicLink
        else { throw error }
        throw SystemError(code: ELOOP, operation: "open", path: error.path)
      }
    }
    return folder
  }

  // MARK: Files

  /// The status of a name in this folder, or of the symbolic link there; nil if nothing exists.
  package func status(of name: [UInt8]) throws(SystemError) -> FileStatus? {
    var found = stat()
    do {
      _ = try unsafe call("stat", name) { unsafe fstatat($0, $1, &found, AT_SYMLINK_NOFOLLOW) }
    } catch  where error.isNotFound {
      return nil
    }
    return FileStatus(found)
  }

  /// The folder's own status.
  package func status() throws(SystemError) -> FileStatus {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { throw .last("stat", path) }
    return FileStatus(found)
  }

  /// The folder's entries, without a `stat` of each.
  package func names() throws(SystemError) -> [DirectoryEntry] {
    let reading = try unsafe call("open", [0x2E]) {
      unsafe openat($0, $1, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    return Array(try Directory(consuming: reading, path, namesOnly: true).entries)
  }

  /// Removes a file name; it is not an error if it does not exist.
  package func removeFile(_ name: [UInt8]) throws(SystemError) {
    do {
      _ = try unsafe call("unlink", name) { unsafe unlinkat($0, $1, 0) }
    } catch {
      guard error.code == ENOENT else { throw error }
    }
  }

  /// Waits until the folder's entries are on the disk, if the file system supports this.
  package func sync() throws(SystemError) {
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == EBADF else {
      throw .last("fsync", path)
    }
  }

  /// Whether files keep their inode numbers here when the file system is mounted again. FAT, exFAT, FUSE and
  /// SMB invent numbers, and may give one to another file.
  package var keepsInodes: Bool {
    // The magic numbers of linux/magic.h, as 32 bits: msdos, exfat, fuse, cifs, smb2, 9p.
    let madeUp: Set<UInt32> = [
      0x4D44, 0x2011_BAB0, 0x6573_5546, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997,
    ]
    return !madeUp.contains(file_system_kind(descriptor))
  }

  /// The magic numbers of linux/magic.h: ext2 to ext4, XFS, tmpfs.
  private static let journaling: Set<UInt32> = [0xEF53, 0x5846_5342, 0x0102_1994]
  /// Btrfs, F2FS, overlayfs.
  private static let others: Set<UInt32> = [0x9123_683E, 0xF2F5_2010, 0x794C_7630]

  /// Whether files can be created here without a name and get one later. On other file systems with `O_TMPFILE`, such
  /// as those of FUSE, the link may be refused when the file is finished.
  var supportsUnnamedFiles: Bool {
    let kind = file_system_kind(descriptor)
    return Self.journaling.contains(kind) || Self.others.contains(kind)
  }

  /// Whether `fsync` writes a file that has no name yet completely, so that only the folder has to be synced after the
  /// file has got its name. Btrfs writes no metadata of such a file.
  package var syncsUnnamedFiles: Bool { Self.journaling.contains(file_system_kind(descriptor)) }

  // MARK: Names

  /// Renames a file within this folder.
  ///
  /// - Parameter replacing: whether to replace a file of the new name atomically; otherwise `EEXIST` is
  ///   thrown.
  package func rename(_ name: [UInt8], to other: [UInt8], replacing: Bool) throws(SystemError) {
    do {
      try unsafe call("rename", name, other) { folder, old, new in
        replacing
          ? unsafe renameat(folder, old, folder, new)
          : unsafe renameat2(folder, old, folder, new, 1)  // RENAME_NOREPLACE
      }
    } catch {
      guard !replacing, [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
      try link(name, as: other)
    }
  }

  /// Exchanges the names of two files of this folder atomically.
  ///
  /// - Returns: false if the file system or the kernel does not support it; then nothing has changed.
  package func exchange(_ name: [UInt8], with other: [UInt8]) throws(SystemError) -> Bool {
    do {
      try unsafe call("rename", name, other) { folder, old, new in
        unsafe renameat2(folder, old, folder, new, 2)  // RENAME_EXCHANGE
      }
      return true
    } catch {
      guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(error.code) else { throw error }
      return false
    }
  }

  /// Takes a name only if it is free, by a hard link: for file systems without `renameat2`.
  private func link(_ name: [UInt8], as other: [UInt8]) throws(SystemError) {
    do {
      try unsafe call("link", name, other) { unsafe linkat($0, $1, $0, $2, 0) }
    } catch {
      guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
      return try rename(name, claiming: other)
    }
    try removeFile(name)
  }

  /// For file systems that support neither (FAT, some network shares): creates an empty file of the new name,
  /// which fails if the name is taken, and replaces it. A process that is killed in between leaves the empty
  /// file, which is better than overwriting another process's file.
  func rename(_ name: [UInt8], claiming other: [UInt8]) throws(SystemError) {
    _ = try OutputFile.create(other, in: self)
    do {
      try rename(name, to: other, replacing: true)
    } catch {
      try? removeFile(other)
      throw error
    }
  }

  // MARK: Calls

  /// Makes a system call with this folder and a name in it.
  func call(
    _ operation: String, _ name: [UInt8], _ body: (Int32, UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) -> Int32 {
    let (result, code) = unsafe BytePath(bytes: name).withCString { text in
      let result = unsafe body(descriptor, text)
      return (result, errno)
    }
    guard result >= 0 else {
      throw SystemError(code: code, operation: operation, path: path.appending(name))
    }
    return result
  }

  /// Makes a system call with two names in this folder; an error names the second.
  private func call(
    _ operation: String, _ name: [UInt8], _ other: [UInt8],
    _ body: (Int32, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) {
    _ = try unsafe call(operation, other) { folder, second in
      unsafe BytePath(bytes: name).withCString { first in
        unsafe body(folder, first, second)
      }
    }
  }
}
