import ArgumentParser
import Foundation
import Linux
import Logging
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// One nightly run: its steps in their order. A step that fails is reported, and the others follow, unless the catalog
/// cannot be used at all.
struct NightRun {
  let settings: Settings
  /// The catalog's path.
  let catalog: String
  let workers: WorkerSettings
  /// The folders to scan; none for all library folders.
  let folders: [BytePath]
  let skipped: Set<NightStep.Name>
  let context: CommandContext

  /// What was done so far.
  private(set) var steps: [NightStep] = []
  /// The most serious result so far.
  private(set) var status = ExitStatus.success
  private(set) var library: PhotoLibrary?
  private var night: Night.ID?
  /// Whether the catalog has this run.
  private(set) var isRecorded = false

  init(
    settings: Settings, catalog: String, workers: WorkerSettings, folders: [BytePath],
    skipped: Set<NightStep.Name>, context: CommandContext
  ) {
    (self.settings, self.catalog, self.workers) = (settings, catalog, workers)
    (self.folders, self.skipped, self.context) = (folders, skipped, context)
  }

  /// Runs all steps.
  ///
  /// Its exit status is in ``status``.
  mutating func carryOut() async {
    var options = ScanOptions(
      exclusions: settings.exclude, staysOnFileSystem: settings.oneFileSystem,
      followsLinks: settings.followLinks)
    options.acceptedLoss = settings.nightly.maximumLoss
    let night: Night.ID
    do {
      try checkCatalogIsThere()
      // A folder that was never there does not keep the others from being scanned.
      let there = folders.filter { (try? $0.absolute().status()) != nil }
      let opened = try PhotoLibrary.opened(
        at: catalog, toScan: there.isEmpty ? folders : there, options,
        workers.configuration(catalog, .readWrite),
        environment: context.environment, reportingLack: context.reportsLack)
      library = opened
      night = try await opened.beginNight()
    } catch {
      note(.scan, error)
      return
    }
    self.night = night
    await step(.backup) { try await $0.backup() }
    await step(.scan) { try await $0.scan(options, night) }
    await step(.thumbnails) { try await $0.makeThumbnails() }
    await step(.verify) { try await $0.verify() }
    await step(.export) { try await $0.export() }
    await end()
  }

  /// Records the end of the run in the catalog.
  private mutating func end() async {
    guard let night, let library else { return }
    do {
      let json = String(decoding: try JSONEncoder().encode(steps), as: UTF8.self)
      try await library.endNight(night, status: status.rawValue, steps: json)
      isRecorded = true
    } catch {
      isRecorded = false
      note(.report, error)
    }
  }

  /// What a step found out.
  struct Result {
    var summary: String
    var details: [String] = []
    var status = ExitStatus.success
    /// Whether a part of the step is left to a later run.
    var isPartial = false
  }

  /// Runs one step and records what it did; nothing after an interruption.
  private mutating func step(
    _ name: NightStep.Name, _ work: (inout NightRun) async throws -> Result?
  ) async {
    guard status != .interrupted, !skipped.contains(name) else { return }
    let start = ContinuousClock.now
    do {
      guard let result = try await work(&self) else { return }
      status = status.moreSerious(result.status)
      let step = NightStep(
        name: name, outcome: result.status == .success ? .done : .found,
        summary: result.summary, details: Array(result.details.prefix(Self.longestList)),
        seconds: (ContinuousClock.now - start) / .seconds(1),
        isPartial: result.isPartial ? true : nil)
      steps.append(step)
      context.log?.log(
        level: step.outcome == .done ? .notice : .warning, "\(name.rawValue): \(step.summary)",
        metadata: [
          "step": "\(name.rawValue)", "outcome": "\(step.outcome.rawValue)",
          "seconds": "\(step.seconds)", "catalog": "\(catalog)",
        ])
    } catch {
      note(name, error)
    }
  }

  /// The details of a step that are kept in the catalog.
  private static let longestList = 5000

  private mutating func note(_ name: NightStep.Name, _ error: any Error) {
    let sentence = CommandContext.sentence(of: error)
    context.complain("\(name.rawValue): \(sentence)".terminalSafe)
    steps.append(NightStep(name: name, outcome: .failed, summary: sentence))
    let isCancelled =
      error is CancellationError || error as? PhotoLibraryError == .cancelled
    status = status.moreSerious(isCancelled ? .interrupted : ExitStatus(error) ?? .inputOutput)
  }

  // MARK: Steps

  func opened() throws -> PhotoLibrary {
    guard let library else { throw Failure(.inputOutput, "the catalog is not open") }
    return library
  }

  /// Scans, after another scan has ended.
  private func scan(_ options: ScanOptions, _ night: Night.ID) async throws -> Result? {
    let library = try opened()
    let absent = try folders.filter { folder in
      let path = try folder.absolute()
      return try path.status() == nil && !library.hasFolder(path)
    }
    let folders = folders.filter { !absent.contains($0) }
    guard absent.isEmpty || !folders.isEmpty else {
      throw Failure(
        .unavailable, "there is no folder \(absent.map(\.display).joined(separator: ", "))")
    }
    let wait = settings.nightly.wait
    let report = try await cancelledBySignals {
      let session = try await library.scan(at: folders, options: options, waiting: .seconds(wait))
      return try await session.report
    }
    try await library.recordScan(report.scanID, of: night)
    if report.isInterrupted { throw CancellationError() }
    var result = try await result(of: report, library)
    if !absent.isEmpty { result.status = result.status.moreSerious(.unavailable) }
    result.details += absent.map {
      "\($0.display): there is no such folder, and there was none before"
    }
    return result
  }

  private func result(of report: ScanReport, _ library: PhotoLibrary) async throws -> Result {
    let counts = report.counts
    var result = Result(summary: "\(humanCountOfAssets(counts.scanned)), \(counts.added) new")
    let new = report.failures.filter { !$0.isKnown && !$0.isAbsence }
    if !new.isEmpty { result.status = .someFailed }
    for failure in new {
      log(.warning, "cannot be read", BytePath(failure.path), failure.message)
    }
    result.details = new.map { "\(BytePath($0.path).display): \($0.message)" }
    let alarms = try await library.absentFolders().filter {
      $0.isLoss || $0.nights >= settings.nightly.absentNights
    }
    var absences: [KnownFailure] = []
    for failure in try await library.failures()
    where failure.isAbsence && failure.acknowledgedDate == nil {
      let nights = try await library.nightCount(since: failure.firstDate)
      if nights >= settings.nightly.absentNights { absences.append(failure) }
    }
    if !alarms.isEmpty || !absences.isEmpty {
      result.status = result.status.moreSerious(.unavailable)
    }
    result.details += alarms.map(ReportText.sentence)
    result.details += absences.map { "\(BytePath($0.path).display): \($0.message)" }
    return result
  }

  /// Makes missing thumbnails.
  private func makeThumbnails() async throws -> Result? {
    guard settings.nightly.thumbnails else { return nil }
    let library = try opened()
    let count = try await cancelledBySignals {
      try await library.makeMissingImages(longerSide: ContactSheet.longerSide)
    }
    return Result(summary: "\(humanCount(count)) made")
  }

  /// Reads a part of the content again. What an earlier night has found already is no new failure.
  private func verify() async throws -> Result? {
    guard let extent = settings.nightly.verification.extent else { return nil }
    let library = try opened()
    let start = Date()
    let report = try await cancelledBySignals { try await library.verify(extent).report }
    if report.isInterrupted { throw CancellationError() }
    let findings = report.rotted + report.unreadable
    // The catalog's times are whole milliseconds.
    let isNew = { (finding: VerificationReport.Finding) in finding.since > start - 0.001 }
    for finding in report.rotted.filter(isNew) {
      log(.error, "content is damaged", BytePath(finding.path), finding.message)
    }
    for finding in report.unreadable.filter(isNew) {
      log(.warning, "cannot be read", BytePath(finding.path), finding.message)
    }
    let count = report.checked == 1 ? "1 file" : "\(humanCount(report.checked)) files"
    var result = Result(
      summary: "\(count), \(humanBytes(report.bytes)), "
        + (findings.isEmpty ? "all well" : "\(humanCount(findings.count)) damaged"),
      details: findings.map { "\(BytePath($0.path).display): \($0.message)" })
    if findings.contains(where: isNew) { result.status = .someFailed }
    return result
  }

  /// Runs the exports that the configuration names. What the night before could not export either is no new failure, nor
  /// what is on an absent disk.
  private func export() async throws -> Result? {
    guard !settings.nightly.exports.isEmpty else { return nil }
    var result = Result(summary: "")
    var summaries: [String] = []
    let known = try await knownExportFailures()
    // The scan reports these, after some nights as an alarm.
    let absentFolders = try await opened().absentFolders().map { BytePath($0.path) }
    for words in settings.nightly.exports {
      if let folder = Self.absentTarget(of: words) {
        summaries.append("no folder")
        result.details.append(
          "there is no folder \(folder) to export into: mount its disk, or create the folder")
        result.status = result.status.moreSerious(.inputOutput)
        result.isPartial = true
        continue
      }
      var outcome = await NightlyExport(arguments: words, catalog: catalog).run(in: context)
      if outcome.status == .interrupted { throw CancellationError() }
      if outcome.status != .success, outcome.status != .someFailed { result.isPartial = true }
      let absences = outcome.takeAbsences(in: absentFolders)
      if !absences.isEmpty { result.isPartial = true }
      summaries.append(outcome.summary)
      let failures = outcome.failures.map(\.sentence)
      result.details += absences.map { folder, count in
        let files =
          count == 1
          ? "1 file is not exported, because it is"
          : "\(humanCount(count)) files are not exported, because they are"
        return "\(folder.display): \(files) not there"
      }
      result.details += failures + outcome.messages
      let areKnown =
        outcome.status == .someFailed && !(failures.isEmpty && absences.isEmpty)
        && failures.allSatisfy(known.contains)
      if !areKnown { result.status = result.status.moreSerious(outcome.status) }
    }
    result.summary = summaries.joined(separator: "; ")
    return result
  }

  /// The folder of an export if it does not exist. By hand, an export makes it; at night, it is more likely on a disk that is
  /// not mounted, and the results would fill the disk below its mount point.
  private static func absentTarget(of arguments: [String]) -> String? {
    guard let folder = try? ExportCommand.parse(arguments).to else { return nil }
    do throws(SystemError) {
      _ = try FileStatus(of: BytePath(folder), followingLinks: true)
      return nil
    } catch {
      return error.isNotFound ? folder : nil
    }
  }

  /// What the last run that came to all exports could not export, and what later runs could not.
  private func knownExportFailures() async throws -> Set<String> {
    let nights = try await opened().nights(last: Self.searchedNights)
    var known: Set<String> = []
    for night in nights {
      guard let step = NightStep.list(night).first(where: { $0.name == .export }) else { continue }
      known.formUnion(step.details)
      if step.outcome != .failed, step.isPartial != true { break }
    }
    return known
  }

  /// The runs among which the last export is searched.
  private static let searchedNights = 30

  /// Logs what was found out about a file.
  private func log(
    _ level: Logger.Level, _ message: Logger.Message, _ path: BytePath, _ error: String
  ) {
    context.log?.log(
      level: level, message,
      metadata: ["path": "\(path.display)", "error": "\(error)", "catalog": "\(catalog)"])
  }

  // MARK: Results

  /// Writes the page and the figures that the configuration names. A failure is a part of the report.
  ///
  /// - Returns: the report; nil if the catalog cannot be read, or does not have the run.
  mutating func publish() async -> LibraryReport? {
    for write in [Self.writePage, Self.writeMetrics] {
      guard let library, let report = await report() else { return nil }
      do {
        try write(self)(report, library)
      } catch {
        note(.report, error)
        await end()
      }
    }
    return await report()
  }

  private func writePage(_ report: LibraryReport, _ library: PhotoLibrary) throws {
    guard let file = settings.nightly.report else { return }
    let images = try? library.storedImages(longerSide: ContactSheet.longerSide)
    let text = ReportText(report: report, limit: 20)
    try ReportPage(text: text, images: images, library: library)
      .write(to: try BytePath(file).absolute())
  }

  private func writeMetrics(_ report: LibraryReport, _ library: PhotoLibrary) throws {
    guard let file = settings.nightly.metrics else { return }
    try MetricsText(report: report, steps: steps, status: status)
      .write(to: try BytePath(file).absolute())
  }

  private func report() async -> LibraryReport? {
    isRecorded ? try? await library?.report(limit: 1000) : nil
  }
}
