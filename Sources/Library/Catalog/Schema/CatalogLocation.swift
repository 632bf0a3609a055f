package import MediaModel

extension Catalog {
  /// Where the catalog is if the user names no file: `$SHOEBOX_CATALOG`, else
  /// `$XDG_DATA_HOME/shoebox/catalog.sqlite`, else `~/.local/share/shoebox/catalog.sqlite`.
  ///
  /// Nil if the environment names no home either. A relative `$XDG_DATA_HOME` is ignored, as the XDG
  /// Base Directory Specification wants.
  package static func defaultPath(environment: [String: String]) -> String? {
    if let named = environment["SHOEBOX_CATALOG"], !named.isEmpty { return named }
    let tail = "shoebox/catalog.sqlite"
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return "\(data)/\(tail)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/share/\(tail)"
  }

  /// The file whose lock a process holds while it changes the library's picture of the world: a scan,
  /// or what moves and forgets roots. Beside the catalog, so that it lives as long, and named for the file
  /// itself, so that it is one by whatever link the catalog is reached.
  package var lockPath: BytePath { BytePath(bytes: location.bytes + Array(".lock".utf8)) }
}
