import ByteReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataTransfer

// MetadataTransfer: the metadata of a hostile source in a result.

/// Reads the metadata of a source of any format and puts it into results, whose pixels or samples must stay.
func transferMetadata(_ bytes: [UInt8]) {
  let source = ArraySource(bytes)
  guard case .media(let type) = try? ContentType(of: source) else { return }
  if type == .jpeg { joinLivePhoto(bytes) }
  if type.takesFacts { addFacts(bytes, source, type) }
  readGainMap(source, type)
  if type.format is any PictureFormat.Type {
    guard let metadata = try? PictureMetadata.read(type, source) else { return }
    for policy in [MetadataPolicy.keep, .withoutLocation, .withoutCaptions, .appearanceOnly] {
      transfer(metadata, policy)
      // A preview of a RAW file is exported as it is, with the metadata of the file.
      _ = PictureAssembly.jpeg(bytes, with: metadata)
    }
  } else {
    for policy in [MetadataPolicy.keep, .withoutLocation, .withoutCaptions] {
      guard let boxes = try? MovieMetadataBoxes(source, policy) else { continue }
      transfer(boxes)
    }
    if let moment = (try? ISOStillImageTime.read(source)) ?? nil { transfer(moment) }
    transferPresentations(of: source)
    readPausesAndParameters(bytes)
  }
}

/// Adds facts of the catalog to a file, which must still be one of its type.
private func addFacts(_ bytes: [UInt8], _ source: ArraySource, _ type: UniformType) {
  var facts = CatalogFacts()
  facts.captureTime = CaptureTime(wallSeconds: 1, offsetMinutes: 60, source: "")
  facts.location = Location(latitude: 47, longitude: 8, altitude: -1)
  (facts.caption, facts.keywords, facts.isFavorite) = ("<text>", ["word"], true)
  if type.mediaType == .image {
    guard let changed = (try? PictureFacts.adding(facts, to: bytes, type)) ?? nil else { return }
    precondition((try? PictureMetadata.read(type, ArraySource(changed.bytes))) != nil)
  } else {
    let pieces = ((try? MovieFacts(facts, addedTo: source)) ?? nil)?.pieces ?? []
    for case .source(let range) in pieces { precondition(range.upperBound <= source.count) }
  }
}

/// Makes a JPEG the still of a live photo, whose coded picture must stay.
private func joinLivePhoto(_ bytes: [UInt8]) {
  guard let length = try? LivePhotoJPEG.lengthWithoutClip(ArraySource(bytes)) else { return }
  precondition(length <= UInt64(bytes.count))
  let still = Array(bytes.prefix(Int(length)))
  guard let scan = (try? JPEGMetadata(ArraySource(still)))?.scanOffset else { return }
  let picture = still[Int(scan)...]
  let identifier = "0EE9E1B4-8B19-4A3C-9D0F-6102DC09E164"
  for part in [LivePhotoPart.paired(identifier: identifier), .motionPhoto(moment: 480_000)] {
    guard let changed = try? LivePhotoJPEG.changed(still, to: part).bytes else { continue }
    precondition(changed.suffix(picture.count) == picture)
    precondition((try? JPEGMetadata(ArraySource(changed))) != nil)
  }
}

/// Reads a gain map's parameters and writes them for a JPEG, which must have the same.
private func readGainMap(_ source: ArraySource, _ type: UniformType) {
  var found: GainMapDescription?
  if type == .jpeg, let jpeg = try? JPEGFile(source) {
    found = (try? JPEGGainMap(of: jpeg, in: source))??.description
  } else if let boxes = try? HEIFContainer(source) {
    found = (try? boxes.gainMap(from: source, boxes.exif(from: source)))??.description
  }
  guard case .standard(let metadata) = found else { return }
  precondition(metadata.isValid)
  let map = UltraHDR.gainMap(encodedJPEG, metadata)
  let joined = PictureAssembly.jpeg(encodedJPEG, with: PictureMetadata(), gainMap: map).bytes
  guard let jpeg = try? JPEGFile(ArraySource(joined)),
    case .standard(let written) = (try? JPEGGainMap(of: jpeg, in: ArraySource(joined)))??
      .description
  else { preconditionFailure("the gain map is not found") }
  precondition(abs(written.alternateHeadroom - metadata.alternateHeadroom) < 0.000_001)
}

private func transfer(_ metadata: PictureMetadata, _ policy: MetadataPolicy) {
  let change = PictureChange(
    orientation: .left, from: PixelSize(width: 4, height: 3),
    crop: CropRect(x: 1, y: 1, width: 2, height: 2), to: PixelSize(width: 1, height: 1))
  let adapted = metadata.adapted(to: change, policy, isSRGB: policy == .withoutLocation)
  let jpeg = PictureAssembly.jpeg(encodedJPEG, with: adapted).bytes
  precondition(jpeg.suffix(jpegScan.count) == jpegScan[...])
  precondition((try? PictureMetadata.read(.jpeg, ArraySource(jpeg))) != nil)
  let png = PictureAssembly.png(encodedPNG, with: adapted).bytes
  precondition(png.suffix(pngPixels.count) == pngPixels[...])
  precondition((try? PictureMetadata.read(.png, ArraySource(png))) != nil)
}

private func transfer(_ boxes: MovieMetadataBoxes) {
  var header = MovieHeader(encodedHeader)
  guard (try? header.add(movie: boxes.movie, tracks: Array(boxes.tracks.values))) != nil else {
    preconditionFailure("the boxes do not fit into a header")
  }
  let shift = UInt64(header.bytes.count)
  guard (try? header.shiftChunks(by: shift)) == true else { preconditionFailure("no shift") }
  let source = ArraySource(header.bytes)
  let box = try? source.box(at: 0, before: source.count)
  precondition(box?.type == "moov" && box?.end == source.count)
}

/// Adds how the tracks of a movie are presented to a header, which must stay one.
private func transferPresentations(of source: ArraySource) {
  for policy in [MetadataPolicy.keep, .withoutLocation, .appearanceOnly] {
    guard let tracks = try? TrackPresentation.tracks(of: source, policy) else { continue }
    for track in tracks.values {
      var header = MovieHeader(encodedHeader)
      guard (try? header.present([track, track.encoded(isTurned: false)])) != nil else {
        preconditionFailure("the boxes do not fit into a header")
      }
      let result = ArraySource(header.bytes)
      let box = try? result.box(at: 0, before: result.count)
      precondition(box?.type == "moov" && box?.end == result.count)
    }
  }
}

/// Reads the edit lists of a movie, whose bytes are as many without pauses, and takes the movie for a coded stream.
private func readPausesAndParameters(_ bytes: [UInt8]) {
  if let movie = try? ISOPauses(ArraySource(bytes)) {
    precondition((try? movie.bytes(at: 0, count: bytes.count))?.count == bytes.count)
  }
  for codec in [ParameterSets.Codec.h264, .hevc] {
    var sets = ParameterSets(codec, configuration: bytes)
    _ = sets.areContradicted(by: bytes)
    _ = sets.areContradicted(by: Array(bytes.dropFirst(7)))
  }
}

/// Adds the moment of a still to a movie, and reads it there.
private func transfer(_ moment: ISOStillImageTime) {
  for isQuickTime in [true, false] {
    guard let movie = movie(with: moment, isQuickTime: isQuickTime) else { continue }
    let found = (try? ISOStillImageTime.read(ArraySource(movie))) ?? nil
    precondition(found?.items == moment.items)
    precondition(abs((found?.seconds ?? .infinity) - moment.seconds) < 0.002)
  }
}

/// A movie that contains nothing but the moment of a still; nil if it does not show the moment.
func movie(with moment: ISOStillImageTime, isQuickTime: Bool) -> [UInt8]? {
  var header = MovieHeader(encodedHeader)
  guard let sample = (try? header.add(moment, at: 8, isQuickTime: isQuickTime)) ?? nil else {
    return nil
  }
  return isoBox("mdat", sample) + header.bytes
}

/// The header of a movie that FFmpeg has made of hostile streams.
func changeHeader(_ bytes: [UInt8]) {
  var header = MovieHeader(bytes)
  _ = try? header.shiftChunks(by: 1 << 20)
  _ = try? header.limitDuration(to: 1.5)
  precondition(header.bytes.count == bytes.count)
  var longer = header
  _ = try? longer.add(
    ISOStillImageTime(
      seconds: 0.5, items: [.init(key: ISOStillImageTime.momentKey, type: 65, value: [0xFF])]),
    at: 1 << 33, isQuickTime: true)
  _ = try? longer.shiftChunks(by: 1 << 20)
  _ = try? header.add(movie: [isoBox("udta", [])], tracks: [[isoBox("udta", [])]])
}

// MARK: Results

/// The scan of a JPEG, which is not decoded here, and its end.
private let jpegScan: [UInt8] =
  [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0] + [UInt8](repeating: 0x2A, count: 8) + [0xFF, 0xD9]

/// As TurboJPEG makes it: JFIF, a frame of one pixel, a scan.
private let encodedJPEG: [UInt8] =
  [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 1, 0, 72, 0, 72, 0, 0]
  + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0] + jpegScan

private let pngPixels: [UInt8] =
  PNGChunk.made("IDAT", [0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1]) + PNGChunk.made("IEND", [])

/// As libavcodec makes it: a header for one grey pixel, its density, pixels.
private let encodedPNG: [UInt8] =
  PNGChunk.signature + PNGChunk.made("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  + PNGChunk.made("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0]) + pngPixels

/// Two tracks, the first of which is a video track of 2 s with a chunk.
private let encodedHeader: [UInt8] = isoBox(
  "moov",
  isoBox("mvhd", zeros(12) + [0, 0, 2, 0x58, 0, 0, 4, 0xB0] + zeros(80))
    + isoBox(
      "trak",
      isoBox("tkhd", zeros(12) + [0, 0, 0, 1] + zeros(68))
        + isoBox(
          "mdia",
          isoBox("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
            + isoBox(
              "minf", isoBox("stbl", isoBox("stco", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0])))))
    + isoBox("trak", []))

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
