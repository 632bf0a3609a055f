import Glibc

extension ReadOnlyFile {
  /// Has the kernel drop what it has cached of the file, so that the next reading comes from the disk, and what was read
  /// takes no memory from other programs. Pages that were written and are not on the disk yet stay cached.
  package func dropCache() {
    // Advice: the content is the same if the kernel does not follow it.
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }

  /// Announces that the file is read from its beginning to its end.
  package func expectReading() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }
}

extension OutputFile {
  /// As ``ReadOnlyFile/dropCache()``; what was written has to be synced first.
  package func dropCache() {
    _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }
}
