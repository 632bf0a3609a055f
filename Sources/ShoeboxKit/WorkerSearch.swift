import Foundation
import Linux
import MediaModel
import SystemPackage

/// Looks for the worker programs.
struct WorkerSearch {
  /// The programs that were found.
  struct Programs {
    /// `shoebox-probe`; nil if only the other one is there, which then reads facts, too.
    var probe: BytePath?
    /// `shoebox-codec`.
    var codec: BytePath
  }

  private let location: PhotoLibrary.WorkerLocation
  private let environment: [String: String]

  init(
    _ location: PhotoLibrary.WorkerLocation,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    (self.location, self.environment) = (location, environment)
  }

  /// - Throws: ``PhotoLibraryError/workersMissing(searched:)``.
  func programs() throws(PhotoLibraryError) -> Programs {
    let codecs = candidates("shoebox-codec", named: "SHOEBOX_CODEC")
    guard let codec = codecs.first(where: \.isProgram) else {
      throw .workersMissing(searched: codecs.map(FilePath.init))
    }
    let beside = codec.parent.appending("shoebox-probe")
    let probes = candidates("shoebox-probe", named: "SHOEBOX_PROBE")
    let probe = environment["SHOEBOX_PROBE"]?.isEmpty == false ? probes : [beside] + probes
    return Programs(probe: probe.first(where: \.isProgram), codec: codec)
  }

  /// The places where a program may be, the first one first.
  private func candidates(_ name: String, named variable: String) -> [BytePath] {
    switch location {
    case .none: return []
    case .programs(let folder): return [BytePath(folder).appending(name)]
    case .automatic: break
    }
    if let named = environment[variable], !named.isEmpty { return [BytePath(named)] }
    var folders: [BytePath] = []
    if let folder = try? executablePath().parent {
      folders = [folder, folder.parent.appending("libexec")]
    }
    folders += ["/usr/local/libexec", "/usr/libexec"].map { BytePath($0) }
    return folders.map { $0.appending(name) }
  }
}

extension BytePath {
  /// Whether it leads to a regular file.
  fileprivate var isProgram: Bool {
    (try? FileStatus(of: self, followingLinks: true).kind) == .regular
  }
}
