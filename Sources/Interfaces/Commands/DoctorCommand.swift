import ArgumentParser
import Catalog
import Linux
import MediaModel
import Terminal
import WorkerPool
import WorkerProtocol

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
    var findings = await programFindings(in: context)
    findings.append(try catalogFinding(in: context))
    switch format {
    case .json: try context.output.json { $0.write(findings) }
    case .table:
      for finding in findings {
        let mark = finding.isWell ? "ok     " : "PROBLEM"
        try context.output.line("\(mark)  \(finding.subject): \(finding.message)")
      }
    }
    return findings.allSatisfy(\.isWell) ? .success : .someFailed
  }

  private func programFindings(in context: CommandContext) async -> [Finding] {
    let workers: MediaWorkers
    do {
      workers = try context.workers(jobs: 1, workerOptions)
    } catch {
      return [Finding(subject: "codec program", isWell: false, message: "\(error)")]
    }
    var findings = [await probeFinding(workers)]
    do {
      let description = try await workers.describe()
      findings.append(
        Finding(
          subject: "codec program", isWell: true,
          message: workers.configuration.codec.display.terminalSafe
            + " (" + description.libraries.joined(separator: ", ") + ")"))
      findings += Requirement.all.map { $0.finding(among: description.codecs) }
    } catch {
      findings.append(Finding(subject: "codec program", isWell: false, message: "\(error)"))
    }
    for (kind, name) in [(WorkerKind.probe, "probe"), (.codec, "codec")]
    where kind == .codec || workers.configuration.probe != nil {
      findings.append(await sandboxFinding(kind, "sandbox of the \(name) program", workers))
    }
    return findings
  }

  private func probeFinding(_ workers: MediaWorkers) async -> Finding {
    guard let program = workers.configuration.probe else {
      return Finding(
        subject: "probe program", isWell: false,
        message: "none: the codec program reads all facts, which takes longer")
    }
    do {
      _ = try await workers.sandbox(of: .probe)
      return Finding(
        subject: "probe program", isWell: true, message: program.display.terminalSafe)
    } catch {
      return Finding(subject: "probe program", isWell: false, message: "\(error)")
    }
  }

  /// Has a worker try what its sandbox must refuse.
  private func sandboxFinding(
    _ kind: WorkerKind, _ subject: String, _ workers: MediaWorkers
  ) async -> Finding {
    do {
      let state = try await workers.sandbox(of: kind)
      let test = try await workers.selfTest(kind)
      let levels =
        (state.landlockLevel > 0 ? ["Landlock \(state.landlockLevel)"] : [])
        + (state.filtersCalls ? ["system call filter"] : [])
      guard test.permitted.isEmpty else {
        let what = "a worker can: " + test.permitted.joined(separator: "; ")
        return Finding(
          subject: subject, isWell: workerOptions.sandbox == .off,
          message: workerOptions.sandbox == .off ? "off; \(what)" : what)
      }
      return Finding(
        subject: subject, isWell: state.lack == nil,
        message: levels.joined(separator: ", ")
          + "; all \(test.refused.count) forbidden acts are refused"
          + (state.lack.map { "; this kernel does not support \($0)" } ?? ""))
    } catch {
      return Finding(subject: subject, isWell: false, message: "\(error)")
    }
  }

  /// Bytes that are checked in a second or so.
  private static let quickSize: Int64 = 64 << 20

  private func catalogFinding(in context: CommandContext) throws -> Finding {
    let path = try global.catalogPath(in: context)
    let size = (try? FileStatus(of: BytePath(path), followingLinks: true))?.stamp.size ?? 0
    if size > Self.quickSize, !global.quiet {
      context.message("checking the catalog, all \(humanBytes(size)) of it")
    }
    do {
      let problems = try Catalog.open(at: path, mode: .readOnly).integrityProblems()
      return Finding(
        subject: "catalog", isWell: problems.isEmpty,
        message: problems.isEmpty ? path : problems.joined(separator: "; "))
    } catch CatalogError.absent {
      return Finding(
        subject: "catalog", isWell: true, message: "none yet: `shoebox scan DIR` makes \(path)")
    } catch {
      return Finding(subject: "catalog", isWell: false, message: "\(error)")
    }
  }
}

/// One thing that was checked.
private struct Finding {
  var subject: String
  var isWell: Bool
  var message: String
}

/// A codec or filter that Shoebox needs, and the Debian package that contains it.
private struct Requirement {
  /// The name in the worker's greeting.
  var codec: String
  var purpose: String
  var package: String

  /// What a shipped preset makes or goes through.
  private static func video(_ codec: String, _ purpose: String) -> Requirement {
    Requirement(codec: codec, purpose: purpose, package: "libavcodec-extra libavfilter-extra")
  }

  static let all = [
    Requirement(
      codec: "picture decoder hevc", purpose: "HEIC pictures", package: "libheif-plugin-ffmpegdec"),
    Requirement(
      codec: "picture decoder av1", purpose: "AVIF pictures", package: "libheif-plugin-dav1d"),
    video("video encoder libx264", "presets that make H.264, compatible among them"),
    video("video encoder libx265", "presets that make HEVC"),
    video("video encoder prores_ks", "presets that make ProRes"),
    video("video encoder aac", "presets that make AAC sound"),
    video("video encoder png", "transparent pictures and archive-png"),
    video("filter zscale", "videos from HDR to SDR"),
    video("filter tonemap", "videos from HDR to SDR"),
    video("filter bwdif", "videos that are interlaced"),
  ]

  func finding(among codecs: [String]) -> Finding {
    let isThere = codecs.contains(codec)
    return Finding(
      subject: codec, isWell: isThere,
      message: isThere ? "for \(purpose)" : "\(purpose) need it: `apt install \(package)`")
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ findings: [Finding]) {
    array { writer in
      for finding in findings {
        writer.object { writer in
          writer.member("subject", finding.subject)
          writer.member("ok", finding.isWell)
          writer.member("message", finding.message)
        }
      }
    }
  }
}
