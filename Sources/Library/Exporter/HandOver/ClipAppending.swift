import Linux
import MediaEdits
import MediaModel

extension FileCopying {
  private static let blockSize: UInt64 = 1 << 20
  /// The bytes at the beginning of a JPEG in which its XMP is searched.
  private static let headSize = 4 << 20

  /// Appends a clip to the picture of a motion photo, and completes the length in the picture's XMP.
  ///
  /// - Parameter made: the clip, if a worker made it; nil to copy the source's.
  func append(
    _ clip: AppendedClip, _ made: StagedFile?, to still: StagedFile, of index: Int
  ) throws {
    let end = try still.file.size()
    let length: UInt64
    if let made {
      length = try made.file.size()
      try append(length, to: still, at: end) { offset, count in
        try made.file.read(at: offset, count: count)
      }
    } else {
      let source = try ReadOnlyFile(path: clip.part.path)
      let state = try SourceState(source.status, clip.part.path, plan.items[index].subject)
      length = clip.part.range?.length ?? source.size
      let start = clip.part.range?.offset ?? 0
      try append(length, to: still, at: end) { offset, count in
        try source.read(at: start + offset, count: count)
      }
      try state.verify(source.statusNow())
    }
    let head = try still.file.read(at: 0, count: Self.headSize)
    let open = Array(LivePhotoPart.openLength.utf8)
    guard let place = head.lastStart(of: open) else {
      throw HandOverError(sentence: "The picture has no place for the length of its clip.")
    }
    var text = Array(LivePhotoPart.length(length).utf8)
    text += [UInt8](repeating: 0x20, count: max(0, LivePhotoPart.lengthWidth - text.count))
    try still.file.write(text, at: UInt64(place))
  }

  private func append(
    _ length: UInt64, to still: StagedFile, at end: UInt64,
    reading: (UInt64, Int) throws -> [UInt8]
  ) throws {
    var position: UInt64 = 0
    while position < length, !ledger.isStopped {
      let block = try reading(position, Int(min(Self.blockSize, length - position)))
      guard !block.isEmpty else { throw SourceState.changed }
      try still.file.write(block, at: end + position)
      position += UInt64(block.count)
    }
    guard position == length else { throw SourceState.changed }
  }
}

extension [UInt8] {
  /// The offset of the last occurrence of a text that begins with a capital.
  fileprivate func lastStart(of text: [UInt8]) -> Int? {
    guard let first = text.first, count >= text.count else { return nil }
    return (0...(count - text.count)).reversed().first { start in
      self[start] == first && self[start..<(start + text.count)].elementsEqual(text)
    }
  }
}
