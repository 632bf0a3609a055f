package import ByteReading
package import MediaModel

/// One description of a track's samples.
package struct ISOSampleEntry: Sendable, Hashable {
  /// `hvc1`, `avc1`, `mebx`, `dish` …
  package var type: FourCC
  /// The coded size of a video entry, before pixel aspect ratio, crop and matrix.
  package var codedSize: PixelSize?
  /// The boxes inside: `hvcC`, `colr`, `vexu`, `hero` …
  package var extensions: [FourCC] = []
  /// Whether it declares a picture for each eye.
  package var isStereo = false
  /// The metadata keys of a `mebx` entry's samples.
  package var metadataKeys: [String] = []
  /// The URN of what an auxiliary track's frames are, such as transparency (`auxi`, ISO/IEC 23008-12 §7.5.3).
  package var auxiliaryType: String?
  /// FFmpeg's name of the codec; nil if it is unknown.
  var codec: String?
  /// Width over height of one pixel by `pasp`.
  var pixelAspect: Double?
  /// The transfer function's number in ITU-T H.273 §8.2, by `colr` or `vpcC`.
  var transfer: Int?
  /// Whether it has a Dolby Vision configuration.
  var isDolbyVision = false
  /// What the codec's configuration records, for codecs whose parameters are read.
  var parameters: VideoParameters?

  /// Whether it describes spatial video: a stereo pair, or the primary eye (`hero`). `vexu` is not sufficient: if it
  /// contains only a projection, it declares wide or 360° video for one eye.
  package var isSpatial: Bool { isStereo || extensions.contains("hero") }
}

/// Reads an `stsd` box.
func isoSampleEntries(
  _ stsd: ISOBox, handler: FourCC, _ source: any ByteSource
) throws -> [ISOSampleEntry] {
  try source.boxes(inside: stsd, skip: 8, limit: 16).map { box in
    var entry = ISOSampleEntry(type: box.type)
    if box.type == "mebx" {
      if let keys = try source.child("keys", of: box, skip: 8) {
        entry.metadataKeys = try isoMetadataKeys(keys, source)
      }
    } else if handler == "soun" {
      entry.codec = try audioCodec(box, source)
    } else if handler == "vide" || handler == "pict" || handler == "auxv" {
      let fields = try source.start(of: box, 28)
      if let width = fields.u16(at: 24), let height = fields.u16(at: 26), width > 0, height > 0 {
        entry.codedSize = PixelSize(width: Int(width), height: Int(height))
      }
      // 78 bytes are the fields of a VisualSampleEntry.
      let extensions = try source.boxes(inside: box, skip: 78, limit: 32)
      entry.extensions = extensions.map(\.type)
      if let usage = extensions.first(where: { $0.type == "vexu" }) {
        entry.isStereo = try hasBothEyes(usage, source)
      }
      if let auxiliary = extensions.first(where: { $0.type == "auxi" }) {
        entry.auxiliaryType = try source.start(of: auxiliary, 256).bytes(from: 4).trimmedText
      }
      try entry.read(extensions, source)
    } else {
      entry.codec = isoTextCodec(box.type)
    }
    return entry
  }
}

/// Whether a `vexu` box declares views for both eyes: the two lowest bits of `eyes/stri`, or `pack`, a packing of two
/// views in one picture (Apple, "ISO base media file format and Apple HEVC stereo video").
private func hasBothEyes(_ vexu: ISOBox, _ source: any ByteSource) throws -> Bool {
  let parts = try source.boxes(inside: vexu, limit: 16)
  if parts.contains(where: { $0.type == "pack" }) { return true }
  guard let eyes = parts.first(where: { $0.type == "eyes" }) else { return false }
  guard let views = try source.child("stri", of: eyes) else {
    return try source.child("hero", of: eyes) != nil
  }
  return try source.start(of: views, 5).u8(at: 4).map { $0 & 3 == 3 } ?? false
}

/// The key names in a `mebx` entry's `keys` box. Each child contains a `keyd` box with a namespace and a name.
package func isoMetadataKeys(_ keys: ISOBox, _ source: any ByteSource) throws -> [String] {
  try source.boxes(inside: keys, limit: 64).compactMap { key in
    guard let definition = try source.child("keyd", of: key) else { return nil }
    return try source.start(of: definition, 256).bytes(from: 4).trimmedText
  }
}
