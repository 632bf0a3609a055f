package import ByteReading

/// Repairs references of a HEIF that list an item twice.
///
/// Some writers repeat an item in a `thmb`, `cdsc` or `auxl` reference (`iref`, ISO/IEC 14496-12 §8.11.12).
/// libheif refuses the whole file, although the repetition has no meaning. The repaired file lists each item once and
/// has the same size, so all other offsets stay valid.
package enum HEIFReferenceRepair {
  private static let maximumMetaSize: UInt64 = 16 << 20
  /// A box's size and type.
  private static let headerSize = 8

  /// The source with repaired references, or the source itself if there is nothing to repair or the repair fails.
  ///
  /// The tiles of a grid (`dimg`) may repeat, so those references stay.
  ///
  /// - Parameter file: the boxes of the same source.
  /// - Throws: the errors of the source.
  package static func repaired(
    _ source: any ByteSource, _ file: HEIFContainer
  ) throws -> any ByteSource {
    guard file.references.contains(where: { $0.type != "dimg" && Set($0.to).count < $0.to.count }),
      let meta = try source.boxes(in: 0..<source.count, limit: 256).first(where: {
        $0.type == "meta"
      }), !meta.isTruncated,
      meta.payload.count <= maximumMetaSize,
      let content = try source.content(of: meta, limit: Int(maximumMetaSize)),
      let changed = rebuilt(meta: content), changed.count == content.count
    else { return source }
    return PatchedSource(source, changed, at: meta.payload.lowerBound)
  }

  /// The content of the `meta` box with shorter references. To keep the length, zeros are added after the text at the
  /// end of the handler box, or in a new box.
  private static func rebuilt(meta: [UInt8]) -> [UInt8]? {
    let source = ArraySource(meta)
    guard let boxes = try? source.boxes(in: 4..<max(4, source.count)) else { return nil }
    var parts: [(type: FourCC, bytes: [UInt8])] = []
    for box in boxes {
      guard !box.isTruncated,
        let bytes = meta.bytes(at: Int(box.offset), count: Int(box.end - box.offset))
      else { return nil }
      parts.append((box.type, box.type == "iref" ? rebuilt(iref: bytes) ?? bytes : bytes))
    }
    let length = 4 + parts.reduce(0) { $0 + $1.bytes.count }
    let missing = meta.count - length
    if missing >= headerSize {
      parts.append(("free", made("free", [UInt8](repeating: 0, count: missing - headerSize))))
    } else if missing > 0 {
      guard let index = parts.firstIndex(where: { $0.type == "hdlr" }),
        let size = parts[index].bytes.u32(at: 0), Int(size) == parts[index].bytes.count
      else { return nil }
      let payload = parts[index].bytes.bytes(from: headerSize)
      parts[index].bytes = made("hdlr", payload + [UInt8](repeating: 0, count: missing))
    }
    return parts.reduce(Array(meta.prefix(4))) { $0 + $1.bytes }
  }

  /// An `iref` box with its header, with references that list each item once.
  private static func rebuilt(iref: [UInt8]) -> [UInt8]? {
    guard let size = iref.u32(at: 0), Int(size) == iref.count, iref.count >= 12 else { return nil }
    let source = ArraySource(iref)
    let width = iref[headerSize] == 0 ? 2 : 4
    var content = Array(iref[headerSize..<(headerSize + 4)])
    for box in (try? source.boxes(in: 12..<source.count, limit: 50_000)) ?? [] {
      guard !box.isTruncated,
        let link = iref.bytes(at: Int(box.payload.lowerBound), count: box.payload.count),
        let count = link.u16(at: width)
      else { return nil }
      if box.type == "dimg" {
        content += made(box.type, link)
        continue
      }
      var seen: Set<[UInt8]> = []
      let targets = (0..<Int(count)).compactMap {
        link.bytes(at: width + 2 + $0 * width, count: width)
      }.filter { seen.insert($0).inserted }
      content += made(
        box.type, link.prefix(width) + encoded(targets.count, width: 2) + targets.flatMap(\.self))
    }
    return made("iref", content)
  }

  private static func made(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    encoded(content.count + headerSize, width: 4) + encoded(type.rawValue, width: 4) + content
  }
}

/// A source with some bytes replaced by others of the same number.
struct PatchedSource: ByteSource {
  private let base: any ByteSource
  private let patch: [UInt8]
  private let range: Range<UInt64>

  init(_ base: any ByteSource, _ patch: [UInt8], at offset: UInt64) {
    self.base = base
    self.patch = patch
    range = offset..<(offset + UInt64(patch.count))
  }

  var count: UInt64 { base.count }

  func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    var found = try base.bytes(at: offset, count: count)
    let shared = (offset..<(offset + UInt64(found.count))).clamped(to: range)
    for position in shared {
      found[Int(position - offset)] = patch[Int(position - range.lowerBound)]
    }
    return found
  }
}
