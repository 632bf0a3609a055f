import Foundation
import Hummingbird
import ShoeboxKit

extension Response {
  /// A response that streams a file, or the range of it that the request names.
  ///
  /// - Parameters:
  ///   - file: stays until the response ends.
  ///   - slots: limits how many files are sent at a time.
  ///   - isDownload: whether a browser stores the file under its name instead of showing it.
  static func file(
    _ file: MadeFile, for request: Request, in context: some ConnectedContext, isDownload: Bool,
    within slots: DownloadSlots
  ) async throws -> Response {
    var headers: HTTPFields = [
      .contentType: file.mediaType, .acceptRanges: "bytes", .eTag: file.tag,
      .cacheControl: "private, no-cache",
    ]
    if isDownload { headers[.contentDisposition] = disposition(file.name) }
    if request.hasVersion(file.tag) {
      return Response(status: .notModified, headers: headers)
    }
    // RFC 9110, section 13.1.5: a range of another version is of no use.
    let isSameVersion = request.headers[.ifRange].map { $0 == file.tag } ?? true
    let range = ByteRange(isSameVersion ? request.headers[.range] : nil, size: file.size)
    switch range {
    case .unsatisfiable:
      headers[.contentRange] = "bytes */\(file.size)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    case .whole:
      return Response(
        status: .ok, headers: headers,
        body: try await body(file, file.size > 0 ? 0...(file.size - 1) : nil, context, slots))
    case .part(let bytes):
      headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(file.size)"
      return Response(
        status: .partialContent, headers: headers, body: try await body(file, bytes, context, slots)
      )
    }
  }

  /// Bytes of a file that are read at once. Some chunks are read ahead for each response, so that many clients that
  /// receive slowly need as many times that memory.
  private static let chunkLength = 32 << 10

  /// Bytes of a response that needs no slot.
  private static let shortLength = 256 << 10

  private static func body(
    _ file: MadeFile, _ bytes: ClosedRange<Int64>?, _ context: some ConnectedContext,
    _ slots: DownloadSlots
  ) async throws -> ResponseBody {
    guard let bytes, let first = Int(exactly: bytes.lowerBound),
      let last = Int(exactly: bytes.upperBound)
    else { return ResponseBody() }
    // A short answer is soon in the kernel's buffers, however slow the reader is.
    let slot = last - first < shortLength ? nil : try slots.take()
    let content = try await FileIO().loadFile(
      path: file.url.path, range: first...last, context: context, chunkLength: chunkLength)
    let channel = context.channel
    let paced = content.map { bytes in
      try await channel.waitUntilWritable()
      return bytes
    }
    return ResponseBody(contentLength: content.contentLength) { writer in
      try await paced.write(writer)
      withExtendedLifetime((file, slot)) {}
    }
  }

  /// RFC 6266: the name in UTF-8, percent-encoded.
  private static func disposition(_ name: String) -> String {
    let name = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "file"
    return "attachment; filename*=UTF-8''\(name)"
  }
}
