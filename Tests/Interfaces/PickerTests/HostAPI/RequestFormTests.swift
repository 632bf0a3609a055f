import Testing
import Workbench

extension HostAPITests {
  /// How requests may be written.
  @Suite struct RequestForms {
    /// The URL standard (section 5.1) and HTML's forms write a space of a query as a plus, and a plus as `%2B`.
    @Test func `a plus in a query is a space`() async throws {
      let album = "Rome + Ostia"
      let library = try await PickerLibrary.shared.copy(
        [PickerLibrary.photo], renaming: [PickerLibrary.photo: "\(album)/IMG_0001.JPG"])
      let picker = try await Picker(library.bench)
      let person = try await Person(try await picker.session(), at: picker)
      for (query, count) in [
        ("album=Rome+%2B+Ostia", 1), ("album=Rome%20%2B%20Ostia", 1), ("album=Rome+++Ostia", 0),
        ("search=our+lake", 1), ("search=our%20lake", 1), ("search=our+sea", 0),
        ("month=2024-06&album=Rome+%2B+Ostia", 1),
      ] {
        let reply = try await person.get("library?\(query)")
        #expect(reply.json["count"].whole == count, "\(query): \(reply.text)")
      }
    }
  }
}
