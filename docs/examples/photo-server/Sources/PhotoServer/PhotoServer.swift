// Serves the photos in some folders: photo-server CATALOG FOLDER… The README lists the addresses.

import Foundation
import Hummingbird
import ShoeboxKit

@main
struct PhotoServer {
  static func main() async throws {
    guard CommandLine.arguments.count > 2 else {
      print("usage: photo-server CATALOG FOLDER…")
      exit(64)
    }
    let library = try await PhotoLibrary.open(.init(catalog: FilePath(CommandLine.arguments[1])))
    let port = ProcessInfo.processInfo.environment["PORT"].flatMap { Int($0) } ?? 8080
    let app = Application(
      router: router(for: library),
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        print("http://127.0.0.1:\(channel.localAddress?.port ?? port)/assets")
        fflush(nil)
      })
    // The server answers while the scan runs.
    let scan = try await library.scan(CommandLine.arguments.dropFirst(2).map { FilePath($0) })
    try await app.runService()
    scan.cancel()
  }

  static func router(for library: PhotoLibrary) -> Router<BasicRequestContext> {
    let router = Router()
    router.addMiddleware { Errors() }
    let routes = Routes(library: library)
    router.get("assets", use: routes.list)
    router.get("assets/:id/thumbnail", use: routes.thumbnail)
    router.get("assets/:id/file", use: routes.file)
    router.get("export.zip", use: routes.zip)
    return router
  }
}

// A page has `next`, which is the parameter `after` of the next request.
extension FetchResult.Page: @retroactive ResponseEncodable {}

struct Routes: Sendable {
  let library: PhotoLibrary

  /// /assets?filter=livePhotos and year = 2023&limit=50&after=CURSOR
  @Sendable func list(_ request: Request, _ context: BasicRequestContext) async throws
    -> FetchResult.Page
  {
    let query = request.uri.queryParameters
    let filter = try query["filter"].map { try AssetFilter.expression(String($0)) } ?? .everything
    let limit = try number(query["limit"], default: 50, in: 1...500, name: "limit")
    let cursor = try query["after"].map { text in
      guard let cursor = Cursor(String(text)) else {
        throw PhotoLibraryError.invalidCursor(String(text))
      }
      return cursor
    }
    return try await library.fetchAssets(filter).page(after: cursor, size: limit)
  }

  /// /assets/ID/thumbnail?size=320
  @Sendable func thumbnail(
    _ request: Request, _ context: BasicRequestContext
  ) async throws -> Response {
    let id = try context.parameters.require("id")
    guard let asset = try await library.asset(id) else { throw PhotoLibraryError.noAsset(id) }
    let size = try number(
      request.uri.queryParameters["size"], default: 320, in: 16...1024, name: "size")
    // The revision changes with everything that may change the picture.
    let tag = "\"\(asset.id)-\(asset.revision)-\(size)\""
    let headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=60"]
    let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
    if known.contains(where: { $0.trimmingCharacters(in: .whitespaces) == tag }) {
      return Response(status: .notModified, headers: headers)
    }
    let image = try await library.image(
      for: asset.id, fitting: PixelSize(width: size, height: size))
    var response = Response(
      status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: image.data)))
    response.headers[.contentType] = "image/jpeg"
    return response
  }

  /// /assets/ID/file?as=compatible
  @Sendable func file(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let file = try await library.data(
      for: try context.parameters.require("id"), as: representation(request))
    return try await send(file.url, as: file.filename, keeping: file, context)
  }

  /// /export.zip?id=ID&id=ID&as=compatible
  @Sendable func zip(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
    let ids = request.uri.queryParameters[values: "id"].map(String.init)
    guard (1...100).contains(ids.count) else {
      throw HTTPError(.badRequest, message: "Name 1 to 100 assets by id=ID.")
    }
    let folder = try TemporaryFolder()
    let pictures = folder.url.appending(path: "pictures")
    let export = try await library.export(
      ids, as: representation(request), to: FilePath(pictures.path))
    let names = try await export.report.flatMap(\.files).map { file in
      String(file.string.dropFirst(pictures.path.count + 1))
    }
    guard !names.isEmpty else {
      throw HTTPError(.unprocessableContent, message: "None of the assets can be exported.")
    }
    let archive = folder.url.appending(path: "export.zip")
    try await Archive.zip(names, in: pictures, to: archive)
    return try await send(archive, as: "export.zip", keeping: folder, context)
  }

  private func representation(_ request: Request) -> Representation {
    // Clients get no place unless the server means to give it.
    let preset = request.uri.queryParameters["as"].map(String.init) ?? "compatible"
    return .preset(named: preset).removingLocation()
  }

  private func number(
    _ text: Substring?, default standard: Int, in range: ClosedRange<Int>, name: String
  ) throws -> Int {
    guard let text else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw HTTPError(
        .badRequest,
        message: "\(name) is a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// Streams a file, whose owner removes it after that.
  private func send(
    _ url: URL, as name: String, keeping owner: any AnyObject & Sendable,
    _ context: BasicRequestContext
  ) async throws -> Response {
    let file = try await FileIO().loadFile(path: url.path, context: context)
    let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "file"
    let type = MediaType.getMediaType(forExtension: url.pathExtension.lowercased())
    return Response(
      status: .ok,
      headers: [
        .contentType: type?.description ?? "application/octet-stream",
        .contentDisposition: "attachment; filename*=UTF-8''\(escaped)",
      ],
      body: ResponseBody(contentLength: file.contentLength) { writer in
        try await file.write(writer)
        withExtendedLifetime(owner) {}
      })
  }
}

/// A folder that is removed with the last reference to this object.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "photos-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

enum Archive {
  /// Pictures and videos are compressed already, so the archive only stores them.
  static func zip(_ names: [String], in folder: URL, to archive: URL) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/zip")
    process.arguments = ["-0", "-q", "-X", archive.path, "--"] + names
    process.currentDirectoryURL = folder
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else { throw HTTPError(.internalServerError) }
  }
}

/// Gives each error of the library its status, and its sentence to the client unless it is about the server.
struct Errors: RouterMiddleware {
  func handle(
    _ request: Request, context: BasicRequestContext,
    next: (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as PhotoLibraryError {
      context.logger.info("\(error)")
      switch error {
      case .invalidFilter, .invalidCursor, .invalidRepresentation:
        throw HTTPError(.badRequest, message: error.description)
      case .noAsset: throw HTTPError(.notFound, message: error.description)
      case .unreadable: throw HTTPError(.unprocessableContent, message: "The file is unreadable.")
      case .tooManyRequests: throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "1"])
      default: throw HTTPError(.internalServerError)
      }
    }
  }
}
