import Crypto
import Foundation

/// A random value of 256 bits that grants access to its bearer.
struct Secret: Sendable {
  /// 43 letters, digits, `-` and `_`: base64url without padding.
  let text: String

  /// A new secret from the system's source of random numbers.
  init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// A secret that was made before; nil if it is not the text of one.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.text = String(text)
  }

  private static let length = 43

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// What is stored of it.
  var digest: SecretDigest { SecretDigest(self) }
}

/// The SHA-256 of a secret: enough to recognise it, useless to its reader.
struct SecretDigest: Sendable, Codable, Hashable {
  private let bytes: Data

  init(_ secret: Secret) { bytes = Data(SHA256.hash(data: Data(secret.text.utf8))) }
}
