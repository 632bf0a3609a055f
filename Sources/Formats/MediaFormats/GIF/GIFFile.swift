package import ByteReading
package import MediaModel

/// The size, number of pictures and metadata of a GIF (GIF89a specification).
package struct GIFFile {
  /// The size in pixels of the logical screen, enlarged to contain the first picture, as browsers do. Some programs write
  /// 0 for the screen.
  package private(set) var size: PixelSize
  /// The place of the first picture on the screen in pixels; nil if there is none.
  private var firstPicture: (x: Int, y: Int, size: PixelSize)?
  /// The number of pictures in the part of the file that is read.
  package private(set) var frameCount = 0
  package private(set) var xmp: [UInt8]?
  /// Whether a packet of XMP is too long.
  private(set) var hasUnreadXMP = false
  /// The seconds that an animation lasts; nil for one picture, and for an animation that is not read to its end.
  package private(set) var duration: Double?

  /// The number of bytes that are read to count pictures.
  static let maximumWalk: UInt64 = 16 << 20

  /// The part of a file that is read.
  package enum Extent: Sendable {
    /// The whole file, up to a limit.
    case whole
    /// The same of an animation. Of a single picture the blocks before it, and the end of the file.
    case description
  }

  /// The size in bytes up to which all files are read as a whole.
  private static let smallFile: UInt64 = 128 << 10

  /// - Throws: ``ContainerError`` if the header is missing; the errors of the source.
  package init(_ source: any ByteSource, extent: Extent = .whole) throws {
    let head = try source.bytes(at: 0, count: 13)
    guard head.hasText("GIF87a") || head.hasText("GIF89a") else {
      throw ContainerError.notThisFormat("GIF")
    }
    guard let width = head.u16(at: 6, .little), let height = head.u16(at: 8, .little),
      head.count > 10
    else { throw ContainerError.damaged("ends before the GIF screen descriptor") }
    size = PixelSize(width: Int(width), height: Int(height))
    var walk = try GIFBlockWalk(source, limit: Self.maximumWalk)
    var isAnimated = false
    // Hundredths of a second.
    var delays = 0
    func take(_ block: GIFBlock) throws {
      if block.label == nil { frameCount += 1 }
      if let range = block.xmpPacket {
        xmp = try source.bytes(in: range, limit: 4 << 20)
        hasUnreadXMP = xmp == nil
      }
      let delay = block.delay ?? 0
      delays += delay
      if delay > 0 || block.declaresLoop { isAnimated = true }
    }
    while try !walk.isAtPicture(), let block = try walk.next() { try take(block) }
    if try walk.isAtPicture() {
      takeFirstPicture(try source.header(at: walk.position, count: 9))
    }
    if extent == .description, source.count > Self.smallFile, !isAnimated {
      if xmp == nil { xmp = try GIFTail.xmp(of: source) }
      return
    }
    while let block = try walk.next() { try take(block) }
    if frameCount > 1, delays > 0, walk.position < Self.maximumWalk {
      duration = Double(delays) / 100
    }
  }
}

extension GIFFile {
  /// Takes the place of the first picture from its descriptor (§20).
  private mutating func takeFirstPicture(_ head: [UInt8]) {
    let fields = [1, 3, 5, 7].compactMap { head.u16(at: $0, .little) }.map(Int.init)
    guard fields.count == 4, fields[2] > 0, fields[3] > 0 else { return }
    firstPicture = (fields[0], fields[1], PixelSize(width: fields[2], height: fields[3]))
    size = PixelSize(
      width: max(size.width, fields[0] + fields[2]),
      height: max(size.height, fields[1] + fields[3]))
  }

  /// The part of the screen that the first picture covers, in pixels; nil if it covers all of it or nothing.
  package var partOfScreen: (x: Int, y: Int, size: PixelSize)? {
    firstPicture?.size == size ? nil : firstPicture
  }

  /// Whether the first picture has a transparent colour (§23), or leaves a part of the screen empty.
  package static func hasTransparency(_ source: any ByteSource) throws -> Bool {
    var walk = try GIFBlockWalk(source, limit: maximumWalk)
    while let block = try walk.next(), let label = block.label {
      if label == 0xF9, block.head.u8(at: 3).map({ $0 & 1 == 1 }) ?? false { return true }
    }
    return try GIFFile(source, extent: .description).partOfScreen != nil
  }
}
