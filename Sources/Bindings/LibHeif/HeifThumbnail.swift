import CHeif
package import MediaEdits
import MediaModel

extension LibHeifImage {
  /// The smallest thumbnail in the file whose longer side has at least this many pixels, upright, in RGB;
  /// nil if there is none. This costs a hundredth of decoding the picture.
  package func thumbnail(atLeast longerSide: Int) throws(HeifError) -> Raster? {
    let count = unsafe heif_image_handle_get_number_of_thumbnails(primary)
    var identifiers = [heif_item_id](repeating: 0, count: Int(min(max(0, count), 16)))
    let found = unsafe heif_image_handle_get_list_of_thumbnail_IDs(
      primary, &identifiers, Int32(identifiers.count))
    var best: (identifier: heif_item_id, side: Int)?
    for identifier in identifiers.prefix(Int(max(0, found))) {
      let handle = try ThumbnailHandle(identifier, of: self)
      let side = max(handle.size.width, handle.size.height)
      guard side >= longerSide, side < best?.side ?? .max else { continue }
      best = (identifier, side)
    }
    guard let best else { return nil }
    return try ThumbnailHandle(best.identifier, of: self).decode()
  }
}

/// A thumbnail before decoding, released with this value.
@safe private struct ThumbnailHandle: ~Copyable {
  private let handle: OpaquePointer

  init(_ identifier: heif_item_id, of file: borrowing LibHeifImage) throws(HeifError) {
    var handle: OpaquePointer?
    try unsafe LibHeifImage.check(
      heif_image_handle_get_thumbnail(file.primary, identifier, &handle))
    guard let handle = unsafe handle else { throw HeifError(.damaged, message: "No thumbnail") }
    unsafe self.handle = handle
  }

  deinit {
    unsafe heif_image_handle_release(handle)
  }

  var size: PixelSize {
    PixelSize(
      width: Int(unsafe heif_image_handle_get_width(handle)),
      height: Int(unsafe heif_image_handle_get_height(handle)))
  }

  func decode() throws(HeifError) -> Raster {
    let image = unsafe try DecodedImage(handle, heif_colorspace_RGB, heif_chroma_interleaved_RGB)
    return try image.pixels(.rgb8)
  }
}
