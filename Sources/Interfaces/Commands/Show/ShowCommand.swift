import ArgumentParser
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox show`: prints all facts about single assets.
struct ShowCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: "shoebox",
    abstract: "Show all details of an asset, with the evidence for each label.",
    usage: "shoebox show <asset> ... [<options>]",
    discussion: """
      Name an asset by its id, by an id prefix of at least 6 characters, or by the path \
      of any of its files.

        shoebox show 6f9c1a
        shoebox show ~/Pictures/IMG_0001.HEIC --format json
      """)

  @Argument(
    help: ArgumentHelp(
      "An id, an id prefix of at least 6 characters, or a file's path.", valueName: "asset"),
    completion: .file())
  var assets: [String]

  @Flag(inversion: .prefixedNo, help: "Open the file and show all its metadata tags.")
  var tags = true

  @OptionGroup var formatOption: FormatOption
  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let library = try global.openLibrary(
      in: context, WorkerSettings(sandbox: workerOptions.sandbox))
    let style = global.style(in: context)
    let printer = try printer(style: style, in: context)
    var status = ExitStatus.success
    var shown: Set<Int64> = []
    for argument in assets {
      do {
        let asset = try library.record(named: argument, paths: context.catalogPaths)
        guard shown.insert(asset.rowID).inserted else { continue }
        let (tags, hasFailed) = await metadata(of: asset, library, in: context)
        if hasFailed { status = .someFailed }
        try printer.print(ShownAsset(asset: asset, tags: tags))
      } catch PhotoLibraryError.unknownAsset(let reason) {
        context.complain(reason.terminalSafe)
        status = .someFailed
      }
    }
    try printer.finish()
    return status
  }

  /// The table of one asset is its description.
  private func printer(
    style: Style, in context: CommandContext
  ) throws -> Printer<ShownAsset> {
    guard formatOption.format == .table else {
      return try formatOption.format.printer(.shownAssets, style: style, to: context.output)
    }
    var isFirst = true
    return Printer { shown in
      if !isFirst { try context.output.line("") }
      isFirst = false
      for line in shown.description(style) { try context.output.line(line) }
    }
  }

  /// The tags that a worker reads from the asset's main file, if it exists and can be read.
  private func metadata(
    of asset: AssetRecord, _ library: PhotoLibrary, in context: CommandContext
  ) async -> (tags: [MetadataTag], hasFailed: Bool) {
    guard tags, asset.status == .present else { return ([], false) }
    do {
      return (try await context.inspect(library, asset), false)
    } catch {
      var reason = CommandContext.sentence(of: error)
      if case .unreadable(_, let why) = error as? PhotoLibraryError { reason = why }
      context.complain("the metadata tags of \(asset.path.display.terminalSafe): \(reason)")
      return ([], true)
    }
  }
}

/// An asset with what its file says.
struct ShownAsset {
  var asset: AssetRecord
  var tags: [MetadataTag]
}

extension Presentation where Item == ShownAsset {
  /// Assets in the formats of `list`; JSON also contains their tags, as `metadata`.
  static var shownAssets: Presentation {
    Presentation(
      columns: [],
      fields: Presentation<AssetRecord>.assets.fields.map { field in
        CSVField(field.name) { field.value($0.asset) }
      },
      json: { writer, shown in
        writer.value(shown.asset) { writer in
          guard !shown.tags.isEmpty else { return }
          writer.key("metadata")
          writer.array { writer in
            for tag in shown.tags {
              writer.object { writer in
                writer.member("group", tag.group)
                writer.member("name", tag.name)
                writer.member("value", tag.value)
              }
            }
          }
        }
      },
      paths: { [$0.asset.path] })
  }
}
