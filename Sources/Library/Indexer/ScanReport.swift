package import Catalog
package import MediaModel
import Query

/// What a scan did, as its report says it.
package struct ScanReport: Sendable {
  /// The scan's record in the catalog, where its failures are kept.
  package var scanID: Int64
  package var counts: ScanCounts
  package var outcome: ScanOutcome
  package var seconds: Double
  /// Each root with the reason why it was left as it is, if it was.
  package var roots: [(path: BytePath, unavailability: String?)]
  /// Those of them that have lost more files than the scan accepts.
  package var lossyRoots: Set<BytePath>
  /// How many paths the failures name.
  package var failureCount: Int
}
