import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox doctor`: checks for the programs, libraries and codecs that Shoebox needs.
struct DoctorCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the catalog and the codecs, and list what to install.",
    usage: "shoebox doctor [<options>]",
    discussion: """
      Exits 0 if all is well and 1 if something needs attention.

        shoebox doctor
      """)

  @Option(choosing: "Print the findings in this format.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    var checks = await programChecks(in: context)
    checks.append(try catalogCheck(in: context))
    switch format {
    case .json: try context.output.json { $0.write(checks) }
    case .table:
      for check in checks {
        let mark = check.isWell ? "ok     " : "PROBLEM"
        try context.output.line("\(mark)  \(check.subject): \(check.message.terminalSafe)")
      }
    }
    return checks.allSatisfy(\.isWell) ? .success : .someFailed
  }

  private func programChecks(in context: CommandContext) async -> [LibraryCheck] {
    let settings: WorkerSettings
    do {
      settings = try WorkerSettings(jobs: 1, workerOptions, in: context)
    } catch {
      return [LibraryCheck(subject: "codec program", isWell: false, message: "\(error)")]
    }
    return await PhotoLibrary.checkPrograms(
      settings.configuration("", .readOnly), environment: context.environment,
      reportingLack: context.reportsLack)
  }

  /// Bytes that are checked in a second or so.
  private static let quickSize: Int64 = 64 << 20

  private func catalogCheck(in context: CommandContext) throws -> LibraryCheck {
    let path = try global.catalogPath(in: context)
    let size = (try? FileStatus(of: BytePath(path), followingLinks: true))?.stamp.size ?? 0
    if size > Self.quickSize, !global.quiet {
      context.message("checking the catalog, all \(humanBytes(size)) of it")
    }
    return PhotoLibrary.checkCatalog(at: path)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ checks: [LibraryCheck]) {
    array { writer in
      for finding in checks {
        writer.object { writer in
          writer.member("subject", finding.subject)
          writer.member("ok", finding.isWell)
          writer.member("message", finding.message)
        }
      }
    }
  }
}
