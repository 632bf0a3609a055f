/// The fraction nearest to a quotient of positive numbers whose numerator and denominator do not exceed a limit, by
/// its continued fraction. 1,000,000,000 / 33,366,667 becomes 30000 / 1001.
///
/// - Returns: a denominator of 0 for a quotient that exceeds the limit.
func nearestFraction(
  _ numerator: Int, _ denominator: Int, limit: Int
) -> (numerator: Int, denominator: Int) {
  var (a, b) = (numerator, denominator)
  var before = (numerator: 0, denominator: 1)
  var last = (numerator: 1, denominator: 0)
  while b != 0 {
    let quotient = a / b
    let (top, topOverflow) = quotient.multipliedReportingOverflow(by: last.numerator)
    let (bottom, bottomOverflow) = quotient.multipliedReportingOverflow(by: last.denominator)
    let next = (
      numerator: top &+ before.numerator, denominator: bottom &+ before.denominator
    )
    if topOverflow || bottomOverflow || next.numerator > limit || next.denominator > limit {
      // The largest part of the quotient within the limit; it is nearer only if it exceeds half.
      var part = quotient
      if last.numerator > 0 { part = min(part, (limit - before.numerator) / last.numerator) }
      if last.denominator > 0 { part = min(part, (limit - before.denominator) / last.denominator) }
      let isNearer =
        Double(b) * Double(2 * part * last.denominator + before.denominator)
        > Double(a) * Double(last.denominator)
      return isNearer
        ? (
          part * last.numerator + before.numerator, part * last.denominator + before.denominator
        ) : last
    }
    (before, last) = (last, next)
    (a, b) = (b, a % b)
  }
  return last
}
