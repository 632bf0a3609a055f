import Glibc

/// The three standard streams of a process.
package enum StandardStream: Int32, Sendable {
  case input = 0
  case output = 1
  case error = 2

  /// Whether the stream is a terminal.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// The terminal's columns; nil if it is not a terminal or does not report them.
  package var width: Int? {
    var size = winsize()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Waits for bytes and returns up to `count` of them; empty at the end.
  package func read(upTo count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        let got = unsafe Glibc.read(rawValue, buffer.baseAddress, count)
        if got >= 0 {
          filled = got
          return
        }
        if errno == EINTR { continue }
        failure = .last("read")
        return
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of `bytes`. If the stream does not block, as the program that made it may have chosen, waits until it
  /// takes more.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    guard writeAll(bytes, to: rawValue) else { throw .last("write") }
  }
}

/// Writes all of `bytes` at the descriptor's position; false with `errno` set on failure. Waits for a descriptor that
/// does not block (`O_NONBLOCK`).
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  unsafe bytes.withUnsafeBytes { buffer in
    var written = 0
    while written < buffer.count {
      let count = unsafe Glibc.write(
        descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // If the reader is gone, the next write reports it.
        guard unsafe poll(&wanted, 1, -1) >= 0 || errno == EINTR else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
