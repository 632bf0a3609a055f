import MediaEdits
import MediaModel

extension DynamicRange {
  /// - Parameter transfer: the transfer function's number in ITU-T H.273 §8.2.
  package init(transfer: Int?) {
    switch transfer {
    case 16: self = .pq
    case 18: self = .hlg
    default: self = .sdr
    }
  }
}
