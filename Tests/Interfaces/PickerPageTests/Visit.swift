import Foundation
import Workbench
/// A person at the page of one session.
struct Visit: Sendable {
  let host: PickerHost
  let id: String
  let pickerUri: String
  let page: Page

  /// Waits until the grid has items and any of them a picture.
  func waitForGrid() async throws {
    try await page.wait(
      until:
        "[...document.querySelectorAll('[role=option] img')].some((image) => image.naturalWidth > 0)"
    )
    try await page.wait(until: "document.querySelectorAll('[role=option][data-status]').length > 2")
  }

  /// A selector for an item by its position in the grid.
  static func item(_ index: Int) -> String { "[role=option][data-index='\(index)']" }

  /// The position of the first item whose name for assistive technology contains some words. An item gets its name when
  /// its data arrives.
  func index(labelled words: String) async throws -> Int {
    let quoted = try String(decoding: JSONEncoder().encode(words), as: UTF8.self)
    let found =
      "[...document.querySelectorAll('[role=option]')].find((option) => option.ariaLabel.includes(\(quoted)))"
    try await page.wait(until: found)
    return try await page.value("Number(\(found).dataset.index)")
  }

  /// The positions of the selected items.
  func selected() async throws -> [Int] {
    try await page.value(
      "[...document.querySelectorAll('[role=option][aria-selected=true]')].map((o) => Number(o.dataset.index))"
    )
  }

  /// The status line.
  func status() async throws -> String { try await page.text("#status") }

  /// Waits until the status line is this text.
  func waitForStatus(_ text: String) async throws {
    let quoted = try String(decoding: JSONEncoder().encode(text), as: UTF8.self)
    try await page.wait(until: "document.getElementById('status').textContent === \(quoted)")
  }

  /// Clicks items one after the other. Two clicks on one item at once are a double click.
  func choose(_ indexes: Int...) async throws {
    for index in indexes { try await page.click(Self.item(index)) }
  }

  /// Waits until the server has this number of items: the page shows a choice before it is sent.
  func waitForServer(count: Int) async throws {
    try await page.wait(
      until:
        "fetch('api/session').then((r) => r.json()).then((s) => s.selection.length === \(count))")
  }

  /// Presses Done and waits for the last view.
  func finish() async throws {
    try await page.click("#done")
    try await page.wait(until: "document.querySelector('#over:not([hidden])')")
  }
}
