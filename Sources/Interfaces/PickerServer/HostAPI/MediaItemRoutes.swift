import Foundation
import Hummingbird
import ShoeboxKit

/// What was chosen: `/v1/mediaItems`, as in Google's Photos Picker API.
struct MediaItemRoutes<Context: RequestContext> {
  let sessions: PickerSessions
  let library: PhotoLibrary
  let address: BoundAddress
  /// Makes the empty folders for which names are planned.
  let folders: TemporaryFolders

  /// As in Google's API.
  private static var mostItems: Int { 100 }

  func add(to group: RouterGroup<Context>) {
    group.get("mediaItems", use: list)
  }

  @Sendable private func list(_ request: Request, _ context: Context) async throws -> Response {
    let query = request.parameters
    guard let id = query["sessionId"] else {
      throw InvalidField(field: "sessionId", reason: "is missing")
    }
    let session = try await sessions.session(String(id))
    try session.requireResults()
    let size = try query.number("pageSize", in: 0...Int.max) ?? 0
    // As Google's API: 0 is the default, and more than 100 are 100.
    let count = size == 0 ? 50 : min(size, Self.mostItems)
    // Clients of Google's API send an empty token for the first page.
    let first =
      query["pageToken"]?.isEmpty == true
      ? 0 : try query.number("pageToken", in: 0...session.selection.count) ?? 0
    let page = session.selection[first...].prefix(count)
    let limited = library.limited(to: try session.assetFilter)
    var assets: [Asset] = []
    for identifier in page {
      // An item that has vanished is left out: the others can be fetched.
      guard let asset = try await limited.asset(identifier) else { continue }
      assets.append(asset)
    }
    let names = try await resultNames(of: assets, session)
    let items = try assets.map { asset in
      // The request for a file that cannot be read reports why.
      let name = names[asset.id] ?? asset.path.lastComponent?.string ?? asset.id
      return try item(asset, session, named: name)
    }
    var json: [String: any Sendable] = ["mediaItems": items]
    if page.endIndex < session.selection.endIndex { json["nextPageToken"] = String(page.endIndex) }
    return .json(json)
  }

  private func item(
    _ asset: Asset, _ session: PickerSession, named name: String
  ) throws -> [String: any Sendable] {
    let base = "\(try address.current.base)/v1/media/\(session.id)/\(asset.id)"
    var metadata: [String: any Sendable] = [:]
    metadata["width"] = asset.pixelSize?.width
    metadata["height"] = asset.pixelSize?.height
    metadata["cameraMake"] = asset.cameraMake
    metadata["cameraModel"] = asset.cameraModel
    // Google's clients wait until a video is ready.
    if asset.mediaType == .video { metadata["videoMetadata"] = ["processingStatus": "READY"] }
    var item: [String: any Sendable] = [
      "id": asset.id, "type": asset.mediaType == .video ? "VIDEO" : "PHOTO",
      "mediaFile": [
        "baseUrl": base, "mimeType": MediaTypeName(fileName: name).text, "filename": name,
        "mediaFileMetadata": metadata,
      ] as [String: any Sendable],
    ]
    item["createTime"] = asset.captureDate.map { Timestamp.text(of: $0) }
    if !asset.subtypes.isDisjoint(with: [.livePhoto, .motionPhoto]) {
      item["livePhoto"] = ["still": base + "/still", "motion": base + "/motion"]
    }
    return item
  }

  /// The names that the results will have, whose extensions say what they are.
  ///
  /// The plan is not carried out. In a folder of its own, each result has the name that it has if it is fetched alone.
  private func resultNames(
    of assets: [Asset], _ session: PickerSession
  ) async throws -> [Asset.ID: String] {
    // Is empty, so that no file changes a name.
    let folder = try folders.make()
    guard !assets.isEmpty else { return [:] }
    let export = try await library.export(
      assets.map(\.id), as: session.representation(of: .still), to: FilePath(folder.url.path),
      options: ExportOptions(nameTemplate: "{id}/{stem}{ext}"))
    var names: [Asset.ID: String] = [:]
    for planned in try await export.plan {
      names[planned.asset.id] = planned.names.first?.lastComponent?.string
    }
    return names
  }
}

extension PickerSession {
  /// - Throws: ``APIError`` unless the person has chosen.
  func requireResults() throws(APIError) {
    switch state {
    case .done: break
    case .created, .opened:
      throw .failedPrecondition("The person has not finished choosing: wait for mediaItemsSet.")
    case .cancelled: throw .failedPrecondition("The person chose nothing.")
    case .expired: throw .failedPrecondition("The person did not choose in time.")
    }
  }
}
