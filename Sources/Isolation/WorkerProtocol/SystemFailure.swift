package import Linux

extension ProbeFailure {
  /// The failure for a file that the operating system does not let a process read or write.
  package init(_ error: SystemError) {
    let reason = error.reason.asPartOfSentence
    switch error {
    case _ where error.isDiskFull: self.init(.diskFull, "The disk is full.")
    case _ where error.isFileTooLarge:
      self.init(
        .inaccessible, "The result is larger than the target's file system or limits allow.")
    case _ where error.operation == "write":
      self.init(.inaccessible, "The result cannot be written: \(reason).")
    default: self.init(.inaccessible, "The file cannot be read: \(reason).")
    }
  }
}

extension String {
  /// A library's message as the end of a sentence: the first letter in lower case unless a capital
  /// follows, no full stop, spaces for line breaks.
  package var asPartOfSentence: String {
    var text = replacing("\n", with: " ")
    while text.last == "." || text.last == " " { text.removeLast() }
    guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}
