import MediaModel

extension ReadOnlyFile {
  /// Reads the file line by line, with bounded memory.
  ///
  /// - Parameters:
  ///   - limit: bytes; longer lines are skipped.
  ///   - body: called with each line without its line break, including a last line that has none.
  /// - Returns: whether the file is empty or its last line ends with a line break.
  package func forEachLine(
    limit: Int, _ body: (Span<UInt8>) -> Void
  ) throws(SystemError) -> Bool {
    let end = UInt8(ascii: "\n")
    // The beginning of a line that is not complete yet; empty if it is too long.
    var begun: [UInt8] = []
    var (isTooLong, isEnded) = (false, true)
    var offset: UInt64 = 0
    while offset < size {
      let piece = try read(at: offset, count: 1 << 18)
      if piece.isEmpty { break }
      offset += UInt64(piece.count)
      var start = 0
      let bytes = piece.span
      for index in bytes.indices where bytes[index] == end {
        if begun.isEmpty, !isTooLong {
          if index - start <= limit { body(bytes.extracting(start..<index)) }
        } else if !isTooLong, begun.count + index - start <= limit {
          begun += piece[start..<index]
          body(begun.span)
        }
        begun.removeAll(keepingCapacity: true)
        isTooLong = false
        start = index + 1
      }
      isTooLong = isTooLong || begun.count + piece.count - start > limit
      if isTooLong { begun = [] } else { begun += piece[start...] }
      isEnded = start == piece.count && begun.isEmpty && !isTooLong
    }
    if !isEnded, !isTooLong { body(begun.span) }
    return isEnded
  }
}
