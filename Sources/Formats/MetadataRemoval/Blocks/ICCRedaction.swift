import ByteReading
package import MediaEdits
import MediaFormats

/// Removes texts with a place from ICC profiles (ICC.1:2022, and ICC.1:2001-04 for `desc` in version 2).
///
/// Texts become zeros in place, so every tag keeps its offset and the colour data stays the same.
package enum ICCRedaction {
  /// Types of numbers, which are not searched for a text.
  private static let numberTypes: Set<FourCC> = [
    "XYZ ", "curv", "para", "mft1", "mft2", "mAB ", "mBA ", "mpet", "sf32", "uf32", "ui08", "ui16",
    "ui32", "ui64", "chrm", "cicp", "clro", "dtim", "meas", "sig ", "view", "vcgt", "vcgp", "ndin",
    "ncl2",
  ]
  private static let headerSize = 128
  /// The MD5 digest of a profile, which may be zeros (§7.2.18).
  private static let digest = 84..<100
  private static let maximumTags = 1024
  /// How often a byte of the profile may be in a tag, on average.
  private static let maximumUses = 4

  /// A profile of the same length without texts that record a place.
  ///
  /// Bytes that no tag reaches are zeroed with them. A profile that cannot be read becomes zeros where it
  /// records a place.
  ///
  /// The texts of a profile describe devices and are not captions, so a policy that keeps the place keeps the
  /// profile as it is.
  package static func removing(_ policy: MetadataPolicy, from profile: [UInt8]) -> [UInt8] {
    guard policy.removesLocation else { return profile }
    guard let tags = tags(of: profile) else {
      return LocationDetection.recordsPlace(profile)
        ? [UInt8](repeating: 0, count: profile.count) : profile
    }
    var changed = profile
    for tag in Set(tags) { removePlace(from: tag, of: &changed) }
    var coverage = ByteRanges()
    coverage.insert(0..<UInt64(headerSize + 4 + tags.count * 12))
    for tag in tags { coverage.insert(UInt64(tag.lowerBound)..<UInt64(tag.upperBound)) }
    for gap in coverage.gaps(in: 0..<UInt64(profile.count)) {
      changed.zero(Int(gap.lowerBound)..<Int(gap.upperBound))
    }
    if changed != profile { changed.zero(digest) }
    return changed
  }

  /// The changes to a profile in a file. A profile that is cut off or longer than 64 MiB becomes zeros.
  static func find(
    _ policy: MetadataPolicy, inProfileAt range: Range<UInt64>, of source: any ByteSource
  ) throws -> Redaction {
    var redaction = Redaction()
    let range = range.clamped(to: 0..<source.count)
    guard let profile = try source.bytes(in: range, limit: 64 << 20) else {
      redaction.fill(range)
      return redaction
    }
    let changed = removing(policy, from: profile)
    redaction.overwrite(at: range.lowerBound, profile, with: changed)
    return redaction
  }

  /// The changes to a `colr` box of HEIF (ISO/IEC 14496-12 §12.1.5) or JPEG 2000 (ISO/IEC 15444-1
  /// §I.5.3.3), where a profile follows the method 2 and two bytes.
  static func find(
    _ policy: MetadataPolicy, inColor box: ISOBox, of source: any ByteSource
  ) throws -> Redaction {
    let start = try source.start(of: box, 4)
    if start.hasText("prof") || start.hasText("rICC") {
      return try find(policy, inProfileAt: box.payload.dropping(4), of: source)
    }
    if start.first == 2 || start.first == 3 {
      return try find(policy, inProfileAt: box.payload.dropping(3), of: source)
    }
    return Redaction()
  }

  /// The ranges of the tags' contents; nil for a profile that is damaged.
  private static func tags(of profile: [UInt8]) -> [Range<Int>]? {
    guard profile.hasText("acsp", at: 36), let count = profile.u32(at: headerSize),
      count <= maximumTags
    else { return nil }
    var tags: [Range<Int>] = []
    for index in 0..<Int(count) {
      let entry = headerSize + 4 + index * 12
      guard let start = profile.u32(at: entry + 4), let size = profile.u32(at: entry + 8),
        Int(start) >= headerSize + 4 + Int(count) * 12, Int(start) + Int(size) <= profile.count
      else { return nil }
      tags.append(Int(start)..<(Int(start) + Int(size)))
    }
    // Tags share values (§7.3.1), but values do not overlap.
    let bytes = Set(tags).reduce(0) { $0 + $1.count }
    return bytes / maximumUses <= profile.count ? tags : nil
  }

  private static func removePlace(from tag: Range<Int>, of profile: inout [UInt8]) {
    guard tag.count >= 8, let type = profile.fourCC(at: tag.lowerBound),
      !numberTypes.contains(type),
      LocationDetection.recordsPlace(Array(profile[tag].dropFirst(8)))
    else { return }
    let content = tag.lowerBound + 8
    switch type {
    case "desc":
      // An ASCII text after its length; a UTF-16 text after its language and its length in units; a
      // Macintosh text of at most 67 bytes after its code and its length.
      let ascii = content + 4 + Int(profile.u32(at: content) ?? 0)
      guard ascii + 8 <= tag.upperBound, let units = profile.u32(at: ascii + 4) else { break }
      let wide = ascii + 8 + 2 * Int(units)
      guard wide <= tag.upperBound else { break }
      profile.zero((content + 4)..<ascii)
      return profile.zero((ascii + 8)..<tag.upperBound)
    case "mluc":
      // Texts after a table of languages, whose entries are 12 bytes.
      let table = content + 8 + 12 * Int(profile.u32(at: content) ?? 0)
      guard profile.u32(at: content + 4) == 12, table <= tag.upperBound else { break }
      return profile.zero(table..<tag.upperBound)
    default: break
    }
    profile.zero(content..<tag.upperBound)
  }
}

extension [UInt8] {
  /// Writes zeros over a range of the array.
  fileprivate mutating func zero(_ range: Range<Int>) {
    for index in range { self[index] = 0 }
  }
}
