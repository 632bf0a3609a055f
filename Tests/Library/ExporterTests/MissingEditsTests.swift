import MediaModel
import Testing

@testable import Catalog
@testable import Exporter

/// Notes on edits that a library has only as instructions.
struct MissingEditsTests {
  private func instructions(_ path: String, _ words: [String]) -> ResourceRecord {
    var file = ResourceRecord(
      type: .adjustmentData, path: BytePath(path), uniformType: .aae, size: 10)
    file.adjustments = words
    return file
  }

  private func edited(_ path: String, type: UniformType = .jpeg) -> AssetRecord {
    var asset = sample(path, type: type)
    asset.resources.append(instructions("/l/IMG_0001.AAE", ["crop", "blackAndWhite"]))
    return asset
  }

  private let note =
    "The edits in IMG_0001.AAE (crop, black and white) are not in IMG_0001.JPG, "
    + "because the edited version is not in the library."

  @Test func `an original without its edits has one note`() throws {
    var request = try request(image: "current")
    #expect(planned(edited("/l/IMG_0001.JPG"), request)?.notes == [note])
    request.edits = .both
    #expect(planned(edited("/l/IMG_0001.JPG"), request)?.notes == [note])
    request.edits = .original
    #expect(planned(edited("/l/IMG_0001.JPG"), request)?.notes == [])
  }

  @Test func `the note has the name of the result`() throws {
    var request = try request(image: "current")
    request.template = try NameTemplate(typed: "2024/a{ext}")
    let item = planned(edited("/l/IMG_0001.JPG"), request)
    #expect(item?.files.map(\.target) == ["2024/a.JPG"])
    #expect(item?.notes.first?.contains(" are not in a.JPG, because") == true)
  }

  @Test func `no edits and an edited version have no note`() throws {
    let request = try request(image: "current")
    var none = sample("/l/IMG_0001.JPG")
    none.resources.append(instructions("/l/IMG_0001.AAE", []))
    #expect(planned(none, request)?.notes == [])
    var rendered = edited("/l/IMG_0001.JPG")
    rendered.resources.append(
      ResourceRecord(
        type: .fullSizePhoto, path: BytePath("/l/IMG_E0001.JPG"), uniformType: .jpeg, size: 900))
    #expect(planned(rendered, request)?.notes == [])
  }

  @Test func `only the original itself lacks its edits`() throws {
    let request = try request(image: "current")
    for (name, notes) in [("IMG_0001.JPG", [note]), ("IMG_0001.AAE", [])] {
      var subject = subject(edited("/l/IMG_0001.JPG"))
      subject.named = [BytePath("/l/" + name)]
      #expect(ExportPlanner(request).plan([subject]).items.first?.notes == notes)
    }
  }

  /// An edited video is an asset of its own.
  @Test func `the note on a video does not say that the edited one is missing`() throws {
    let request = try request(video: "current")
    let notes = planned(edited("/l/IMG_0001.MOV", type: .quickTimeMovie), request)?.notes
    #expect(
      notes == [
        "The edits in IMG_0001.AAE (crop, black and white) are not in IMG_0001.MOV, "
          + "because Shoebox does not carry out edits."
      ])
  }

  @Test func `the instructions with the picture's name count`() {
    var asset = sample("/l/IMG_0001.JPG")
    #expect(asset.adjustments == [])
    asset.resources.append(instructions("/l/IMG_O0001.AAE", ["crop"]))
    #expect(asset.adjustments == ["crop"])
    asset.resources.append(instructions("/l/img_0001.aae", ["filter"]))
    #expect(asset.adjustments == ["filter"])
    var other = instructions("/l/IMG_E0001.AAE", ["light"])
    other.owner = BytePath("/l/IMG_E0001.JPG")
    asset.resources = [other]
    #expect(asset.adjustments == [])
  }
}
