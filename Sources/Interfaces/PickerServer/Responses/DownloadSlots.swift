import HTTPTypes
import Synchronization

/// Counts the files that are being sent. Each one takes up to some megabytes, as long as its reader is slow.
final class DownloadSlots: Sendable {
  private let used = Atomic(0)
  private let count: Int

  /// - Parameter count: how many files may be sent at a time.
  init(_ count: Int) { self.count = count }

  /// A place for one file, which is free again when the returned object is released.
  ///
  /// - Throws: ``APIError`` if there is none.
  func take() throws(APIError) -> DownloadSlot {
    guard used.add(1, ordering: .relaxed).newValue <= count else {
      used.subtract(1, ordering: .relaxed)
      throw APIError(
        .serviceUnavailable, "UNAVAILABLE", "Too many files are sent at once. Try again.", .busy,
        headers: [.retryAfter: "2"])
    }
    return DownloadSlot(self)
  }

  fileprivate func release() { used.subtract(1, ordering: .relaxed) }
}

/// The place of one file that is being sent.
final class DownloadSlot: Sendable {
  private let slots: DownloadSlots

  fileprivate init(_ slots: DownloadSlots) { self.slots = slots }

  deinit { slots.release() }
}
