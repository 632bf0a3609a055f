import Catalog
import Foundation
import Linux
import MediaModel
import SystemPackage
import WorkerPool
import WorkerProtocol

/// One thing that a library needs, and whether it is well.
public struct LibraryCheck: Sendable, Hashable, Codable {
  /// The subject of the check, such as `catalog` or `video encoder libx264`.
  public let subject: String
  /// Whether nothing has to be done.
  public let isWell: Bool
  /// The finding, and the remedy if there is a problem.
  public let message: String

  package init(subject: String, isWell: Bool, message: String) {
    (self.subject, self.isWell, self.message) = (subject, isWell, message)
  }
}

extension PhotoLibrary {
  /// Checks the worker programs, their codecs and sandboxes, and the catalog, whether or not it exists.
  ///
  /// A large catalog takes a while: all of it is read.
  @concurrent
  public static func check(_ configuration: Configuration) async -> [LibraryCheck] {
    let environment = ProcessInfo.processInfo.environment
    return await checkPrograms(configuration, environment: environment) { _ in }
      + [checkCatalog(at: configuration.catalog.string)]
  }

  /// Checks the worker programs.
  package static func checkPrograms(
    _ configuration: Configuration, environment: [String: String],
    reportingLack reportsLack: @escaping @Sendable (String) -> Void
  ) async -> [LibraryCheck] {
    let workers: MediaWorkers
    do {
      let programs = try WorkerSearch(configuration.workers, environment: environment).programs()
      workers = MediaWorkers(
        WorkerConfiguration(
          probe: programs.probe, codec: programs.codec, jobs: 1,
          fileTimeout: configuration.fileTimeout ?? .seconds(20),
          sandbox: SandboxMode(configuration.sandbox)), reportingLack: reportsLack)
    } catch {
      return [LibraryCheck(subject: "codec program", isWell: false, message: "\(error)")]
    }
    var checks = [await checkProbe(workers)]
    do {
      let description = try await workers.describe()
      checks.append(
        LibraryCheck(
          subject: "codec program", isWell: true,
          message: workers.configuration.codec.display
            + " (" + description.libraries.joined(separator: ", ") + ")"))
      checks += Requirement.all.map { $0.check(among: description.codecs) }
    } catch {
      checks.append(LibraryCheck(subject: "codec program", isWell: false, message: "\(error)"))
    }
    for (kind, name) in [(WorkerKind.probe, "probe"), (.codec, "codec")]
    where kind == .codec || workers.configuration.probe != nil {
      checks.append(await checkSandbox(kind, "sandbox of the \(name) program", workers))
    }
    return checks
  }

  private static func checkProbe(_ workers: MediaWorkers) async -> LibraryCheck {
    let subject = "probe program"
    guard let program = workers.configuration.probe else {
      return LibraryCheck(
        subject: subject, isWell: false,
        message: "none: the codec program reads all facts, which takes longer")
    }
    do {
      _ = try await workers.sandbox(of: .probe)
      return LibraryCheck(subject: subject, isWell: true, message: program.display)
    } catch {
      return LibraryCheck(subject: subject, isWell: false, message: "\(error)")
    }
  }

  /// Has a worker try what its sandbox must refuse.
  private static func checkSandbox(
    _ kind: WorkerKind, _ subject: String, _ workers: MediaWorkers
  ) async -> LibraryCheck {
    do {
      let state = try await workers.sandbox(of: kind)
      let test = try await workers.selfTest(kind)
      let levels =
        (state.landlockLevel > 0 ? ["Landlock \(state.landlockLevel)"] : [])
        + (state.filtersCalls ? ["system call filter"] : [])
      guard test.permitted.isEmpty else {
        let what = "a worker can: " + test.permitted.joined(separator: "; ")
        let isOff = workers.configuration.sandbox == .off
        return LibraryCheck(subject: subject, isWell: isOff, message: isOff ? "off; \(what)" : what)
      }
      return LibraryCheck(
        subject: subject, isWell: state.lack == nil,
        message: levels.joined(separator: ", ")
          + "; all \(test.refused.count) forbidden acts are refused"
          + (state.lack.map { "; this kernel does not support \($0)" } ?? ""))
    } catch {
      return LibraryCheck(subject: subject, isWell: false, message: "\(error)")
    }
  }

  /// Checks the catalog at a path.
  package static func checkCatalog(at path: String) -> LibraryCheck {
    do {
      let problems = try Catalog.open(at: path, mode: .readOnly).integrityProblems()
      return LibraryCheck(
        subject: "catalog", isWell: problems.isEmpty,
        message: problems.isEmpty ? path : problems.joined(separator: "; "))
    } catch CatalogError.absent {
      return LibraryCheck(
        subject: "catalog", isWell: true, message: "none yet: `shoebox scan DIR` makes \(path)")
    } catch {
      return LibraryCheck(subject: "catalog", isWell: false, message: "\(error)")
    }
  }
}

/// A codec or filter that Shoebox needs, and the Debian package that contains it.
private struct Requirement {
  /// The name in the worker's greeting.
  var codec: String
  var purpose: String
  var package: String

  /// A video codec that a shipped preset uses.
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
    video("filter haldclut", "videos from HDR to SDR"),
    video("filter bwdif", "videos that are interlaced"),
  ]

  func check(among codecs: [String]) -> LibraryCheck {
    let isThere = codecs.contains(codec)
    return LibraryCheck(
      subject: codec, isWell: isThere,
      message: isThere ? "for \(purpose)" : "\(purpose) need it: `apt install \(package)`")
  }
}
