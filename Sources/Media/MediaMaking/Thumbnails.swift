import ByteReading
import FFmpeg
import FactReading
import LibHeif
import LibraryFacts
package import Linux
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
package import WorkerProtocol

/// Makes a thumbnail of a file.
///
/// - Parameter longerSide: pixels that the longer side has at most.
package func thumbnail(
  _ item: ThumbnailItem, _ file: SharedFile, longerSide: Int
) -> ThumbnailReply {
  withFile(file, name: item.path, failed: ThumbnailReply.failed) { file throws in
    let side = min(max(longerSide, Thumbnail.minimumSide), Thumbnail.maximumSide)
    do {
      return .thumbnail(try file.thumbnail(item.uniformType, longerSide: side))
    } catch let error as AudioVideoError {
      throw item.uniformType.mediaType == .video
        ? ProbeFailure(poster: error) : ProbeFailure(still: error)
    } catch let error as JPEGError {
      throw ProbeFailure(error)
    } catch let error as HeifError {
      throw ProbeFailure(error)
    }
  }
}

extension MediaFile {
  fileprivate func thumbnail(_ type: UniformType, longerSide: Int) throws -> Thumbnail {
    var picture = try smallPicture(type, longerSide: longerSide)
    // Scaling would take black for transparency.
    try picture.resolveInks()
    // The cost of the following steps depends on the number of pixels.
    if let size = picture.raster.size.fitting(longerSide: longerSide) {
      picture.raster = try picture.raster.scaled(to: size)
    }
    let raster = try picture.finish(
      PictureRendering(maxPixels: longerSide, colorSpace: .sRGB))
    let isSmall = longerSide <= Thumbnail.smallSide
    let size = raster.size
    let limit = Thumbnail.maximumBytes(longerSide: max(size.width, size.height))
    for quality in isSmall ? [66, 50, 35] : [80, 66, 50, 35] {
      let jpeg = try JPEGEncoder.encode(raster, quality: quality, sampling: .yuv420)
      if jpeg.count <= limit {
        return Thumbnail(jpeg: jpeg, size: size, signature: PictureSignature(raster))
      }
    }
    throw ProbeFailure(.unsupported, "The thumbnail would be too large.")
  }

  /// The cheapest picture that is large enough: an embedded thumbnail, or else the picture itself, decoded at
  /// a reduced size if its format allows it.
  private func smallPicture(_ type: UniformType, longerSide: Int) throws -> DecodedPicture {
    if let demuxer = Demuxer(type) { return try poster(demuxer, longerSide: longerSide) }
    // Three quarters of the size of a small picture look almost the same.
    let sufficient = longerSide <= Thumbnail.smallSide ? longerSide * 3 / 4 : longerSide
    let format = type.format as? any DecodablePicture.Type
    return try format?.embeddedThumbnail(of: self, atLeast: sufficient) ?? decoded(type, longerSide)
  }

  private func decoded(_ type: UniformType, _ longerSide: Int) throws -> DecodedPicture {
    var picture = try decodePicture(type, atLeast: longerSide)
    if picture.profile == nil, let metadata = try? pictureMetadata(type) {
      picture.takeColors(of: metadata)
    }
    return picture
  }

  private func poster(_ demuxer: Demuxer, longerSide: Int) throws -> DecodedPicture {
    let source = WindowedSource(self)
    try demuxer.checkHeader(of: source)
    let file = try MovieFile(demuxer, size: count, read: source.bytes(at:count:))
    let poster = try file.posterFrame(longerSide: longerSide)
    return DecodedPicture(
      raster: poster.raster, orientation: poster.orientation, primaries: poster.primaries,
      transfer: poster.transfer)
  }
}

extension ProbeFailure {
  /// The failure for an FFmpeg error on a video's frame.
  fileprivate init(poster error: AudioVideoError) {
    switch error.reason {
    case .damaged, .cutOff:
      self.init(.damaged, "No frame of the video could be decoded.")
    case .unsupported, .outOfMemory: self.init(error)
    }
  }
}
