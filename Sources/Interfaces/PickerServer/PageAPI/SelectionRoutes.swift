import Hummingbird
import ShoeboxKit

/// What the person does: chooses, decides on metadata, and ends.
struct SelectionRoutes<Context: RequestContext> {
  let gate: PageGate<Context>

  func add(to group: RouterGroup<Context>) {
    group.post("selection", use: change)
    group.post("options", use: options)
    group.post("done", use: done)
    group.post("cancel", use: cancel)
  }

  @Sendable private func change(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    let body = try await request.object(limit: PickerLimits.pageBody, context)
    try body.check(["add", "remove"])
    let changed = try await gate.sessions.changeSelection(
      of: session.id, adding: try body.texts("add", most: PickerLimits.selection) ?? [],
      removing: try body.texts("remove", most: PickerLimits.selection) ?? [])
    return .json(["count": changed.selection.count, "selection": changed.selection])
  }

  @Sendable private func options(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    let body = try await request.object(limit: PickerLimits.pageBody, context)
    try body.check(["includeLocation", "includeCaptions"])
    let changed = try await gate.sessions.changeOptions(
      of: session.id, includesLocation: try body.flag("includeLocation"),
      includesCaptions: try body.flag("includeCaptions"))
    return .json(SessionJSON.fields(of: changed))
  }

  @Sendable private func done(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    let body = try await request.object(limit: PickerLimits.pageBody, context)
    try body.check(["selection", "includeLocation", "includeCaptions"])
    let shown = ShownChoice(
      selection: try body.texts("selection", most: PickerLimits.selection),
      includesLocation: try body.flag("includeLocation"),
      includesCaptions: try body.flag("includeCaptions"))
    try await gate.sessions.end(session.id, .done, showing: shown)
    return Response(status: .noContent, headers: BrowserStorage.clearing)
  }

  @Sendable private func cancel(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    try await gate.sessions.end(session.id, .cancelled)
    return Response(status: .noContent, headers: BrowserStorage.clearing)
  }
}
