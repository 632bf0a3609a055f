import Indexer

/// Which files a scan reads, and what it does with them.
public struct ScanOptions: Sendable, Hashable {
  /// The kind of a scan.
  public enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Reads new and changed files.
    case update
    /// Reads every file again, and makes everything in the catalog again that is made from files. Ids stay.
    case rebuild
    /// Compares the folders with the catalog. Opens and records nothing.
    case dryRun
  }

  /// The present phase of the scan.
  public var mode: Mode
  /// Files and folders to skip, in the syntax of `.gitignore`. Their assets become missing.
  public var exclusions: [String]
  /// Whether folders are skipped at which another file system is mounted. Their assets stay in the catalog.
  public var staysOnFileSystem: Bool
  /// Whether symbolic links to files are scanned, as in git-annex. Links to folders are never followed.
  public var followsLinks: Bool
  /// The largest share of a library folder's pictures and videos that may be gone, 0...1, if 20 or more are. A folder that
  /// has lost more is left as it was, as if its disk were absent: see ``ScanReport/UnavailableFolder/isLoss``.
  public var acceptedLoss = 1.0
  /// The shard whose folders are read; nil for all. What the catalog has of other folders stays.
  public var shard: LibraryShard?

  /// - Parameters:
  ///   - mode: what the scan does.
  ///   - exclusions: files and folders to skip, in the syntax of `.gitignore`.
  ///   - staysOnFileSystem: whether folders are skipped at which another file system is mounted.
  ///   - followsLinks: whether symbolic links to files are scanned.
  public init(
    mode: Mode = .update, exclusions: [String] = [], staysOnFileSystem: Bool = false,
    followsLinks: Bool = false
  ) {
    (self.mode, self.exclusions) = (mode, exclusions)
    (self.staysOnFileSystem, self.followsLinks) = (staysOnFileSystem, followsLinks)
  }

  /// Whether a line excludes anything: an empty one or a comment does not.
  package static func isExclusion(_ line: String) -> Bool { !IgnorePatterns(lines: [line]).isEmpty }

  /// The indexer's form.
  var walk: WalkOptions {
    var options = WalkOptions()
    options.staysOnFileSystem = staysOnFileSystem
    options.followsLinks = followsLinks
    options.exclusions = IgnorePatterns(lines: exclusions)
    options.shard = shard?.shard
    return options
  }
}
