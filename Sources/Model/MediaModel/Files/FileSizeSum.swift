extension Int64 {
  /// The sum of this and the size of a file, in bytes. It is at most `Int64.max`, because a file system may report any size.
  package func adding(size: Int64) -> Int64 {
    let (sum, isTooMuch) = addingReportingOverflow(Swift.max(0, size))
    return isTooMuch ? .max : sum
  }
}
