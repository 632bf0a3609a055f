package import ByteReading
import FactReading
package import LibHeif
package import MediaFormats
package import WorkerProtocol

/// Opens a HEIF or AVIF picture with libheif, after our own reader has checked for what libheif does not support.
///
/// - Parameters:
///   - source: the file.
///   - boxes: the result of our own reader; nil if it failed.
/// - Throws: ``ProbeFailure``; the errors of the source.
package func openHeif(_ source: any ByteSource, _ boxes: HEIFContainer?) throws -> LibHeifImage {
  var source = source
  var size = source.count
  if let boxes {
    if let obstacle = try boxes.compressionObstacle(in: source) {
      throw ProbeFailure(.unsupported, obstacle)
    }
    size = min(size, boxes.end)
    source = try HEIFReferenceRepair.repaired(source, boxes)
    source = try HEIFRangeRepair.repaired(source, boxes)
  }
  do throws(HeifError) {
    // libheif takes unreadable bytes for missing ones. The file keeps the read error, which is then reported.
    return try LibHeifImage(size: size) { [source] offset, count in
      (try? source.bytes(at: offset, count: count)) ?? []
    }
  } catch {
    throw ProbeFailure(error)
  }
}

extension ProbeFailure {
  /// The failure for an error of libheif.
  package init(_ error: HeifError) {
    switch error.reason {
    case .damaged:
      self.init(.damaged, "The HEIF picture is damaged: \(error.detail.asPartOfSentence).")
    case .unsupported:
      self.init(
        .unsupported, "The HEIF picture cannot be opened: \(error.detail.asPartOfSentence).")
    case .outOfMemory:
      self.init(.outOfMemory, "The HEIF picture needs more memory than the limit for one file.")
    }
  }
}
