import Foundation

// Colours in CIELab, for comparison.

/// CIE 1976 L*a*b* of CIE XYZ, both relative to D50.
package func lab(xyz: [Double]) -> [Double] {
  func share(_ value: Double) -> Double {
    value > 216.0 / 24_389 ? cbrt(value) : (841.0 / 108) * value + 4.0 / 29
  }
  let (x, y, z) = (share(xyz[0] / 0.9642), share(xyz[1]), share(xyz[2] / 0.8249))
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/// CIE XYZ of CIE 1976 L*a*b*, both relative to D50.
package func xyz(lab: [Double]) -> [Double] {
  func light(_ value: Double) -> Double {
    value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841
  }
  let y = (lab[0] + 16) / 116
  return [0.9642 * light(y + lab[1] / 500), light(y), 0.8249 * light(y - lab[2] / 200)]
}

/// sRGB in 0–255, not rounded, of CIE XYZ relative to D50; colours outside are clipped (IEC 61966-2-1, Bradford's
/// adaptation).
package func sRGB(xyz: [Double]) -> [Double] {
  let rows = [
    [3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
    [0.0719453, -0.2289914, 1.4052427],
  ]
  return rows.map { row in
    let light = min(max(zip(row, xyz).reduce(0) { $0 + $1.0 * $1.1 }, 0), 1)
    return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }
}

/// CIE 1976 L*a*b* of sRGB in 0–255.
package func lab(sRGB: [Double]) -> [Double] {
  let light = sRGB.map { stored -> Double in
    let value = stored / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }
  let rows = [
    [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169],
    [0.0139322, 0.0971045, 0.7141733],
  ]
  return lab(xyz: rows.map { row in zip(row, light).reduce(0) { $0 + $1.0 * $1.1 } })
}

/// CIE 1976 ΔE between two colours in sRGB, 0–255.
package func colorDifference(_ left: [Double], _ right: [Double]) -> Double {
  let (a, b) = (lab(sRGB: left), lab(sRGB: right))
  return zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
}
