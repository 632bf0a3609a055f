package import Catalog
package import Linux
package import MediaModel

/// What a file's content is, compared with what it was.
package enum FileJudgement: Sendable, Hashable {
  /// It is the recorded one, whatever the times are.
  case equal
  /// It was not recorded before.
  case first
  /// It is another one, and so is the modification time or the size: a program has written it.
  case edited
  /// It is another one, but size and modification time are the recorded ones.
  case rotted(Evidence)
  /// The last scan has not seen this state of the file, so there is nothing to compare it with.
  case unscanned

  /// How sure it is that no program has written the file.
  package enum Evidence: Sendable, Hashable {
    /// The change time, which programs cannot set, and the inode are the recorded ones too.
    case untouched
    /// They are others: the file was copied, its permissions were changed, or a program has written it and kept its time.
    case touched
    /// There is no recorded content, but the last scan found another fingerprint.
    case sinceScan
  }

  /// - Parameters:
  ///   - digest: the SHA-256 of the content as it is.
  ///   - fingerprint: that of the content as it is, if there is no recorded content.
  ///   - status: the file's status before and after it was read.
  ///   - file: what the catalog has of it.
  package init(
    _ digest: [UInt8], fingerprint: Fingerprint? = nil, _ status: FileStatus, _ file: FileToVerify
  ) {
    guard let recorded = file.content else {
      let isAsScanned = fingerprint == nil || file.fingerprint.map { $0 == fingerprint } ?? true
      // The scan itself does not trust the times of a young file.
      self =
        !file.isScanned(status) || (!isAsScanned && file.isYoung)
        ? .unscanned : isAsScanned ? .first : .rotted(.sinceScan)
      return
    }
    if recorded.digest == digest {
      self = .equal
    } else if recorded.hasTime(of: status) {
      let isUntouched =
        recorded.changed == status.changed && recorded.stamp.inode == status.stamp.inode
      self = .rotted(isUntouched ? .untouched : .touched)
    } else {
      self = file.isScanned(status) ? .edited : .unscanned
    }
  }
}

extension FileToVerify {
  /// Whether the last scan saw the file in this state. Inodes do not count: some file systems renumber them.
  package func isScanned(_ status: FileStatus) -> Bool {
    stamp.size == status.stamp.size && stamp.modified == status.stamp.modified
  }

  /// Whether reading the file can show anything: the last scan, or the last check, saw it in this state.
  func isWorthReading(_ status: FileStatus) -> Bool {
    isScanned(status) || content?.hasTime(of: status) == true
  }
}

extension RecordedContent {
  /// Whether size and modification time are those of the recorded content.
  func hasTime(of status: FileStatus) -> Bool {
    stamp.size == status.stamp.size && stamp.modified == status.stamp.modified
  }

  /// The content of a file in this state.
  init(_ digest: [UInt8], _ status: FileStatus) {
    self.init(digest: digest, stamp: status.stamp, changed: status.changed)
  }
}

extension FileJudgement.Evidence {
  /// What was found, as a sentence without its end.
  var sentence: String {
    switch self {
    case .untouched: "the content has changed, but the size and times have not"
    case .touched:
      "the content has changed, but the size and modification time have not; the file was copied, or changed by a program "
        + "that keeps times"
    case .sinceScan:
      "the content has changed since the last scan, but the size and modification time have not"
    }
  }
}
