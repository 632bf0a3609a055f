package import ByteReading

/// The recording date of an AVI as the camera wrote it: the text of the `IDIT` chunk in the header list.
///
/// - Returns: nil if there is none.
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
