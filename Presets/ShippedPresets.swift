extension PresetFile {
  /// The presets that come with Shoebox, in the order they are listed.
  package static let shipped: [PresetFile] = [
    PresetFile(name: "image-compatible.json", bytes: PackageResources.image_compatible_json),
    PresetFile(name: "image-current.json", bytes: PackageResources.image_current_json),
    PresetFile(name: "image-web.json", bytes: PackageResources.image_web_json),
    PresetFile(name: "image-email.json", bytes: PackageResources.image_email_json),
    PresetFile(name: "image-thumbnail.json", bytes: PackageResources.image_thumbnail_json),
    PresetFile(name: "image-archive-png.json", bytes: PackageResources.image_archive_png_json),
    PresetFile(name: "image-live-photo.json", bytes: PackageResources.image_live_photo_json),
    PresetFile(name: "video-compatible.json", bytes: PackageResources.video_compatible_json),
    PresetFile(name: "video-current.json", bytes: PackageResources.video_current_json),
    PresetFile(name: "video-live-photo.json", bytes: PackageResources.video_live_photo_json),
    PresetFile(name: "video-quality.json", bytes: PackageResources.video_quality_json),
    PresetFile(name: "video-sizes.json", bytes: PackageResources.video_sizes_json),
    PresetFile(name: "video-apple.json", bytes: PackageResources.video_apple_json),
    PresetFile(name: "video-unavailable.json", bytes: PackageResources.video_unavailable_json),
  ]
}
