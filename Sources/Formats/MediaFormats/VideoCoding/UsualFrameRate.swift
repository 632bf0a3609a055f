/// The frame rate that cameras and programs use within 1% of a measured one: a whole number up to 60, one of NTSC's, or
/// a multiple of them; the measured one if there is none.
func usualFrameRate(near measured: Double) -> Double {
  let nearest = usualFrameRates.min { abs($0 - measured) < abs($1 - measured) }
  guard let nearest, abs(nearest / measured - 1) < 0.01 else { return measured }
  return nearest
}

private let usualFrameRates: [Double] =
  (1...60).map(Double.init) + [24000.0 / 1001, 30000.0 / 1001, 60000.0 / 1001, 90, 100, 120, 240]
