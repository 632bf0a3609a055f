import Linux
import MediaEdits
import MediaModel

// Earlier results that an export does not replace, although they may contain metadata that it removes.

extension ExportRequest {
  /// Whether a file may contain metadata that this request removes.
  ///
  /// - Parameter entries: what is recorded of the files of the same asset.
  func removesMore(than entry: ExportRecord.Entry, among entries: [ExportRecord.Entry]) -> Bool {
    // What an XMP file leaves out is not recorded, but the same export has made the file that it is about.
    let described = entries.last { $0.target + PlannedFile.descriptionSuffix == entry.target }
    let made = described ?? entry
    let type = UniformType(
      fileExtension: FileNameParts(name: Array(made.target.utf8)).fileExtension)
    let isMovie = type?.mediaType == .video
    return !made.removedMetadata(isMovie: isMovie)
      .isSuperset(of: isMovie ? videoMetadata : imageMetadata)
  }

  /// Whether this request removes metadata.
  fileprivate var removesMetadata: Bool { imageMetadata != .keep || videoMetadata != .keep }
}

extension TargetFolder {
  /// The results of earlier exports of assets that are not exported now, for example because no file of them is left, that
  /// may contain metadata which the request removes; by their paths below this folder, in order.
  ///
  /// - Parameters:
  ///   - identifiers: of the assets that are exported.
  ///   - names: of their results.
  func remainingResults(
    _ request: ExportRequest, besides identifiers: Set<String>, _ names: Set<String>
  ) throws(ExportError) -> [String] {
    guard request.removesMetadata else { return [] }
    do throws(SystemError) {
      let tree: TargetTree
      do {
        tree = try TargetTree(path)
      } catch  where error.isNotFound {
        return []
      }
      let record = try RecordReading(tree.root, key: key).records(nil).0
      var entries: [String: [ExportRecord.Entry]] = [:]
      for (key, lines) in record.history where !identifiers.contains(key.identifier) {
        entries[key.identifier, default: []] += lines.filter(\.isOwn)
      }
      var found: Set<String> = []
      for lines in entries.values {
        for line in lines where !names.contains(line.target) && !found.contains(line.target) {
          guard request.removesMore(than: line, among: lines),
            let status = try tree.status(of: line.target), status.kind == .regular
          else { continue }
          found.insert(line.target)
        }
      }
      return found.sorted()
    } catch {
      throw unusable(error)
    }
  }
}
