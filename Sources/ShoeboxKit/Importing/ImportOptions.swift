import Exporter

/// How an import names its copies, and how it scans them.
public struct ImportOptions: Sendable, Hashable {
  /// The template that is used if there is no other: folders of years and months, and the files' own names.
  public static let defaultNameTemplate = "{captureDate:yyyy/yyyy-MM}/{stem}"

  /// A template for the names of copies, as for exports, but without `{id}`. All files of a group, such as a live photo, get
  /// the stem of the group and keep their extensions.
  public var nameTemplate: String
  /// Whether the import is only planned: nothing is copied.
  public var isDryRun: Bool
  /// How the library folder is scanned after the copying; the mode does not count. ``ScanOptions/acceptedLoss`` is 0.25 at
  /// first. Sources are read without these exclusions, so that nothing stays on a card unseen.
  public var scanOptions: ScanOptions

  /// - Parameters:
  ///   - nameTemplate: a template for the names of copies.
  ///   - isDryRun: whether the import is only planned.
  public init(
    nameTemplate: String = ImportOptions.defaultNameTemplate, isDryRun: Bool = false
  ) {
    (self.nameTemplate, self.isDryRun) = (nameTemplate, isDryRun)
    scanOptions = ScanOptions()
    scanOptions.acceptedLoss = 0.25
  }

  /// The template in the exporter's form.
  var template: NameTemplate {
    get throws(PhotoLibraryError) {
      let template: NameTemplate
      do {
        template = try NameTemplate(typed: nameTemplate)
      } catch {
        throw .invalidNameTemplate(error.description)
      }
      guard template.isStable else {
        throw .invalidNameTemplate(
          "'\(nameTemplate)' contains {id}, but files get an id after they were imported: use {stem} or {index}"
        )
      }
      return template
    }
  }

  /// Checks the template.
  ///
  /// - Throws: ``PhotoLibraryError/invalidNameTemplate(_:)``.
  package func check() throws(PhotoLibraryError) { _ = try template }
}
