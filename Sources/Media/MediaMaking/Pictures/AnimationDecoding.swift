import ByteReading
import Color
import FFmpeg
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import TurboJPEG
import WorkerProtocol

// Formats of animations. Their first frame is decoded; what it leaves of the canvas is transparent.

extension GIFFormat: StillPicture {
  static var stillFormat: StillFormat { .gif }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try GIFFile(source)
    return PictureDescription(
      uprightSize: structure.size, isTransparent: try GIFFile.hasTransparency(source),
      hasMorePictures: structure.frameCount > 1)
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    let structure = try GIFFile(WindowedSource(file), extent: .description)
    var content = try file.content()
    // libavcodec refuses pictures outside of the screen, and places the rows of larger ones wrongly.
    let screen = structure.size
    let sides = [screen.width, screen.height].flatMap { encoded($0, width: 2, .little) }
    content.replaceSubrange(6..<10, with: sides)
    var picture = try decoded(content, of: file)
    // libavcodec fills the rest of the screen with the background colour. Browsers and ImageMagick leave it empty.
    if let part = structure.partOfScreen,
      let frame = try picture.raster.converted(to: .rgba8).cropped(
        CropRect(x: part.x, y: part.y, width: part.size.width, height: part.size.height)),
      let whole = try frame.placed(on: screen, x: part.x, y: part.y)
    {
      picture.raster = whole
    }
    return picture
  }
}

extension WebPFormat: StillPicture {
  static var stillFormat: StillFormat { .webp }

  static func description(_ source: any ByteSource) throws -> PictureDescription {
    let structure = try WebPFile(source)
    return PictureDescription(
      uprightSize: structure.size, isTransparent: try WebPFile.hasAlpha(source),
      hasMorePictures: structure.isAnimated, hasFewColors: try WebPFile.hasPalette(source))
  }

  static func decoded(_ file: MediaFile) throws -> DecodedPicture {
    if let frame = try firstFrame(of: file) { return frame }
    var content = try file.content()
    WebPPixels.hideMetadata(in: &content)
    return try decoded(content, of: file)
  }

  /// The first frame of an animation on its canvas; nil if the picture is not animated.
  private static func firstFrame(of file: MediaFile) throws -> DecodedPicture? {
    guard let frame = try WebPFile.firstFrame(file, limit: MediaFile.maximumContent) else {
      return nil
    }
    let still = try stillFormat.decode(frame.bytes)
    let canvas = try WebPFile(file).size
    if still.raster.size == canvas {
      return DecodedPicture(raster: still.raster, sampling: still.sampling)
    }
    guard let placed = try still.raster.placed(on: canvas, x: frame.x, y: frame.y) else {
      throw ProbeFailure(.damaged, "The WebP's first frame does not fit its canvas.")
    }
    return DecodedPicture(raster: placed, sampling: still.sampling)
  }

  static func readCodedImages(
    _ source: any ByteSource, _ take: (UnusedPixelData.Image) throws -> Void
  ) throws {
    let codecs: Set<FourCC> = ["VP8 ", "VP8L", "ALPH"]
    func codedData(_ chunks: [RIFFChunk], _ offset: Int) -> [Range<Int>] {
      chunks.filter { codecs.contains($0.type) }.compactMap { $0.payload.moved(by: -offset) }
    }
    let chunks = try source.webPChunks()
    let frames = chunks.filter { $0.type == "ANMF" }
    if frames.isEmpty {
      guard
        var bytes = try source.bytes(in: 0..<source.count, limit: UnusedPixelData.maximumBytes)
      else { return }
      WebPPixels.hideMetadata(in: &bytes)
      return try take(
        UnusedPixelData.Image(bytes: bytes, offset: 0, codedData: codedData(chunks, 0)))
    }
    for chunk in frames.prefix(UnusedPixelData.maximumFrames) {
      guard
        let frame = try WebPFile.frame(in: chunk, of: source, limit: UnusedPixelData.maximumBytes)
      else { continue }
      let parts = try source.chunks(in: chunk.payload.dropping(16), limit: 1000)
      try take(
        UnusedPixelData.Image(
          bytes: frame.bytes, offset: frame.offset, codedData: codedData(parts, frame.offset)))
    }
  }
}
