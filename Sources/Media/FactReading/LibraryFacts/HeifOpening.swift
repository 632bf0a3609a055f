package import ByteReading
package import LibHeif
package import MediaFormats
import MediaModel
import WorkerProtocol

/// Opens a HEIF or AVIF picture with libheif, after our own reader has looked for what libheif cannot bear.
///
/// - Parameters:
///   - source: the file.
///   - boxes: what our own reader found in it; nil where it found nothing.
/// - Throws: ``ProbeFailure``; what the source throws.
package func openHeif(_ source: any ByteSource, _ boxes: HEIFFile?) throws -> HeifFile {
  var source = source
  if let boxes {
    if let obstacle = try boxes.compressionObstacle(in: source) {
      throw ProbeFailure(.unsupported, obstacle)
    }
    source = try HEIFReferenceRepair.repaired(source, boxes)
  }
  do throws(HeifError) {
    return try HeifFile(size: source.count, read: reading(source))
  } catch {
    throw ProbeFailure(error)
  }
}
