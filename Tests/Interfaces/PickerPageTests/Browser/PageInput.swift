import Workbench

// What a person does with a mouse and a keyboard. The browser receives it as from real devices.

/// A key that types no character, as the WebDriver protocol names it (section 17.4.2).
enum Key: String, Sendable {
  case tab = "\u{E004}"
  case enter = "\u{E007}"
  case shift = "\u{E008}"
  case control = "\u{E009}"
  case escape = "\u{E00C}"
  case space = " "
  case end = "\u{E010}"
  case home = "\u{E011}"
  case left = "\u{E012}"
  case up = "\u{E013}"
  case right = "\u{E014}"
  case down = "\u{E015}"
}

extension Page {
  /// Presses and releases keys, one after the other.
  ///
  /// - Parameter modifier: held meanwhile.
  func press(_ keys: Key..., holding modifier: Key? = nil) async throws {
    try await type(keys.map(\.rawValue), holding: modifier)
  }

  /// Types characters.
  func type(_ text: String, holding modifier: Key? = nil) async throws {
    try await type(text.map(String.init), holding: modifier)
  }

  private func type(_ keys: [String], holding modifier: Key?) async throws {
    var actions = keys.flatMap { [Self.key("keyDown", $0), Self.key("keyUp", $0)] }
    if let modifier {
      actions.insert(Self.key("keyDown", modifier.rawValue), at: 0)
      actions.append(Self.key("keyUp", modifier.rawValue))
    }
    try await perform([["type": "key", "id": "keyboard", "actions": .list(actions)]])
  }

  private static func key(_ type: String, _ value: String) -> JSON {
    ["type": .text(type), "value": .text(value)]
  }

  /// Clicks into the middle of the first element that a selector matches, after it has scrolled into view.
  ///
  /// - Parameters:
  ///   - count: 2 for a double click.
  ///   - modifier: a key that is held meanwhile.
  func click(_ selector: String, count: Int = 1, holding modifier: Key? = nil) async throws {
    let element = try await element(selector)
    var mouse: [JSON] = [Self.move(element)]
    for _ in 0..<count {
      mouse += [["type": "pointerDown", "button": 0], ["type": "pointerUp", "button": 0]]
    }
    var devices: [JSON] = []
    if let modifier {
      let pauses = mouse.map { _ in ["type": "pause"] as JSON }
      mouse.insert(["type": "pause"], at: 0)
      devices.append([
        "type": "key", "id": "keyboard",
        "actions": .list(
          [Self.key("keyDown", modifier.rawValue)] + pauses
            + [Self.key("keyUp", modifier.rawValue)]),
      ])
    }
    devices.append(Self.mouse(mouse))
    try await perform(devices)
  }

  /// Moves the mouse over an element.
  func hover(_ selector: String) async throws {
    try await perform([Self.mouse([Self.move(try await element(selector))])])
  }

  /// Presses the mouse's button on the first element, moves over the others, and releases it on the last.
  func drag(_ selectors: [String]) async throws {
    var mouse: [JSON] = []
    for (position, selector) in selectors.enumerated() {
      mouse.append(Self.move(try await element(selector), milliseconds: position == 0 ? 0 : 100))
      if position == 0 { mouse.append(["type": "pointerDown", "button": 0]) }
    }
    mouse.append(["type": "pointerUp", "button": 0])
    try await perform([Self.mouse(mouse)])
  }

  private static func mouse(_ actions: [JSON]) -> JSON {
    [
      "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
      "actions": .list(actions),
    ]
  }

  private static func move(_ element: JSON, milliseconds: Double = 0) -> JSON {
    [
      "type": "pointerMove", "origin": element, "x": 0, "y": 0, "duration": .number(milliseconds),
    ]
  }

  private func element(_ selector: String) async throws -> JSON {
    let element: JSON = try await driver.post(
      "/element", ["using": "css selector", "value": .text(selector)])
    // Also within panels that scroll.
    let _: JSON = try await run(
      "arguments[0].scrollIntoView({block: 'nearest', inline: 'nearest'}); return null", element)
    return element
  }

  private func perform(_ devices: [JSON]) async throws {
    let _: JSON = try await driver.post("/actions", ["actions": .list(devices)])
  }
}
