import Query

extension Attribute {
  /// Its value as SQL on `a` (assets), `f` (files), `d` (folders), `r` (roots) and, for each keyword of an asset,
  /// `k` (keywords).
  var sql: String {
    switch self {
    case .size: "a.size"
    case .duration: "a.duration"
    case .captureDate, .year: "a.capture_wall"
    case .month: "CAST(\(Self.capture("%m")) AS INTEGER)"
    case .camera: "nullif(trim(ifnull(a.make, '') || ' ' || ifnull(a.model, '')), '')"
    case .make: "a.make"
    case .model: "a.model"
    case .lens: "a.lens"
    case .software: "a.software"
    case .iso: "a.iso"
    case .focalLength: "a.focal_length"
    case .aperture: "a.f_number"
    case .exposureTime: "a.exposure_time"
    case .width: "a.pixel_width"
    case .height: "a.pixel_height"
    case .pixels: "(a.pixel_width * a.pixel_height)"
    case .rating: "a.rating"
    case .frameRate: "a.frame_rate"
    case .codec: "a.video_codec"
    case .name: "a.name"
    case .path:
      "(rtrim(CAST(r.path AS TEXT), '/') || '/' || ltrim(CAST(d.path AS TEXT) || '/', '/') "
        + "|| CAST(f.name AS TEXT))"
    case .title: "a.title"
    case .description: "a.caption"
    case .keyword: "k.keyword"
    case .uniformType: "a.uniform_type"
    case .status: "a.status"
    case .latitude, .location: "a.latitude"
    case .longitude: "a.longitude"
    case .altitude: "a.altitude"
    }
  }

  /// Parts of the time on the wall clock, as `strftime` writes them.
  ///
  /// Divided as a real number: whole division would put times before 1970 a second late.
  static func capture(_ parts: String) -> String {
    "strftime('\(parts)', a.capture_wall / 1000.0, 'unixepoch')"
  }
}
