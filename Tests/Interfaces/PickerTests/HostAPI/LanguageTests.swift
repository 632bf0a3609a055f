import Foundation
import Testing
import Workbench

extension HostAPITests {
  /// What people read, in their language.
  @Suite struct Languages {
    /// The paths of all texts in a language's file.
    private func keys(_ json: JSON, _ path: String = "") -> Set<String> {
      switch json {
      case .object(let fields):
        fields.reduce(into: []) { $0.formUnion(keys($1.value, path + "/" + $1.key)) }
      case .list(let list):
        list.enumerated().reduce(into: []) {
          $0.formUnion(keys($1.element, path + "/\($1.offset)"))
        }
      default: [path]
      }
    }

    @Test func `all languages have the same texts, and words for each reason`() async throws {
      let picker = try await PickerLibrary.server
      let english = try await picker.send("GET", "/page/en.json").json
      let german = try await picker.send("GET", "/page/de.json").json
      #expect(keys(english) == keys(german))
      let description = try await picker.send("GET", "/openapi.yaml").text
      let list = try #require(
        description.firstMatch(of: /reason:\s+type: string\s+enum:\s+\[([^\]]+)\]/))
      let reasons = list.output.1.split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      #expect(reasons.contains("choiceChanged"))
      for reason in reasons {
        let words = ["over", "errors", "notice"].filter { english[$0][reason].text != nil }
        #expect(!words.isEmpty, "\(reason)")
      }
    }

    @Test(arguments: [
      ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en-GB,de;q=0.9", "en"),
      ("fr, de;q=0.2, en;q=0.1", "de"), ("en;q=0.3, de;q=0.7", "de"), ("fr", "en"),
      ("de;q=0, en;q=0.1", "en"), ("DE", "de"), (";,q=;de;q=x,", "en"),
    ])
    func `a notice is in the language that the browser asks for`(
      field: String, language: String
    ) async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let target = try picker.target(of: session["pickerUri"])
      let person = try await Person(session, at: picker)
      let texts = try await picker.send("GET", "/page/\(language).json").json["notice"]
      for (target, reason) in [
        (target, "addressUsed"), ("/pick/x", "noAddress"), ("/s/x/", "ended"),
        ("/s/\(person.session)/", "otherBrowser"),
      ] {
        let reply = try await picker.send("GET", target, headers: ["Accept-Language": field])
        #expect(reply.text.contains("<html lang=\"\(language)\">"), "\(field)")
        let title = try #require(texts["title"].text)
        let sentence = try #require(texts[reason].text)
        #expect(reply.text.contains("<h1>\(title)</h1><p>\(sentence)</p>"), "\(reply.text)")
      }
    }

    @Test func `an error of the page has a reason`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([PickerLibrary.photo, PickerLibrary.heic])
      let person = try await Person(try await picker.session(), at: picker)
      #expect(try await person.post("done", [:]).json["error"]["reason"] == "nothingChosen")
      let many = try await person.post("selection", ["add": .list(ids.map { .text($0) })])
      #expect(many.json["error"]["reason"] == "limit")
      let gone = try await person.post("selection", ["add": [.text(UUID().uuidString)]])
      #expect(gone.json["error"]["reason"] == "itemGone")
      #expect(try await person.get("library?search=%25").json["error"]["reason"] == "search")
      _ = try await person.post("selection", ["add": [.text(ids[0])]])
      let changed = try await person.post("done", ["selection": [.text(ids[1])]])
      #expect(changed.json["error"]["reason"] == "choiceChanged")
      // The page reports the end of the time by itself.
      let left = try #require(try await person.get("session").json["timeLeft"].whole)
      #expect((3500...3600).contains(left))
    }
  }
}
