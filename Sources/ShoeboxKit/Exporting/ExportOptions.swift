import Exporter

/// How the results of an export are called, and what happens to files that have their names.
public struct ExportOptions: Sendable, Hashable {
  /// The treatment of files that have the names of results. Originals are never overwritten.
  public enum ExistingFiles: String, Sendable, Hashable, Codable, CaseIterable {
    /// They stay: what an earlier export of the library made counts as done, others keep their names.
    case keep
    /// Results of earlier exports are replaced if their source or the settings have changed.
    case update
    /// They are overwritten.
    case overwrite
  }

  /// Which sidecars are written next to the results.
  public enum Sidecars: String, Sendable, Hashable, Codable, CaseIterable {
    /// An XMP file `RESULT.EXT.xmp` next to each picture and video, with what the library knows of it: capture time,
    /// place, title, description, keywords, people, rating and albums. A representation that removes some of that removes it here
    /// too; one that removes all metadata has no sidecars.
    case xmp
  }

  /// The treatment of files that have the names of results.
  public var existingFiles: ExistingFiles
  /// A template for the names of results, such as `{captureDate:yyyy/MM}/{stem}{ext}`; nil for the library's own folders
  /// and names.
  public var nameTemplate: String?
  /// Whether all results go into one folder.
  public var isFlat: Bool
  /// Which sidecars are written next to the results; nil for none.
  public var sidecars: Sidecars?
  /// Whether results get in their own metadata what the library knows from sidecars and file names, and the files
  /// themselves do not contain: capture time, place, title, description, keywords, people, rating, favorite. What a result
  /// cannot contain is in an XMP file next to it. A representation that removes some of that removes it here too.
  public var writesMetadata: Bool
  /// The shard whose assets are exported; nil for all. Several tasks may export the shards of one count into one folder at
  /// the same time, with the same selection and the same options: the results have the names that one export would give
  /// them.
  public var shard: LibraryShard?

  /// - Parameters:
  ///   - existingFiles: what happens to files that have the names of results.
  ///   - nameTemplate: a template for the names of results; nil for the library's own folders and names.
  ///   - isFlat: whether all results go into one folder.
  ///   - sidecars: which sidecars are written next to the results; nil for none.
  ///   - writesMetadata: whether results get what the library knows from sidecars and file names.
  public init(
    existingFiles: ExistingFiles = .keep, nameTemplate: String? = nil, isFlat: Bool = false,
    sidecars: Sidecars? = nil, writesMetadata: Bool = false
  ) {
    (self.existingFiles, self.nameTemplate) = (existingFiles, nameTemplate)
    (self.isFlat, self.sidecars) = (isFlat, sidecars)
    self.writesMetadata = writesMetadata
  }

  /// Checks the template.
  ///
  /// - Throws: ``PhotoLibraryError/invalidNameTemplate(_:)``.
  package func check() throws(PhotoLibraryError) { _ = try template }

  /// The template in the exporter's form.
  var template: NameTemplate? {
    get throws(PhotoLibraryError) {
      guard let nameTemplate else { return nil }
      do {
        return try NameTemplate(typed: nameTemplate)
      } catch {
        throw .invalidNameTemplate(error.description)
      }
    }
  }

  var replacement: Replacement {
    switch existingFiles {
    case .keep: .never
    case .update: .outdated
    case .overwrite: .always
    }
  }
}
