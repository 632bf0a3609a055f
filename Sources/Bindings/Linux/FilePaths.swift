package import MediaModel
package import SystemPackage

// Paths of swift-system, which programs outside this package use.

extension FilePath {
  /// The same bytes.
  package init(_ path: BytePath) {
    let bytes = path.bytes.map { CChar(bitPattern: $0) } + [0]
    self.init(platformString: bytes)
  }
}

extension BytePath {
  /// The same bytes.
  package init(_ path: FilePath) {
    self = unsafe path.withPlatformString { start in
      var bytes: [UInt8] = []
      var index = 0
      while case let byte = unsafe start[index], byte != 0 {
        bytes.append(UInt8(bitPattern: byte))
        index += 1
      }
      return BytePath(bytes: bytes)
    }
  }
}
