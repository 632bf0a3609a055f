import Linux
import MediaModel
import SystemPackage
import WorkerPool

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

  init(_ location: PhotoLibrary.WorkerLocation, environment: [String: String]) {
    (self.location, self.environment) = (location, environment)
  }

  /// - Parameter isOptional: whether to return the expected path of a codec program that does not exist.
  /// - Throws: ``PhotoLibraryError/workersMissing(searched:)``, and ``PhotoLibraryError/workers(reason:)`` if that is
  ///   unknown.
  func programs(isOptional: Bool = false) throws(PhotoLibraryError) -> Programs {
    let probe = try probe()
    let codecs = try candidates("shoebox-codec", named: "SHOEBOX_CODEC")
    for codec in codecs where try codec.isProgram { return Programs(probe: probe, codec: codec) }
    guard isOptional, let expected = codecs.first else {
      throw .workersMissing(searched: codecs.map(FilePath.init))
    }
    return Programs(probe: probe, codec: expected)
  }

  /// `$SHOEBOX_PROBE`, or the program beside `$SHOEBOX_CODEC`, else one of the usual places. Nil if there is none: the
  /// codec program then does its work.
  private func probe() throws(PhotoLibraryError) -> BytePath? {
    var candidates = try candidates("shoebox-probe", named: "SHOEBOX_PROBE")
    guard location == .automatic else { return try candidates.firstProgram() }
    if named("SHOEBOX_PROBE") != nil {
      guard let probe = try candidates.firstProgram() else {
        throw .workersMissing(searched: candidates.map(FilePath.init))
      }
      return probe
    }
    if let codec = named("SHOEBOX_CODEC") {
      candidates = [try absolute(codec).parent.appending("shoebox-probe")]
    }
    return try candidates.firstProgram()
  }

  /// The places where a program may be, the first one first.
  private func candidates(
    _ name: String, named variable: String
  ) throws(PhotoLibraryError) -> [BytePath] {
    switch location {
    case .none: return []
    case .programs(let folder): return [BytePath(folder).appending(name)]
    case .automatic: break
    }
    if let named = named(variable) { return [try absolute(named)] }
    let folder: BytePath
    do {
      folder = try executablePath().parent
    } catch {
      throw .unreachable(error.path ?? BytePath("."), error)
    }
    let folders = [folder, folder.parent.appending("libexec")]
    return (folders + ["/usr/local/libexec", "/usr/libexec"].map { BytePath($0) })
      .map { $0.appending(name) }
  }

  private func named(_ variable: String) -> BytePath? {
    guard let named = environment[variable], !named.isEmpty else { return nil }
    return BytePath(named)
  }

  private func absolute(_ path: BytePath) throws(PhotoLibraryError) -> BytePath {
    do {
      return try path.absolute()
    } catch {
      throw .unreachable(error.path ?? BytePath("."), error)
    }
  }
}

extension PhotoLibraryError {
  fileprivate static func unreachable(_ path: BytePath, _ error: SystemError) -> PhotoLibraryError {
    .workers(reason: WorkerError.unreachable(path, error.reason).description)
  }
}

extension [BytePath] {
  fileprivate func firstProgram() throws(PhotoLibraryError) -> BytePath? {
    for path in self where try path.isProgram { return path }
    return nil
  }
}

extension BytePath {
  /// Whether it leads to a regular file.
  fileprivate var isProgram: Bool {
    get throws(PhotoLibraryError) {
      do {
        return try FileStatus(of: self, followingLinks: true).kind == .regular
      } catch  where error.isNotFound {
        return false
      } catch {
        throw .unreachable(self, error)
      }
    }
  }
}
