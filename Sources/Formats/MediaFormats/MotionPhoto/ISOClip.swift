package import ByteReading

/// The offset after the movie that begins at `offset`; nil unless it is complete.
///
/// A complete movie begins with `ftyp`. Boxes follow up to the end of the file or to bytes that are not a box, among
/// them whole `moov` and `mdat` boxes.
///
/// Phones write trailers after the clip, so lengths in metadata show only the place of the clip. Its boxes show its
/// end.
package func endOfClip(at offset: UInt64, in source: any ByteSource) throws -> UInt64? {
  guard let first = try source.box(at: offset, before: source.count), first.type == "ftyp",
    !first.isTruncated
  else { return nil }
  var position = first.end
  var hasMovie = false
  var hasData = false
  for _ in 0..<4096 {
    guard let box = try source.box(at: position, before: source.count),
      clipBoxes.contains(box.type),
      !box.isTruncated
    else { break }
    if box.type == "moov" {
      hasMovie = try source.child("mvhd", of: box) != nil
    }
    if box.type == "mdat" { hasData = true }
    position = box.end
  }
  return hasMovie && hasData ? position : nil
}

/// Whether a movie, complete or not, begins at `offset`: a short `ftyp` with a plausible brand, followed by another box
/// of a movie or by the end of the file.
func beginsClip(at offset: UInt64, in source: any ByteSource) throws -> Bool {
  let longestType: UInt64 = 1 << 10
  guard let first = try source.box(at: offset, before: source.count), first.type == "ftyp",
    !first.isTruncated, (8...longestType).contains(first.end - first.payload.lowerBound),
    try source.start(of: first, 4).allSatisfy({ (0x20..<0x7F).contains($0) })
  else { return false }
  guard let second = try source.box(at: first.end, before: source.count) else {
    return source.count - first.end < 8
  }
  return clipBoxes.contains(second.type)
}

/// The boxes at the top level of movies.
private let clipBoxes: Set<FourCC> = [
  "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "udta", "moof", "mfra", "sidx",
  "styp", "pdin", "prft", "emsg", "ssix", "pnot", "PICT", "junk", "mpvd", "beam",
]
