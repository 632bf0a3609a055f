package import Catalog
package import CodecMessages
package import MediaModel

/// An asset that is to be handed out, and how its files are now.
package struct ExportSubject: Sendable, Hashable {
  package var asset: Asset
  /// Its folder below its root; empty for the root's own.
  package var folder: BytePath
  /// The files it consists of as they are now; what is missing here is not there.
  package var stamps: [BytePath: FileStamp]
  /// Whether somebody named this very asset: then it is a failure if it cannot be read, which the scan
  /// has told already.
  package var isNamed: Bool

  package init(
    asset: Asset, folder: BytePath, stamps: [BytePath: FileStamp], isNamed: Bool = false
  ) {
    self.asset = asset
    self.folder = folder
    self.stamps = stamps
    self.isNamed = isNamed
  }
}

/// One of an asset's files, or a clip inside one, that may be handed out.
package struct ExportPart: Sendable, Hashable {
  /// `photo`, `video` or `pairedVideo`.
  package var resource: ResourceType
  package var path: BytePath
  /// The clip inside the file, if that is meant.
  package var range: ByteRange?
  package var uniformType: UniformType
  /// Bytes: of the clip, for one inside a file.
  package var size: Int64

  /// How the codec process is asked about it.
  package var examineItem: ExamineItem {
    ExamineItem(path: path, uniformType: uniformType, range: range)
  }
}

extension ExportSubject {
  /// The asset's own file. Of edited pictures and of RAW beside JPEG it is the one that is listed.
  var main: ExportPart {
    ExportPart(
      resource: asset.mediaType == .image ? .photo : .video, path: asset.path, range: nil,
      uniformType: asset.uniformType, size: asset.size)
  }

  /// Its motion clip, beside it or inside it.
  var clip: ExportPart? {
    guard asset.mediaType == .image,
      let clip = asset.resources.first(where: { $0.type == .pairedVideo })
    else { return nil }
    let range = clip.range.map {
      ByteRange(offset: UInt64(clamping: $0.offset), length: UInt64(clamping: $0.length))
    }
    return ExportPart(
      resource: .pairedVideo, path: clip.path, range: range, uniformType: clip.uniformType,
      size: clip.size)
  }

  /// What of it is to be handed out.
  func parts(_ choice: LivePhotoChoice) -> [ExportPart] {
    guard let clip else { return [main] }
    return switch choice {
    case .still: [main]
    case .pair: [main, clip]
    case .motion: [clip]
    }
  }

  /// When it was taken, in nanoseconds since 1970 UTC; a time without a zone is taken for UTC, since
  /// this machine's zone says nothing about the picture. Without a capture time its file's own time.
  var moment: Int64 {
    guard let wall = asset.captureWall else { return asset.modified }
    let (utc, isTooFar) = wall.subtractingReportingOverflow(
      Int64(asset.captureOffsetMinutes ?? 0) * 60_000)
    let (nanoseconds, isFarther) = utc.multipliedReportingOverflow(by: 1_000_000)
    return isTooFar || isFarther ? asset.modified : nanoseconds
  }
}

extension Asset {
  /// The distance from UTC at the end of ``captureDate``, in minutes; nil if it tells none.
  var captureOffsetMinutes: Int? {
    guard let text = captureDate?.utf8.suffix(6), text.count == 6, let sign = text.first,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let fields = String(text.dropFirst())?.split(separator: ":"), fields.count == 2,
      let hours = Int(fields[0]), let minutes = Int(fields[1])
    else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }
}
