import CSQLite

/// Random bytes of SQLite's generator, which the system's seeds (`sqlite3_randomness`). It takes no system call.
package func randomBytes(_ count: Int) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
    unsafe sqlite3_randomness(Int32(clamping: bytes.count), bytes.baseAddress)
    initialized = count
  }
}
