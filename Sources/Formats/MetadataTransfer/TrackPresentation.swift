package import ByteReading
package import MediaEdits
package import MediaFormats
import MetadataRemoval

/// How a track of QuickTime or MP4 is to be shown and heard: its language, and what libavformat does not write, or only into
/// some containers and copies.
package struct TrackPresentation: Sendable, Hashable {
  package var language: TrackLanguage?
  /// Boxes for the sample entry.
  private(set) var sampleEntry: [[UInt8]] = []
  /// Boxes for the track.
  private(set) var track: [[UInt8]] = []

  /// 360° video and stereo pairs (Google, "Spherical Video V2"), ambisonics ("Spatial Audio"), spatial and wide video
  /// (Apple, "ISO base media file format and Apple HEVC stereo video"), and the parameter sets of further layers
  /// (ISO/IEC 14496-15 §9.6.3).
  private static let entryTypes: Set<FourCC> = ["st3d", "sv3d", "SA3D", "vexu", "hfov", "lhvC"]
  /// The largest box in bytes that is copied: a projection can be a mesh.
  private static let maximumSize = 4 << 20
  private static let maximumTracks = 64

  package init(language: TrackLanguage? = nil) {
    self.language = language
  }

  /// Reads the tracks of a file, by their IDs; without the languages.
  ///
  /// - Throws: ``ContainerError`` for a damaged file; what the source throws.
  package static func tracks(
    of source: any ByteSource, _ policy: MetadataPolicy
  ) throws -> [UInt32: TrackPresentation] {
    var found: [UInt32: TrackPresentation] = [:]
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    guard let moov = top.first(where: { $0.type == "moov" }) else { return [:] }
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      guard found.count < maximumTracks, let header = try source.child("tkhd", of: track) else {
        continue
      }
      let fields = try source.start(of: header, 24)
      guard let id = fields.u32(at: fields.u8(at: 0) == 1 ? 20 : 12), found[id] == nil else {
        continue
      }
      found[id] = try TrackPresentation(track, source, policy)
    }
    return found
  }

  private init(_ trak: ISOBox, _ source: any ByteSource, _ policy: MetadataPolicy) throws {
    func bytes(_ box: ISOBox) throws -> [UInt8]? {
      guard let bytes = try source.bytes(in: box.offset..<box.end, limit: Self.maximumSize),
        !box.isTruncated
      else { return nil }
      return policy == .keep ? bytes : try ISORedaction.removing(policy, fromPresentationBox: bytes)
    }
    for box in try source.boxes(inside: trak)
    where box.extendedType == ISOMovie.sphericalIdentifier {
      if let kept = try bytes(box), !kept.hasText("free", at: 4) { track.append(kept) }
    }
    guard let mdia = try source.child("mdia", of: trak),
      let minf = try source.child("minf", of: mdia),
      let stbl = try source.child("stbl", of: minf),
      let stsd = try source.child("stsd", of: stbl),
      let entry = try source.boxes(inside: stsd, skip: 8, limit: 1).first
    else { return }
    let skip = Self.extensions(of: entry, isSound: try Self.isSound(mdia, source), source)
    guard let skip else { return }
    for box in try source.boxes(inside: entry, skip: skip, limit: 64)
    where Self.entryTypes.contains(box.type) {
      if let kept = try bytes(box) { sampleEntry.append(kept) }
    }
  }

  fileprivate static func isSound(_ mdia: ISOBox, _ source: any ByteSource) throws -> Bool? {
    guard let handler = try source.child("hdlr", of: mdia) else { return nil }
    switch try source.start(of: handler, 12).fourCC(at: 8) {
    case "vide": return false
    case "soun": return true
    default: return nil
    }
  }

  /// The bytes of a sample entry before its boxes (ISO/IEC 14496-12 §12.1.3, §12.2.3); nil where they have another form.
  fileprivate static func extensions(
    of entry: ISOBox, isSound: Bool?, _ source: any ByteSource
  ) -> UInt64? {
    guard let isSound else { return nil }
    guard isSound else { return 78 }
    // Further versions of QuickTime have more fields.
    let version = try? source.start(of: entry, 10).u16(at: 8)
    return version == 0 ? 28 : nil
  }

  /// What is right for a result whose frames or samples are encoded from decoded ones: those of the base layer.
  ///
  /// - Parameter isTurned: whether its frames are turned, after which the eyes and the sphere are elsewhere in them.
  package func encoded(isTurned: Bool) -> TrackPresentation {
    var other = self
    other.track = isTurned ? [] : track
    other.sampleEntry = isTurned ? [] : sampleEntry.compactMap(Self.encoded)
    return other
  }

  private static func encoded(_ box: [UInt8]) -> [UInt8]? {
    if box.hasText("lhvC", at: 4) || box.hasText("SA3D", at: 4) { return nil }
    guard box.hasText("vexu", at: 4) else { return box }
    let source = ArraySource(box)
    guard let outer = try? source.box(at: 0, before: source.count),
      let parts = try? source.boxes(inside: outer, limit: 16)
    else { return nil }
    // Two eyes in one frame stay; those in two layers do not.
    if parts.contains(where: { $0.type == "pack" }) { return box }
    let kept = parts.filter { $0.type == "proj" }
      .flatMap { source.bytes(at: $0.offset, count: Int($0.end - $0.offset)) }
    return kept.isEmpty ? nil : isoBox("vexu", kept)
  }
}

extension MovieHeader {
  /// Describes how tracks are presented.
  ///
  /// - Parameter tracks: for each track, in the order of this movie; nil leaves it as it is.
  /// - Throws: ``ContainerError`` for a header that is not a `moov` box.
  package mutating func present(_ tracks: [TrackPresentation?]) throws {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count), moov.type == "moov" else {
      throw ContainerError.damaged("has no movie header (moov box)")
    }
    var content: [UInt8] = []
    var number = 0
    for box in try source.boxes(inside: moov) {
      guard box.type == "trak" else {
        content += source.whole(box)
        continue
      }
      let wanted = tracks.indices.contains(number) ? tracks[number] : nil
      content += try wanted?.described(box, source, isSound: nil) ?? source.whole(box)
      number += 1
    }
    replace(with: isoBox("moov", content))
  }
}

extension TrackPresentation {
  /// A box of a track with this presentation.
  ///
  /// - Parameter isSound: whether its track is audio, if it is inside of the media; nil for tracks that are neither audio nor
  ///   video.
  fileprivate func described(
    _ box: ISOBox, _ source: ArraySource, isSound: Bool?
  ) throws -> [UInt8] {
    switch box.type {
    case "trak", "minf", "stbl":
      let parts = try source.boxes(inside: box)
        .flatMap { try described($0, source, isSound: isSound) }
      return isoBox(box.type, box.type == "trak" ? parts + track.flatMap(\.self) : parts)
    case "mdia":
      let isSound = try Self.isSound(box, source)
      let parts = try source.boxes(inside: box)
        .filter { language == nil || $0.type != "elng" }
        .flatMap { try described($0, source, isSound: isSound) }
      return isoBox("mdia", parts)
    case "mdhd": return header(source.whole(box))
    case "stsd":
      guard let first = try source.boxes(inside: box, skip: 8, limit: 1).first else { break }
      let before = source.bytes(at: box.payload.lowerBound, count: 8)
      let after = source.bytes(at: first.end, count: Int(box.end - first.end))
      return isoBox("stsd", try before + entry(first, source, isSound: isSound) + after)
    default: break
    }
    return source.whole(box)
  }

  /// The header of media with the language, and the box with its tag.
  private func header(_ box: [UInt8]) -> [UInt8] {
    guard let language else { return box }
    let position = box.u8(at: 8) == 1 ? 40 : 28
    guard position + 2 <= box.count else { return box }
    var changed = box
    changed.replaceSubrange(
      position..<position + 2,
      with: [
        UInt8(language.field >> 8), UInt8(language.field & 0xFF),
      ])
    guard let tag = language.tag else { return changed }
    return changed + isoBox("elng", [0, 0, 0, 0] + Array(tag.utf8) + [0])
  }

  /// A sample entry with these boxes in place of those of the same types.
  private func entry(_ box: ISOBox, _ source: ArraySource, isSound: Bool?) throws -> [UInt8] {
    guard !sampleEntry.isEmpty,
      let skip = Self.extensions(of: box, isSound: isSound, source), skip <= box.payload.count
    else { return source.whole(box) }
    let types = Set(sampleEntry.compactMap { $0.fourCC(at: 4) })
    var content = source.bytes(at: box.payload.lowerBound, count: Int(skip))
    for part in try source.boxes(inside: box, skip: skip) where !types.contains(part.type) {
      content += source.whole(part)
    }
    return isoBox(box.type, content + sampleEntry.flatMap(\.self))
  }
}

extension ArraySource {
  /// A whole box with its header.
  fileprivate func whole(_ box: ISOBox) -> [UInt8] {
    bytes(at: box.offset, count: Int(box.end - box.offset))
  }
}
