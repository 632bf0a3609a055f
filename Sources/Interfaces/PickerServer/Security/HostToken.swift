import Foundation
import Linux
import MediaModel

/// The token of hosts, in a file that only its owner can read.
struct HostToken {
  /// The token.
  let secret: Secret
  /// The path of the file.
  let path: String

  /// The file cannot be read or written.
  struct Failure: Error, CustomStringConvertible {
    /// A sentence with the path and the remedy.
    let description: String
  }

  /// Reads the token, or creates one if the file does not exist. A restarted server keeps its token.
  ///
  /// - Throws: ``Failure`` also if other users can read the file.
  init(path: String) throws(Failure) {
    self.path = path
    do {
      secret = try Self.created(path) ?? Self.read(path)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(description: "the host token cannot be kept in \(path): \(error)")
    }
  }

  /// A new token in a new file; nil if the file exists.
  private static func created(_ path: String) throws -> Secret? {
    guard try BytePath(path).status() == nil else { return nil }
    let secret = Secret()
    let file = try OutputFile.create(BytePath(path))
    try file.write(Array("\(secret.text)\n".utf8), at: 0)
    return secret
  }

  private static func read(_ path: String) throws -> Secret {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let mode = attributes[.posixPermissions] as? Int, mode & 0o077 == 0 else {
      throw Failure(
        description: "other users can read the host token \(path): delete the file, and Shoebox "
          + "creates another token")
    }
    let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    guard let secret = Secret(text.trimmingCharacters(in: .newlines)) else {
      throw Failure(
        description: "\(path) does not contain a host token: delete the file, and Shoebox creates "
          + "another one")
    }
    return secret
  }
}
