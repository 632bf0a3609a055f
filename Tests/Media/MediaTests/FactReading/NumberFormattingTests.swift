import MediaModel
import Testing

/// Numbers in sentences.
struct NumberFormattingTests {
  @Test(
    arguments: [
      (0, "0.0", "0.00"), (1.05, "1.1", "1.05"), (59.996, "60.0", "60.00"), (12, "12.0", "12.00"),
      (-3, "0.0", "0.00"), (.nan, "0.0", "0.00"), (.infinity, "1000000000.0", "1000000000.00"),
    ] as [(Double, String, String)])
  func areRoundedAndBounded(number: Double, tenths: String, hundredths: String) {
    #expect(number.tenths == tenths)
    #expect(number.hundredths == hundredths)
  }
}
