import Glibc
package import MediaModel

/// A socket that sends datagrams to a service of this machine, such as the journal.
package final class LocalDatagram: Sendable {
  private let descriptor: Int32
  private let path: BytePath

  /// - Parameter path: of the service's socket, at most 107 bytes.
  /// - Throws: `SystemError`, `ENOENT` if there is no such service.
  package init(to path: BytePath) throws(SystemError) {
    self.path = path
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The path ends with a zero byte.
    guard path.bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw SystemError(code: ENAMETOOLONG, operation: "connect", path: path)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.bytes) }
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .last("socket", path) }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let error = SystemError.last("connect", path)
      close(descriptor)
      throw error
    }
  }

  deinit {
    close(descriptor)
  }

  /// Sends one datagram.
  package func send(_ bytes: [UInt8]) throws(SystemError) {
    while true {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return }
      guard errno == EINTR else { throw .last("send", path) }
    }
  }
}

extension StandardStream {
  /// Whether the stream is connected to the journal of systemd.
  ///
  /// - Parameter journalStream: `$JOURNAL_STREAM`, which has the device and inode of the journal's stream.
  package func isJournal(_ journalStream: String?) -> Bool {
    var found = stat()
    guard let journalStream, unsafe fstat(rawValue, &found) == 0 else { return false }
    return journalStream == "\(found.st_dev):\(found.st_ino)"
  }
}
