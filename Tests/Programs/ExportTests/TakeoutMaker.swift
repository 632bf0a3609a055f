import Foundation
import Workbench

/// Lays out Takeouts as Google has written them since 2017, and exports of Ente, by public descriptions: those of
/// GooglePhotosTakeoutHelper, immich-go and PhotoPrism, and Ente's source.
struct TakeoutMaker {
  /// One picture or clip, and what the JSON file about it says.
  struct Item: Sendable {
    /// Below the library's folder.
    var media: String
    /// In the folder of the media; nil if another item has it.
    var json: String?
    /// The name that the service has for the file.
    var title: String
    /// Seconds since 1970.
    var time = 0
    var place: Place?
    /// Whether the place is only in `geoDataExif`.
    var isCamerasPlace = false
    var description: String?
    var people: [String] = []
    var isFavorite = false
  }

  struct Place: Sendable, Hashable {
    var latitude: Double
    var longitude: Double
    var altitude: Double
  }

  private(set) var items: [Item] = []
  /// Titles of albums by their folders.
  private(set) var albums: [String: String] = [:]
  private var otherFiles: [(path: String, text: String)] = []

  /// Adds an item with values of its own.
  mutating func add(_ media: String, _ json: String?, title: String? = nil) {
    let number = items.count
    var item = Item(
      media: media, json: json, title: title ?? String(media.split(separator: "/").last ?? ""),
      time: 1_500_000_000 + number * 86_461)
    if number % 3 > 0 {
      item.place = Place(
        latitude: -60 + Double(number) * 3.25, longitude: 170 - Double(number) * 7.5,
        altitude: Double(number) * 10 + 0.5)
    }
    item.isCamerasPlace = number % 3 == 2
    if number % 4 > 0 { item.description = "Nº \(number): <a & b> \"ü\"\nsecond line" }
    if number % 5 > 2 { item.people = ["Zoë Müller", "Person \(number)"] }
    item.isFavorite = number % 6 == 1
    items.append(item)
  }

  /// Adds the file about an album, under the name that it has in the account's language.
  mutating func addAlbum(_ folder: String, title: String, file: String, isOld: Bool = false) {
    albums[folder] = title
    let values =
      #""title": \#(Self.quoted(title)), "description": "", "access": "protected", "date": {"timestamp": "1500000000"}"#
    otherFiles.append(
      ("\(folder)/\(file)", isOld ? #"{"albumData": {\#(values)}}"# : "{\(values)}"))
  }

  mutating func addFile(_ path: String, _ text: String) { otherFiles.append((path, text)) }

  /// Writes everything into a bench's library. The pictures and clips have no metadata.
  func write(to bench: Workbench) async throws {
    func write(_ text: String, _ path: String) throws {
      let url = URL(fileURLWithPath: bench.library).appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    for (path, text) in otherFiles { try write(text, path) }
    for (number, item) in items.enumerated() {
      let folder = (item.media as NSString).deletingLastPathComponent
      if let json = item.json {
        let text =
          json.hasPrefix("metadata/")
          ? entes(item) : json.hasPrefix(".meta/") ? entesCommandLine(item) : takeouts(item)
        try write(text, folder + "/" + json)
      }
      try FileManager.default.createDirectory(
        atPath: bench.library + "/" + folder, withIntermediateDirectories: true)
      let isClip = ["MP4", "MOV", "MP"].contains { item.media.uppercased().hasSuffix("." + $0) }
      var content = try Data(
        contentsOf: URL(
          fileURLWithPath: bench.folder + (isClip ? "/pool/clip-n0.mov" : "/pool/still-n0.jpg")))
      // A box that makes clips differ; pictures may have anything at their end.
      if isClip { content += [0, 0, 0, 12] + Data("free".utf8) }
      content += [UInt8(number), 0, 0, 0]
      try content.write(to: URL(fileURLWithPath: bench.library + "/" + item.media))
    }
  }

  /// All members that Takeout writes, also those that mean nothing here.
  private func takeouts(_ item: Item) -> String {
    let absent = Place(latitude: 0, longitude: 0, altitude: 0)
    let place = item.place ?? absent
    var members = [
      #""title": \#(Self.quoted(item.title))"#,
      #""description": \#(Self.quoted(item.description ?? ""))"#, #""imageViews": "3""#,
      #""creationTime": {"timestamp": "1700000000", "formatted": "14.11.2023, 22:13:20 UTC"}"#,
      #""photoTakenTime": {"timestamp": "\#(item.time)", "formatted": "x"}"#,
      #""geoData": \#(Self.place(item.isCamerasPlace ? absent : place))"#,
      #""geoDataExif": \#(Self.place(place))"#, #""url": "https://photos.google.com/photo/AF1Qip""#,
      #""googlePhotosOrigin": {"mobileUpload": {"deviceType": "ANDROID_PHONE"}}"#,
    ]
    if !item.people.isEmpty {
      let people = item.people.map { #"{"name": \#(Self.quoted($0))}"# }
      members.append(#""people": [\#(people.joined(separator: ", "))]"#)
    }
    if item.isFavorite { members.append(#""favorited": true"#) }
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }

  private func entes(_ item: Item) -> String {
    var members = [
      #""title": \#(Self.quoted(item.title))"#,
      #""creationTime": {"timestamp": \#(item.time), "formatted": "x"}"#,
      #""modificationTime": {"timestamp": 1700000000, "formatted": "x"}"#,
    ]
    if let text = item.description { members.append(#""caption": \#(Self.quoted(text))"#) }
    if let place = item.place {
      members.append(
        #""geoData": {"latitude": \#(place.latitude), "longitude": \#(place.longitude)}"#)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func entesCommandLine(_ item: Item) -> String {
    let time = Date(timeIntervalSince1970: Double(item.time)).formatted(.iso8601)
    let place = item.place.map {
      #"{"latitude": \#($0.latitude), "longitude": \#($0.longitude)}"#
    }
    return """
      {"title": \(Self.quoted(item.title)), "description": \(item.description.map(Self.quoted) ?? "null"),
      "location": \(place ?? "null"), "creationTime": "\(time.dropLast())\(".25")Z",
      "modificationTime": "2024-01-01T00:00:00Z",
      "info": {"id": 1, "hash": null, "ownerID": 2, "fileNames": [\(Self.quoted(item.title))]}}
      """
  }

  private static func place(_ place: Place) -> String {
    """
    {"latitude": \(place.latitude), "longitude": \(place.longitude), "altitude": \(place.altitude), \
    "latitudeSpan": 0.0, "longitudeSpan": 0.0}
    """
  }

  private static func quoted(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

extension TakeoutMaker {
  /// Every layout that is known.
  static var everyLayout: TakeoutMaker {
    var maker = TakeoutMaker()
    let google = "Takeout/Google Photos"
    let long = "Backyard_ceremony_wedding_photography_xxxxxxx_magnoliastudios-371"
    // 2017 to 2018: folders by day, names with and without extension, cut to 46 characters.
    let first = "Takeout/Google Fotos/2017-07-14"
    maker.addAlbum(first, title: "Zürich: Sommer & See", file: "Metadaten.json", isOld: true)
    maker.add("\(first)/A.jpg", "A.jpg.json")
    maker.add("\(first)/B.JPG", "B.json")
    maker.add("\(first)/\(long).jpg", "\(long.prefix(46)).json", title: "\(long)_more.jpg")
    maker.add("\(first)/\(long)(1).jpg", "\(long.prefix(46))(1).json", title: "\(long)_more.jpg")
    maker.add("\(first)/C_s picture.png", "C_s picture.json", title: "C's picture.png")
    // 2019 to 2023: counters on either side, edited versions, live photos, motion photos.
    let second = "\(google)/Photos from 2019"
    maker.addAlbum(second, title: "Photos from 2019", file: "metadata.json")
    maker.add("\(second)/IMG.jpg", "IMG.jpg.json")
    maker.add("\(second)/IMG(1).jpg", "IMG.jpg(1).json", title: "IMG.jpg")
    maker.add("\(second)/D(2).jpg", "D(2).jpg.json")
    maker.add("\(second)/E&F.jpg", "E&F.jpg.json")
    maker.add("\(second)/G_H_.jpg", "G_H_.jpg.json", title: "G%H?.jpg")
    maker.add("\(second)/Cafe\u{301}.jpg", "Caf\u{E9}.jpg.json", title: "Café.jpg")
    maker.add("\(second)/K.JPG", "K.jpg.json")
    maker.add("\(second)/LIVE_1.HEIC", "LIVE_1.HEIC.json")
    maker.add("\(second)/PXL_1.MP.jpg", "PXL_1.MP.jpg.json")
    maker.add("\(second)/Film.MOV", "Film.MOV.json")
    // Since the end of 2024: supplemental metadata, cut with its name to 46 characters.
    let third = "\(google)/Photos de 2024"
    maker.addAlbum(third, title: "Photos de 2024", file: "métadonnées.json")
    let supplement = ".supplemental-metadata"
    for (number, length) in [22, 21, 16, 12, 7, 3, 2, 1].enumerated() {
      maker.add("\(third)/S\(number).jpg", "S\(number).jpg\(supplement.prefix(length)).json")
    }
    maker.add("\(third)/T(1).jpg", "T.jpg.supplemental-metadata(1).json", title: "T.jpg")
    maker.add("\(third)/T.jpg", "T.jpg.supplemental-metadata.json")
    maker.add(
      "\(third)/PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg",
      "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGIN.json",
      title: "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINAL.jpg")
    // Ente.
    maker.add("Ente Photos/Ferien/E1.jpg", "metadata/E1.jpg.json")
    maker.add("Ente Photos/Ferien/E1(1).jpg", "metadata/E1(1).jpg.json")
    maker.add("ente-cli/Ferien/C1.jpg", ".meta/C1.json")
    // Files that describe no picture.
    maker.addFile("\(google)/shared_album_comments.json", #"{"sharedAlbumComments": []}"#)
    maker.addFile("\(google)/print-subscriptions.json", #"{"title": "x", "state": 1}"#)
    maker.addFile("\(google)/user-generated-memory-titles.json", #"{"title": ["IMG", "A"]}"#)
    return maker
  }
}
