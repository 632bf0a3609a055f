/// The `Range` of a request (RFC 9110, section 14).
enum ByteRange: Equatable {
  /// The whole content: the request has no range, several ranges, or a range in another unit.
  case whole
  /// The bytes from the first to the last one, both included.
  case part(ClosedRange<Int64>)
  /// No byte of the content is in the range.
  case unsatisfiable

  /// - Parameters:
  ///   - header: the value of the field; nil if there is none.
  ///   - size: bytes of the content.
  init(_ header: String?, size: Int64) {
    guard let header, header.hasPrefix("bytes="), !header.contains(",") else {
      self = .whole
      return
    }
    let ends = header.dropFirst("bytes=".count).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else {
      self = .whole
      return
    }
    let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
    switch (ends[0].isEmpty, first, ends[1].isEmpty, last) {
    case (true, _, false, let count?):
      guard count > 0, size > 0 else {
        self = .unsatisfiable
        return
      }
      self = .part(max(0, size - count)...(size - 1))
    case (false, let first?, true, _):
      self = first < size ? .part(first...(size - 1)) : .unsatisfiable
    case (false, let first?, false, let last?) where first <= last:
      self = first < size ? .part(first...min(last, size - 1)) : .unsatisfiable
    default: self = .whole
    }
  }

  /// A number of digits only.
  private static func number(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
  }
}
