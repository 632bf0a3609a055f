import ByteReading
import MediaModel

/// The values of a script tag, coded in Action Message Format 0 (AMF 0 specification; Adobe Flash Video File Format
/// Specification 10.1 §E.4.4).
struct FlashScriptData {
  /// A value that is neither an object nor a list.
  enum Value: Hashable {
    case number(Double), text(String), flag(Bool)
    /// Milliseconds since 1970 UTC.
    case date(Double)
  }

  /// The name of the event, such as `onMetaData`.
  private(set) var name = ""
  /// The event's own values, without those inside of objects and lists.
  private(set) var values: [(key: String, value: Value)] = []

  private let bytes: [UInt8]
  private var position = 0
  private var visited = 0

  private static let maximumDepth = 16
  /// Values in one tag. A list of key frames has two for each.
  private static let maximumValues = 200_000
  /// Values that are kept.
  private static let maximumEntries = 1000

  /// Reads as many values as can be read; none of a damaged tag.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard case .text(let name)? = read(depth: 0) else { return }
    self.name = name
    _ = read(depth: 0)
  }

  /// Reads a value and moves after it.
  ///
  /// - Parameter depth: of objects around it. The values of the outermost object are kept.
  /// - Returns: nil for an object or list, and at damaged data, which ends the tag.
  private mutating func read(depth: Int) -> Value? {
    visited += 1
    guard visited < Self.maximumValues, depth < Self.maximumDepth, let type = bytes.u8(at: position)
    else { return stop() }
    position += 1
    switch type {
    case 0: return number().map(Value.number) ?? stop()
    case 1:
      defer { position += 1 }
      return bytes.u8(at: position).map { .flag($0 != 0) } ?? stop()
    case 2: return text(width: 2).map(Value.text) ?? stop()
    case 3: readObject(depth: depth)
    // Null, undefined, unsupported.
    case 5, 6, 0x0D: break
    case 7: position += 2
    case 8:
      position += 4
      readObject(depth: depth)
    case 0x0A:
      guard let count = bytes.u32(at: position) else { return stop() }
      position += 4
      var left = count
      while left > 0, position < bytes.count {
        _ = read(depth: depth + 1)
        left -= 1
      }
    case 0x0B:
      let milliseconds = number()
      // The zone is reserved.
      position += 2
      return milliseconds.map(Value.date) ?? stop()
    case 0x0C: return text(width: 4).map(Value.text) ?? stop()
    default: return stop()
    }
    return nil
  }

  /// Reads the names and values of an object up to its end mark.
  private mutating func readObject(depth: Int) {
    while position < bytes.count {
      guard let key = text(width: 2) else { return }
      if bytes.u8(at: position) == 9 {
        position += 1
        return
      }
      let value = read(depth: depth + 1)
      if depth == 0, let value, values.count < Self.maximumEntries { values.append((key, value)) }
    }
  }

  /// Gives up the rest of the tag.
  private mutating func stop() -> Value? {
    position = bytes.count
    return nil
  }

  private mutating func number() -> Double? {
    guard let coded = bytes.u64(at: position) else { return nil }
    position += 8
    return Double(bitPattern: coded)
  }

  /// Reads a text after its length, a number of `width` bytes.
  private mutating func text(width: Int) -> String? {
    guard let length = bytes.unsigned(at: position, width: width),
      let content = bytes.bytes(at: position + width, count: Int(length))
    else {
      position = bytes.count
      return nil
    }
    position += width + content.count
    return content.text
  }
}

extension FlashScriptData {
  /// The number of a key; nil if it is missing or not a finite number.
  func number(_ key: String) -> Double? {
    guard case .number(let value)? = values.first(where: { $0.key == key })?.value, value.isFinite
    else { return nil }
    return value
  }

  /// Keys that describe the streams. They are not tags.
  private static let streamKeys: Set<String> = [
    "duration", "width", "height", "videodatarate", "framerate", "videocodecid", "audiodatarate",
    "audiosamplerate", "audiosamplesize", "stereo", "audiocodecid", "datastream",
  ]

  /// The other values as FFmpeg writes them.
  var tags: [MetadataEntry] {
    values.filter { !Self.streamKeys.contains($0.key) }.map { key, value in
      MetadataEntry(key: key, value: value.text)
    }
  }
}

extension FlashScriptData.Value {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number):
      Int64(exactly: number.rounded(.toNearestOrEven)).map(String.init) ?? String(number)
    case .date(let milliseconds):
      Int64(exactly: (milliseconds / 1000).rounded(.down)).map {
        CivilTime(secondsSince1970: $0).iso8601 + "Z"
      } ?? ""
    }
  }
}
