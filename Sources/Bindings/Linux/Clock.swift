import Glibc

/// Milliseconds since 1970 UTC.
package func millisecondsSince1970() -> Int64 {
  nanosecondsSince1970() / 1_000_000
}

/// Nanoseconds since 1970 UTC.
package func nanosecondsSince1970() -> Int64 {
  var now = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &now)
  return FileStatus.nanoseconds(now)
}
