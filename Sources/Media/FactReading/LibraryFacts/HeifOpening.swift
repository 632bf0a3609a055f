package import ByteReading
package import LibHeif
package import MediaFormats
import MediaModel
import WorkerProtocol

/// Opens a HEIF or AVIF picture with libheif, after our own reader has checked for what libheif does not support.
///
/// - Parameters:
///   - source: the file.
///   - boxes: the result of our own reader; nil if it failed.
/// - Throws: ``ProbeFailure``; the errors of the source.
package func openHeif(_ source: any ByteSource, _ boxes: HEIFContainer?) throws -> LibHeifImage {
  var source = source
  if let boxes {
    if let obstacle = try boxes.compressionObstacle(in: source) {
      throw ProbeFailure(.unsupported, obstacle)
    }
    source = try HEIFReferenceRepair.repaired(source, boxes)
  }
  do throws(HeifError) {
    return try LibHeifImage(size: source.count, read: reading(source))
  } catch {
    throw ProbeFailure(error)
  }
}
