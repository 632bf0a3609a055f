import ByteReading
import MediaEdits
import MediaFormats

extension ISORedaction {
  /// Boxes inside of sample descriptions that decoders and players need: those of ISO/IEC 14496-12, -15 and -30,
  /// the codecs' own bindings, and the QuickTime File Format.
  private static let configurations: Set<FourCC> = [
    "avcC", "hvcC", "lhvC", "vvcC", "evcC", "av1C", "vpcC", "dvcC", "dvvC", "dvwC", "esds", "d263",
    "damr", "dac3", "dec3", "dac4", "dOps", "dfLa", "alac", "dmlp", "ddts", "pcmC", "mhaC", "chnl",
    "glbl", "jp2h", "dvc1", "m1v ", "SMI ", "ACLR", "APRG", "ARES", "ADHR", "AALP", "logs", "avss",
    "fdcp", "svqC",
    "colr", "pasp", "clap", "fiel", "gama", "chrm", "btrt", "clli", "mdcv", "SmDm", "CoLL", "amve",
    "cclv", "ndwt", "ctab", "mjqt", "mjht", "st3d", "sv3d", "SA3D", "SAND", "vexu", "hfov", "hero",
    "ccst", "bitr", "srat", "chan", "sinf", "schm", "schi", "tenc", "frma", "enda", "wfex", "strf",
    "CMP1", "CDI1", "JPEG", "VPHD", "hinf", "tims", "tsro", "snro", "relo", "ftab", "styl", "vttC",
    "vlab", "mime", "txtC", "fall", "auxi", "udts", "lvcC", "iacb", "mp4a", "mp4v", "hvcE", "avcE",
    "av1E", "apvC", "jxsH", "jpgC", "j2kH",
  ]
  private static let keyParts: Set<FourCC> = ["keyd", "dtyp", "setu", "loca"]
  private static let maximumEntry = 1 << 20
  /// Tags of audio can contain pictures.
  private static let maximumTags = 64 << 20

  /// Erases unknown boxes in a track's sample descriptions.
  ///
  /// - Parameters:
  ///   - stsd: contains one box for each kind of sample (ISO/IEC 14496-12 §8.5.2).
  ///   - isErased: whether the track's samples are erased. Only the type of each description stays then.
  mutating func visit(descriptions stsd: ISOBox, _ handler: FourCC?, isErased: Bool) throws {
    for entry in try children(of: stsd, skip: 8) {
      switch (entry.type, handler) {
      case ("mebx", _): try visit(keyed: entry)
      case ("CRAW", _): try visit(canonRaw: entry)
      case (_, _) where isErased: redaction.fill(entry.payload.dropping(8))
      case (_, "vide"), (_, "auxv"), (_, "pict"): try visit(picture: entry)
      case (_, "soun"): try visit(sound: entry)
      default:
        // Time codes, texts and hints are short, and each kind has its own form.
        guard let content = try source.content(of: entry, limit: Self.maximumEntry),
          !policy.removes(text: content)
        else {
          redaction.fill(entry.payload.dropping(8))
          continue
        }
      }
    }
  }

  /// Visits a visual sample entry: 78 bytes of fields, then extensions (§12.1.3).
  private mutating func visit(picture entry: ISOBox) throws {
    let fields = try source.start(of: entry, 86)
    // The compressor's name is a counted text in 32 bytes. A zero length means that there is none.
    if let length = fields.u8(at: 42) {
      let start = entry.payload.lowerBound + 42
      let name = fields.bytes(at: 43, count: min(Int(length), 31)) ?? []
      let isUnwanted = policy == .appearanceOnly || policy.removes(text: name)
      let unused = isUnwanted ? start : start + 1 + UInt64(length)
      let end = min(start + 32, entry.end)
      // A damaged entry may end inside of the name.
      if unused < end { redaction.fill(unused..<end) }
    }
    // A QuickTime colour table may follow the fields. Depth and table ID precede its seed, flags and last index.
    var skip: UInt64 = 78
    if let depth = fields.u16(at: 74), [1, 2, 4, 8].contains(depth & 0x1F), fields.u16(at: 76) == 0,
      let last = fields.u16(at: 84)
    {
      skip += 8 + (UInt64(last) + 1) * 8
    }
    try visitExtensions(of: entry, skip: skip, depth: 0)
  }

  /// Visits the description of Canon's RAW images. Four bytes follow the fields of a visual sample entry.
  private mutating func visit(canonRaw entry: ISOBox) throws {
    let fields = try source.start(of: entry, 90)
    let hasMore = fields.fourCC(at: 86).map(Self.configurations.contains) ?? false
    for box in try children(of: entry, skip: hasMore ? 82 : 78, limit: 256) {
      if Self.configurations.contains(box.type) {
        try blankPlaces(in: box)
      } else {
        try visitCommon(box)
      }
    }
  }

  /// Visits a sound sample entry: 28 bytes of fields, and more in QuickTime's versions 1 and 2 (§12.2.3).
  private mutating func visit(sound entry: ISOBox) throws {
    let fields = try source.start(of: entry, 32)
    let skip: UInt64 =
      switch fields.u16(at: 8) {
      case 1: 44
      case 2: max(UInt64(fields.u32(at: 28) ?? 0), 72) - 8
      default: 28
      }
    // Version 1 of ISO/IEC 14496-12 has the fields of version 0.
    let first = skip == 44 ? try source.boxes(inside: entry, skip: 28, limit: 1).first : nil
    let isShort = first.map { Self.configurations.contains($0.type) } ?? false
    try visitExtensions(of: entry, skip: isShort ? 28 : skip, depth: 0)
  }

  private mutating func visitExtensions(of entry: ISOBox, skip: UInt64, depth: Int) throws {
    for box in try children(of: entry, skip: skip, limit: 256) {
      if box.type == "wave", depth == 0 {
        try visitExtensions(of: box, skip: 0, depth: 1)
      } else if box.type == "dfLa" {
        // Blocks follow version and flags (Encapsulation of FLAC in ISO Base Media File Format §3.3.2).
        guard let content = try source.content(of: box, limit: Self.maximumTags) else {
          throw RedactionRefusal(
            "The tags of an audio track are too long, so \(policy.removedText) in them cannot be found."
          )
        }
        redaction.add(
          AudioComments.find(policy, inFLAC: content, from: 4), at: box.payload.lowerBound)
      } else if box.type == "sv3d" {
        try visit(spherical: box)
      } else if Self.configurations.contains(box.type) {
        // In the configurations of some codecs, ``userDataForm(_:)`` has overwritten texts.
        if !searchedConfigurations.contains(box.offset) { try blankPlaces(in: box) }
      } else if box.type.rawValue != 0 {
        try visitCommon(box)
      }
    }
  }

  /// Visits a list of keys (QuickTime File Format, "Timed metadata"). Their names, types, set-up and languages stay.
  private mutating func visit(keyed entry: ISOBox) throws {
    for box in try children(of: entry, skip: 8) {
      guard box.type == "keys" else {
        try visitCommon(box)
        continue
      }
      for key in try children(of: box) {
        for part in try children(of: key) {
          if Self.keyParts.contains(part.type) {
            try blankPlaces(in: part)
          } else {
            try visitCommon(part)
          }
        }
      }
    }
  }
}
