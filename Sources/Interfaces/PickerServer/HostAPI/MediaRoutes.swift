import Foundation
import Hummingbird
import ShoeboxKit

/// The files of what was chosen: `/v1/media/SESSION/ITEM`, a `baseUrl` with a suffix that says in which form, as Google's
/// base URLs have it.
struct MediaRoutes<Context: ConnectedContext> {
  let sessions: PickerSessions
  let library: PhotoLibrary
  let renditions: Renditions

  func add(to group: RouterGroup<Context>) {
    group.get("media/:session/:item", use: still)
    group.get("media/:session/:item/:part", use: part)
  }

  @Sendable private func still(_ request: Request, _ context: Context) async throws -> Response {
    let address = MediaAddress(try context.parameters.require("item"))
    return try await respond(address, nil, request, context)
  }

  @Sendable private func part(_ request: Request, _ context: Context) async throws -> Response {
    let address = MediaAddress(try context.parameters.require("part"))
    guard let part = AssetPart(rawValue: address.name) else {
      throw APIError.notFound("The parts of an item are still and motion.")
    }
    return try await respond(
      MediaAddress(name: try context.parameters.require("item"), form: address.form), part,
      request, context)
  }

  private func respond(
    _ address: MediaAddress, _ part: AssetPart?, _ request: Request, _ context: Context
  ) async throws -> Response {
    let session = try await sessions.session(context.parameters.require("session"))
    try session.requireResults()
    // Only what was chosen leaves, and only while the filter allows it.
    let limited = library.limited(to: try session.assetFilter)
    guard session.selection.contains(address.name),
      let asset = try await limited.asset(address.name)
    else { throw APIError.notFound("The session has no such item, or it has vanished.") }
    let hasClip = !asset.subtypes.isDisjoint(with: [.livePhoto, .motionPhoto])
    guard part != .motion || hasClip else {
      throw APIError.notFound("The item is not a live photo.")
    }
    // As in Google's API, the video of a motion photo is its clip.
    let part = part ?? (hasClip && address.form == .video ? .motion : .still)
    switch address.form {
    case .scaled(let size):
      return try await scaled(asset, size, limited)
    case .video where asset.mediaType != .video && part != .motion:
      throw APIError.invalid("The item is not a video: use =d.")
    case .file, .video:
      let rendition = Rendition(asset, as: session.representation(of: part))
      return try await .file(
        try await renditions.file(for: rendition), for: request, in: context, isDownload: true,
        within: renditions.downloads)
    case .unknown:
      throw APIError.invalid(
        "The address ends with =d, =dv or =wWIDTH-hHEIGHT, with numbers from 1 to 16383, "
          + "optionally with -c or -no.")
    }
  }

  /// A JPEG without metadata; of a video, a frame.
  private func scaled(
    _ asset: Asset, _ size: PixelSize, _ limited: LimitedLibrary
  ) async throws -> Response {
    let image = try await limited.image(for: asset.id, fitting: size)
    return Response(
      status: .ok, headers: [.contentType: "image/jpeg", .cacheControl: "private, no-cache"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.data)))
  }
}
