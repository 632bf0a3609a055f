package import ByteReading
package import MediaEdits
import MediaFormats
import MediaModel

/// Makes a JPEG one of the parts of a live photo. Only its segments of metadata change: every byte of its coded picture
/// stays as it is.
package struct LivePhotoJPEG {
  /// The bytes of a JPEG before its clip and Samsung's trailer; all of them if it has neither.
  package static func lengthWithoutClip(_ source: any ByteSource) throws -> UInt64 {
    let jpeg = try JPEGFile(source)
    let trailer = try SamsungTrailer(source)
    let found = try EmbeddedClipSearch.find(
      in: source, xmp: jpeg.xmp.flatMap { XMPPacket($0) }, trailer: trailer, jpeg: jpeg)
    var length = trailer?.start ?? source.count
    if case .clip(let clip) = found { length = min(length, clip.offset) }
    return length
  }

  private var patch: JPEGPatch
  private var notes: [String] = []

  private init(_ bytes: [UInt8]) throws {
    patch = try JPEGPatch(bytes)
  }

  private var bytes: [UInt8] { patch.bytes }
  private var file: JPEGMetadata { patch.file }

  /// Changes a JPEG's metadata as its part in a live photo requires.
  ///
  /// - Parameter bytes: the picture without a clip after it.
  /// - Returns: the JPEG, and notes about metadata that gave way, a sentence each.
  /// - Throws: ``ContainerError`` for a file that is not a JPEG or whose metadata leaves no room.
  package static func changed(
    _ bytes: [UInt8], to part: LivePhotoPart
  ) throws -> (bytes: [UInt8], notes: [String]) {
    var jpeg = try LivePhotoJPEG(bytes)
    switch part {
    case .paired(let identifier):
      try jpeg.changeExif(identifier)
      try jpeg.changeXMP(moment: nil)
    case .motionPhoto(let moment): try jpeg.changeXMP(moment: moment)
    }
    return (jpeg.patch.applied(), jpeg.notes)
  }

  private mutating func changeExif(_ identifier: String) throws {
    guard let first = file.exifParts.first else {
      return patch.set(exif: LivePhotoExif.newBlock(identifier: identifier))
    }
    let range = Int(first.range.lowerBound)..<Int(first.range.upperBound)
    let old = Array(bytes[range])
    var block = LivePhotoExif.block(old, identifier: identifier)
    if file.exifParts.count > 1 { block = nil }
    guard let block, JPEGPatch.fits(exif: block) else {
      throw ContainerError.damaged(
        "has EXIF that cannot get the identifier of a Live Photo without being rewritten")
    }
    guard block != old else { return }
    if LivePhotoExif.hasMakerNote(old) { notes.append(LivePhotoExif.replacedNote) }
    patch.set(exif: block)
  }

  private mutating func changeXMP(moment: Int64?) throws {
    let packet = file.xmpRange.map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    var items = packet.map(LivePhotoXMP.items) ?? []
    let end = try endOfJPEGScans(from: file.scanOffset ?? 0, in: ArraySource(bytes))
    let after = UInt64(bytes.count) - (end ?? UInt64(bytes.count))
    let listed = items.reduce(UInt64(0)) { $0.addingReportingOverflow($1.length).partialValue }
    // A directory that is wrong would be wrong for the clip too.
    if listed > after { items = [] }
    let padding = items.isEmpty ? after : after - listed
    guard let packet else {
      guard let moment else { return }
      return patch.set(
        xmp: LivePhotoXMP.newPacket(items: items, padding: padding, moment: moment))
    }
    let changed = LivePhotoXMP.changed(packet, items: items, padding: padding, moment: moment)
    var result: [UInt8]
    if let changed {
      result = changed
    } else if let moment {
      notes.append("The picture's XMP is damaged and was replaced.")
      result = LivePhotoXMP.newPacket(items: items, padding: padding, moment: moment)
    } else {
      return
    }
    result = JPEGPatch.fitted(xmp: result)
    guard JPEGPatch.fits(xmp: result) else {
      throw ContainerError.damaged("has XMP that leaves no room for a motion photo's")
    }
    if result != packet { patch.set(xmp: result) }
  }
}
