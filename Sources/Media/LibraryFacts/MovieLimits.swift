package import ByteReading
package import FFmpeg
import FactReading
import MediaFormats
import WorkerProtocol

extension Demuxer {
  /// Far more than real movies have.
  private static let maximumTracks = 1000
  private static let maximumEdits = 10_000

  /// Refuses a movie whose header would keep FFmpeg busy for minutes: it reads each track again for each other one, and each
  /// sample again for each entry of an edit list. A movie of another structure passes.
  ///
  /// - Throws: `ProbeFailure`; the errors of the source.
  package func checkHeader(of source: any ByteSource) throws {
    do {
      if self == .matroska, try MatroskaFile.hasMoreTracks(than: Self.maximumTracks, source) {
        throw ProbeFailure(.unsupported, "The video has more than 1,000 tracks.")
      }
      if self == .quickTime, try ISOPauses.hasMoreEdits(than: Self.maximumEdits, in: source) {
        throw ProbeFailure(.unsupported, "The video's edit lists have more than 10,000 entries.")
      }
    } catch is ContainerError {
      // FFmpeg decides about damaged movies.
      return
    }
  }
}
