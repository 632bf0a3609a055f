/// An open file whose content can be read, whatever it was opened for.
package protocol ReadableFile: ~Copyable {
  /// Up to `count` bytes at `offset`: fewer at the file's end, none after it.
  func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8]
  /// Has the kernel drop what it has cached of the file, so that the next reading comes from the disk.
  func dropCache()
}

extension ReadOnlyFile: ReadableFile {}
extension OutputFile: ReadableFile {}
