import Foundation
import Linux
import Logging
import MediaModel
import ShoeboxKit

/// Makes results and previews, a few at a time, and keeps the files for further requests: a browser fetches a video in
/// many ranges, and a client continues an interrupted download.
///
/// Results do not wait for previews. A preview is abandoned when no page asks for it any more, because the mouse has left
/// it or the session has ended.
actor Renditions {
  /// How far a rendition is.
  enum Progress: Sendable {
    /// It waits, or is being made: the finished part, 0 to 1.
    case making(Double)
    /// It is finished.
    case made(MadeFile)
  }

  private struct Entry {
    var work: Task<MadeFile, any Error>
    var fraction = 0.0
    var file: MadeFile?
    /// The number of its first use, which no other entry has.
    let id: Int
    /// The number of its last use.
    var used: Int
    /// The time of its last use.
    var asked = ContinuousClock.now
    /// Requests that wait for the file.
    var waiting = 0
  }

  /// Limits how many files are sent at a time.
  nonisolated let downloads = DownloadSlots(PickerLimits.downloads)

  private let library: PhotoLibrary
  /// Folders that other users cannot read or fill.
  nonisolated let folders = TemporaryFolders(for: "picker")
  private let logger: Logger
  private var entries: [Rendition: Entry] = [:]
  private var uses = 0
  /// Why renditions could not be made, until the next request for them, which reports it.
  private var failures: [Rendition: any Error] = [:]
  private let slots = RenderSlots(PickerLimits.renders)
  private let previewSlots = RenderSlots(PickerLimits.previews)

  /// - Throws: an error of the file system if there can be no temporary folder.
  init(of library: PhotoLibrary, logger: Logger) throws {
    (self.library, self.logger) = (library, logger)
    try folders.prepare()
  }

  /// Removes all files. The server calls it when it ends.
  func removeAll() {
    for entry in entries.values { entry.work.cancel() }
    entries = [:]
    folders.delete()
  }

  /// A finished rendition, which is made if need be.
  func file(for rendition: Rendition) async throws -> MadeFile {
    do {
      let entry = try entry(for: rendition)
      entries[rendition]?.waiting += 1
      defer { if entries[rendition]?.id == entry.id { entries[rendition]?.waiting -= 1 } }
      return try await entry.work.value
    } catch {
      failures[rendition] = nil
      throw error
    }
  }

  /// How far a rendition is, which begins if need be.
  ///
  /// - Throws: why it cannot be made.
  func progress(of rendition: Rendition) async throws -> Progress {
    let entry = try entry(for: rendition)
    if let file = entry.file { return .made(file) }
    return .making(entry.fraction)
  }

  /// Abandons the unfinished previews that no page has asked for lately.
  func sweep() {
    let oldest = ContinuousClock.now - PickerLimits.previewPatience
    for (rendition, entry) in entries
    where rendition.isPreview && entry.file == nil && entry.waiting == 0 && entry.asked < oldest {
      entry.work.cancel()
      entries[rendition] = nil
    }
  }

  private func entry(for rendition: Rendition) throws -> Entry {
    uses += 1
    if let failure = failures.removeValue(forKey: rendition) { throw failure }
    if let file = entries[rendition]?.file, !file.exists { entries[rendition] = nil }
    if var entry = entries[rendition] {
      (entry.used, entry.asked) = (uses, .now)
      entries[rendition] = entry
      return entry
    }
    let unfinished = entries.count {
      $0.value.file == nil && $0.key.isPreview == rendition.isPreview
    }
    guard unfinished < PickerLimits.renders + PickerLimits.waitingRenders else {
      throw PhotoLibraryError.tooManyRequests
    }
    let slots = rendition.isPreview ? previewSlots : slots
    let work = Task {
      try await slots.run { try await self.make(rendition) }
    }
    let entry = Entry(work: work, id: uses, used: uses)
    entries[rendition] = entry
    return entry
  }

  private func make(_ rendition: Rendition) async throws -> MadeFile {
    try Task.checkCancellation()
    do {
      let folder = try folders.make()
      let export = try await library.export(
        [rendition.asset], as: rendition.representation, to: FilePath(folder.url.path),
        options: ExportOptions(isFlat: true))
      for try await event in export where !Task.isCancelled {
        entries[rendition]?.fraction = event.fraction
      }
      guard let item = try await export.report.first else {
        throw PhotoLibraryError.noAsset(rendition.asset)
      }
      let file: MadeFile
      do {
        file = try MadeFile(item, in: folder)
      } catch {
        var failure = error
        failure.isSourceGone = await isSourceGone(of: rendition.asset)
        throw failure
      }
      try Task.checkCancellation()
      entries[rendition]?.file = file
      removeOldest()
      return file
    } catch {
      // An abandoned rendition has no entry. Another one of the same name may have begun.
      try Task.checkCancellation()
      logger.warning(
        "a rendition cannot be made: \(error)", metadata: ["asset": "\(rendition.asset)"])
      entries[rendition] = nil
      failures[rendition] = error
      if failures.count > 1000 { failures = [rendition: error] }
      throw error
    }
  }

  /// Whether a file of an asset has disappeared since the last scan.
  private func isSourceGone(of asset: Asset.ID) async -> Bool {
    guard let resources = try? await library.resources(of: asset) else { return false }
    return resources.contains { resource in
      do {
        return try BytePath(resource.path).status() == nil
      } catch {
        return false
      }
    }
  }

  /// Releases the files that were used least recently until the others fit the limit. A response that still sends one
  /// keeps it until its end.
  private func removeOldest() {
    let made = entries.filter { $0.value.file != nil }.sorted { $0.value.used < $1.value.used }
    var bytes = made.reduce(Int64(0)) { $0 + ($1.value.file?.size ?? 0) }
    for (rendition, entry) in made.dropLast() where bytes > PickerLimits.renditionBytes {
      bytes -= entry.file?.size ?? 0
      entries[rendition] = nil
    }
  }
}
