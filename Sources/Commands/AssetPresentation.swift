import Catalog
import MediaModel

extension Presentation where Item == Asset {
  /// Assets as `list` prints them.
  static var assets: Presentation {
    Presentation(
      columns: [
        TableColumn("DATE", width: 16) { $0.captureWall.map(wallText) ?? "" },
        TableColumn("KIND", width: 10, isAlarming: { $0.status != .present }) { $0.kindWord },
        TableColumn("SIZE", width: 6, alignment: .right) { humanBytes($0.size) },
        TableColumn("PIXELS", width: 9, alignment: .right) { asset in
          asset.pixelSize.map { "\($0.width)×\($0.height)" } ?? ""
        },
        TableColumn("TIME", width: 5, alignment: .right) { asset in
          asset.duration.map(humanDuration) ?? ""
        },
        TableColumn("PATH") { $0.path.display },
      ],
      fields: [
        CSVField("id") { $0.identifier },
        CSVField("mediaType") { $0.mediaType.name },
        CSVField("subtypes") { $0.subtypes.names.joined(separator: " ") },
        CSVField("uniformType") { $0.uniformType.rawValue },
        CSVField("path") { $0.path.display },
        CSVField("size") { String($0.size) },
        CSVField("pixelWidth") { $0.pixelSize.map { String($0.width) } },
        CSVField("pixelHeight") { $0.pixelSize.map { String($0.height) } },
        CSVField("orientation") { $0.orientation.map { String($0) } },
        CSVField("duration") { $0.duration.map { String($0) } },
        CSVField("captureDate") { $0.captureDate },
        CSVField("latitude") { $0.location.map { String($0.latitude) } },
        CSVField("longitude") { $0.location.map { String($0.longitude) } },
        CSVField("make") { $0.camera.make },
        CSVField("model") { $0.camera.model },
        CSVField("lens") { $0.camera.lens },
        CSVField("status") { $0.status.rawValue },
        CSVField("error") { $0.error },
      ],
      json: { $0.value($1) },
      path: { $0.path })
  }
}

/// A wall time to the minute, `2022-02-16 12:55`.
func wallText(_ milliseconds: Int64) -> String {
  let seconds = (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000
  let text = CivilTime(secondsSince1970: seconds).iso8601
  return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
}

extension Asset {
  /// The one word that tells most: what is wrong with it, else its most telling subtype, else its
  /// media type.
  var kindWord: String {
    guard status == .present else { return status.rawValue }
    let telling: [(MediaSubtypes, String)] = [
      (.livePhoto, "live"), (.motionPhoto, "motion"), (.screenshot, "screenshot"),
      (.screenRecording, "recording"), (.panorama, "panorama"), (.spatial, "spatial"),
      (.depthEffect, "portrait"), (.burst, "burst"), (.cinematic, "cinematic"), (.slomo, "slo-mo"),
      (.timelapse, "time-lapse"), (.raw, "raw"), (.edited, "edited"),
    ]
    let subtype = telling.first { subtypes.contains($0.0) }
    return subtype?.1 ?? (mediaType == .image ? "photo" : "video")
  }
}
