import LittleCMS
import Testing

struct ColorProfileTests {
  @Test func refusesBytesThatAreNoProfile() {
    for bytes in [[], [UInt8](repeating: 0, count: 400), Array(repeating: 0xFF, count: 4000)] {
      #expect(throws: ColorProfileError.self) { _ = try ColorProfile(bytes) }
    }
  }
}
