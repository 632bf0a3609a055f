import Catalog
public import SystemPackage

extension PhotoLibrary.Configuration {
  /// The catalog of the command line if no file is named: `$SHOEBOX_CATALOG`, else
  /// `$XDG_DATA_HOME/shoebox/catalog.sqlite`, else `~/.local/share/shoebox/catalog.sqlite`. Nil if the environment names
  /// no home either.
  public static func defaultCatalog(environment: [String: String]) -> FilePath? {
    defaultCatalogText(environment: environment).map { FilePath($0) }
  }

  /// The same path as it is written in the environment, for messages.
  package static func defaultCatalogText(environment: [String: String]) -> String? {
    Catalog.defaultPath(environment: environment)
  }
}
