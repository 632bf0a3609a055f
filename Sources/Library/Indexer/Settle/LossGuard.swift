import Catalog

/// Keeps a root as it was that has lost more of its files than the user accepts without a question: a folder that was
/// deleted or overwritten by mistake looks like one that was tidied up.
struct LossGuard {
  /// The largest share of a root's media files that may be gone, 0...1.
  let acceptedShare: Double

  /// The losses below which a share means nothing.
  private static let fewestLosses = 20

  /// Takes back that files of a root are missing, if there are too many.
  ///
  /// - Parameter lastFile: the largest row that a file had when the scan began.
  /// - Returns: why the root is left as it was; nil if it is not.
  func withhold(
    in root: RootRecord, scan: Int64, lastFile: Int64, _ transaction: CatalogTransaction
  ) throws -> String? {
    let scans = try transaction.unfinishedScans(through: scan)
    let (lost, known) = try transaction.losses(
      ofRoot: root.id, scans: scans, lastFile: lastFile)
    guard lost >= Self.fewestLosses, Double(lost) > acceptedShare * Double(known) else {
      return nil
    }
    try transaction.restore(missingSince: scans, root: root.id)
    return "\(lost) of its \(known) files are gone: if that is right, scan this folder by its name"
  }
}
