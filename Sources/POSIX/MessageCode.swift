import CNettle

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) of a message, 32 bytes: only who has the key can compute it.
///
/// The code is computed by Nettle, whose C functions take pointers, as the system's do.
package func messageCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: 32) { code, count in
    unsafe key.withUnsafeBufferPointer { key in
      unsafe message.withUnsafeBufferPointer { message in
        guard let start = code.baseAddress else { return }
        unsafe hmac_sha256_of(
          key.baseAddress, key.count, message.baseAddress, message.count, start)
        count = 32
      }
    }
  }
}
