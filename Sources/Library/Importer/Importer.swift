// Importer: copies files from a card or phone into a library folder, if the catalog does not have their content.
//
// A scan into a catalog of its own has found what is on the source: which files belong together, and when pictures were
// taken. The plan (Plan) compares contents with the library's catalog and gives names; the copying (Copying) reads each file
// once, syncs the copy, reads it again from the disk, and only then gives it its name. The source is only read.
//
// No record of imports is kept: names follow from the files and the template, so a later run finds what an earlier one has
// made by its name and content, whatever ended that.

package import Exporter
package import MediaModel

/// What is imported, and whereto.
package struct ImportRequest: Sendable {
  /// The folders that are imported, absolute.
  package var sources: [BytePath]
  /// The folder that gets the files: absolute, without symbolic links.
  package var root: BytePath
  package var template: NameTemplate
  /// Groups that are copied at the same time.
  package var jobs: Int

  package init(sources: [BytePath], root: BytePath, template: NameTemplate, jobs: Int) {
    (self.sources, self.root, self.template, self.jobs) = (sources, root, template, jobs)
  }
}

/// What a file of the source becomes.
package enum ImportAction: String, Sendable, Hashable {
  /// It is, or will be, copied.
  case copied
  /// The library has its content already.
  case known
  /// A sidecar of a known picture: the library has another version, which stays.
  case kept
  case failed
}

/// A file of the source, and what becomes of it.
package struct ImportItem: Sendable, Hashable {
  package var source: BytePath
  /// The file in the library: the copy, or the one with the same content.
  package var target: BytePath?
  package var action: ImportAction
  /// Bytes.
  package var size: Int64
  /// Why it failed; of a copied or known file, why it cannot be read as what its name promises.
  package var error: String?
  /// Of a copied file: where the catalog has a file with this content, which is not there.
  package var absentTwin: BytePath?

  package init(
    source: BytePath, target: BytePath?, action: ImportAction, size: Int64, error: String? = nil,
    absentTwin: BytePath? = nil
  ) {
    (self.source, self.target, self.action) = (source, target, action)
    (self.size, self.error, self.absentTwin) = (size, error, absentTwin)
  }
}
