import Hummingbird
import ShoeboxKit

/// What the page shows of an item: pictures, videos and details.
struct PictureRoutes<Context: ConnectedContext> {
  let gate: PageGate<Context>
  let renditions: Renditions

  func add(to group: RouterGroup<Context>) {
    group.get("thumbnails/:asset", use: thumbnail)
    group.get("images/:asset", use: image)
    group.get("videos/:asset", use: video)
    group.get("videos/:asset/file", use: videoFile)
    group.get("details/:asset", use: details)
  }

  @Sendable private func thumbnail(
    _ request: Request, _ context: Context
  ) async throws -> Response {
    try await picture(request, context, sides: 16...1024, usual: 256)
  }

  @Sendable private func image(_ request: Request, _ context: Context) async throws -> Response {
    try await picture(request, context, sides: 16...4096, usual: 2048)
  }

  private func picture(
    _ request: Request, _ context: Context, sides: ClosedRange<Int>, usual: Int
  ) async throws -> Response {
    let parameters = request.parameters
    let side = try parameters.number("side", in: sides) ?? usual
    let session = try await gate.session(request, context)
    let limited = try gate.limited(session)
    let image = try await limited.image(
      for: context.parameters.require("asset"), fitting: PixelSize(width: side, height: side))
    // With the revision in it, an address always means the same picture.
    let isFixed = parameters["v"] != nil
    return Response(
      status: .ok,
      headers: [
        .contentType: "image/jpeg",
        .cacheControl: isFixed
          ? BrowserStorage.policy(until: session.expires) : "private, no-cache",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: image.data)))
  }

  /// Whether the video that a browser plays is ready; begins to make it if need be.
  @Sendable private func video(_ request: Request, _ context: Context) async throws -> Response {
    let asset = try await gate.asset(request, context).asset
    switch try await renditions.progress(of: try preview(asset)) {
    case .making(let fraction):
      return .json(["state": "making", "fraction": fraction])
    case .made:
      return .json([
        "state": "ready", "url": "videos/\(asset.id)/file?v=\(asset.revision)",
      ])
    }
  }

  @Sendable private func videoFile(
    _ request: Request, _ context: Context
  ) async throws -> Response {
    let asset = try await gate.asset(request, context).asset
    return try await .file(
      try await renditions.file(for: try preview(asset)), for: request, in: context,
      isDownload: false, within: renditions.downloads)
  }

  /// MP4 with H.264 of a size that is made quickly. Metadata is of no use to the page.
  private func preview(_ asset: Asset) throws -> Rendition {
    guard
      asset.mediaType == .video
        || !asset.subtypes.isDisjoint(with: [.livePhoto, .motionPhoto])
    else { throw APIError.notFound("The item has no video.", .noVideo) }
    return Rendition(
      asset,
      as: .preset(named: "1280x720").livePhoto(.motion).removingMetadata(), isPreview: true)
  }

  @Sendable private func details(_ request: Request, _ context: Context) async throws -> Response {
    let (asset, limited) = try await gate.asset(request, context)
    var evidence: [[String: any Sendable]] = []
    for entry in try await limited.evidence(for: asset.id) where entry.isGiven {
      evidence.append(["label": entry.label.names.first ?? "", "source": entry.source])
    }
    var fields: [String: any Sendable] = [
      "evidence": evidence, "size": asset.size, "hasLocation": asset.location != nil,
      "format": (asset.path.extension ?? "").uppercased(),
      "name": asset.path.lastComponent?.string ?? "",
    ]
    fields["camera"] = asset.camera
    fields["caption"] = asset.caption
    return .json(fields)
  }
}
