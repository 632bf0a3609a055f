import CHeif
import MediaModel

/// An open HEIF file, closed with this value.
@safe package struct LibHeifImage: ~Copyable {
  private let reader: HeifReader
  private let context: OpaquePointer
  let primary: OpaquePointer

  /// Larger metadata items are ignored.
  private static let maximumMetadata = 16 << 20
  /// Further references, groups or items of one kind are ignored.
  private static let maximumItems: Int32 = 256

  /// Opens a file of `size` bytes. `read` returns as many of the requested bytes as there are.
  package init(
    size: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]
  ) throws(HeifError) {
    guard let context = unsafe heif_context_alloc() else {
      throw HeifError(.outOfMemory, message: "No memory for the picture")
    }
    let reader = HeifReader(size: size, read: read)
    let userData = unsafe Unmanaged.passUnretained(reader).toOpaque()
    unsafe heif_context_set_max_decoding_threads(context, 0)
    unsafe Self.limit(context)
    var primary: OpaquePointer?
    do throws(HeifError) {
      try unsafe Self.check(
        heif_context_read_from_reader(context, HeifReader.table, userData, nil))
      try unsafe Self.check(heif_context_get_primary_image_handle(context, &primary))
    } catch {
      unsafe heif_context_free(context)
      throw error
    }
    guard let primary = unsafe primary else {
      unsafe heif_context_free(context)
      throw HeifError(.damaged, message: "No primary picture")
    }
    self.reader = reader
    unsafe self.context = context
    unsafe self.primary = primary
  }

  deinit {
    unsafe heif_image_handle_release(primary)
    unsafe heif_context_free(context)
    // libheif reads through it until here.
    extendLifetime(reader)
  }

  /// Bounds how much memory a hostile file can make libheif allocate.
  private static func limit(_ context: OpaquePointer) {
    guard let limits = unsafe heif_context_get_security_limits(context) else { return }
    unsafe limits.pointee.max_memory_block_size = 512 << 20
    unsafe limits.pointee.max_items = 20_000
    unsafe limits.pointee.max_color_profile_size = 16 << 20
  }

  static func check(_ error: heif_error) throws(HeifError) {
    guard unsafe error.code != heif_error_Ok else { return }
    let message = unsafe error.message.map { unsafe String(cString: $0) } ?? "Unknown error"
    let reason: HeifError.Reason =
      switch unsafe error.code {
      case heif_error_Unsupported_filetype, heif_error_Unsupported_feature,
        heif_error_Plugin_loading_error:
        .unsupported
      case heif_error_Memory_allocation_error: .outOfMemory
      default: .damaged
      }
    throw HeifError(reason, message: message)
  }

  /// The primary picture's properties.
  package func picture() -> HeifPicture {
    HeifPicture(
      uprightSize: PixelSize(
        width: Int(unsafe heif_image_handle_get_width(primary)),
        height: Int(unsafe heif_image_handle_get_height(primary))),
      hasDepthImage: unsafe heif_image_handle_has_depth_image(primary) != 0,
      auxiliaryTypes: auxiliaryTypes(),
      dynamicRange: dynamicRange(),
      exifItem: metadata(type: "Exif"),
      xmp: metadata(type: "mime", contentType: "application/rdf+xml"))
  }

  private func auxiliaryTypes() -> [String] {
    let filter = shoebox_heif_every_auxiliary_image()
    let count = unsafe min(
      heif_image_handle_get_number_of_auxiliary_images(primary, filter), Self.maximumItems)
    var identifiers = [heif_item_id](repeating: 0, count: Int(max(0, count)))
    let found = unsafe heif_image_handle_get_list_of_auxiliary_image_IDs(
      primary, filter, &identifiers, count)
    return identifiers.prefix(Int(max(0, found))).compactMap { identifier in
      var image: OpaquePointer?
      let opened = unsafe heif_image_handle_get_auxiliary_image_handle(primary, identifier, &image)
      guard unsafe opened.code == heif_error_Ok, let image = unsafe image else { return nil }
      defer { unsafe heif_image_handle_release(image) }
      var type: UnsafePointer<CChar>?
      let result = unsafe heif_image_handle_get_auxiliary_type(image, &type)
      guard unsafe result.code == heif_error_Ok, let start = unsafe type else { return nil }
      let name = unsafe String(cString: start)
      unsafe heif_image_handle_release_auxiliary_type(image, &type)
      return name
    }
  }

  /// Another picture of the file; released by the caller.
  func handle(of item: UInt32) throws(HeifError) -> OpaquePointer {
    var handle: OpaquePointer?
    try unsafe Self.check(heif_context_get_image_handle(context, item, &handle))
    guard let handle = unsafe handle else { throw HeifError(.damaged, message: "No such picture") }
    return unsafe handle
  }

  private func dynamicRange() -> DynamicRange? {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let result = unsafe heif_image_handle_get_nclx_color_profile(primary, &profile)
    guard unsafe result.code == heif_error_Ok, let profile = unsafe profile else { return nil }
    defer { unsafe heif_nclx_color_profile_free(profile) }
    switch unsafe profile.pointee.transfer_characteristics {
    case heif_transfer_characteristic_ITU_R_BT_2100_0_PQ: return .pq
    case heif_transfer_characteristic_ITU_R_BT_2100_0_HLG: return .hlg
    default: return nil
    }
  }

  /// The contents of the first metadata item of a type.
  private func metadata(type: String, contentType: String? = nil) -> [UInt8]? {
    let count = unsafe min(
      heif_image_handle_get_number_of_metadata_blocks(primary, type), Self.maximumItems)
    var identifiers = [heif_item_id](repeating: 0, count: Int(max(0, count)))
    let found = unsafe heif_image_handle_get_list_of_metadata_block_IDs(
      primary, type, &identifiers, count)
    for identifier in identifiers.prefix(Int(max(0, found))) {
      if let contentType {
        let found = unsafe heif_image_handle_get_metadata_content_type(primary, identifier)
        guard let found = unsafe found, unsafe String(cString: found) == contentType
        else { continue }
      }
      let size = unsafe heif_image_handle_get_metadata_size(primary, identifier)
      guard size > 0, size <= Self.maximumMetadata else { continue }
      var bytes = [UInt8](repeating: 0, count: size)
      let result = unsafe heif_image_handle_get_metadata(primary, identifier, &bytes)
      if unsafe result.code == heif_error_Ok { return bytes }
    }
    return nil
  }
}
