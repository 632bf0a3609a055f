package import ByteReading

/// When an AVI was recorded, in its camera's words: the `IDIT` chunk of its header list.
///
/// - Returns: nil where there is none.
package func aviRecordingDate(in source: any ByteSource) throws -> String? {
  guard
    let file = try source.chunks(in: 0..<source.count, limit: 1).first(where: {
      $0.listType == "AVI "
    }),
    let header = try source.chunks(in: file.payload, limit: 8).first(where: {
      $0.listType == "hdrl"
    }),
    let date = try source.chunks(in: header.payload, limit: 64).first(where: { $0.type == "IDIT" })
  else { return nil }
  return try source.bytes(in: date.payload, limit: 256)?.trimmedText
}
