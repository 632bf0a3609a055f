import Linux
import MediaModel

/// Makes sure that one server at a time uses the sessions of a library: a second one would overwrite them with older ones.
///
/// The kernel releases the lock when the process ends, however it ends.
struct ServerLock: ~Copyable {
  /// The lock cannot be taken.
  struct Failure: Error, CustomStringConvertible {
    /// A sentence with the cause and the remedy.
    let description: String
  }

  private let lock: FileLock

  /// - Parameter path: of a file that is created if it is missing, and stays.
  init(path: String) throws(Failure) {
    do {
      guard let lock = try FileLock.take(BytePath(path)) else {
        throw Failure(
          description: "another server already serves this library: use it, or stop it first")
      }
      self.lock = lock
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "the server cannot lock \(path): \(error)")
    }
  }
}
