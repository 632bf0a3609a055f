extension Workbench {
  /// Writes an AAE file below the library, as Python's plistlib, zlib and json do.
  ///
  /// - Parameters:
  ///   - adjustments: a Python expression for the list of edits.
  ///   - orientation: that of the edited picture.
  ///   - isBinary: whether the property list is binary, not XML.
  package func writeEdits(
    _ name: String, _ adjustments: String, orientation: Int = 1, isBinary: Bool = false,
    format: String = "com.apple.photo"
  ) async throws {
    try await bash(
      """
      python3 - <<'END'
      import json, plistlib, zlib
      record = {'metadata': {'masterWidth': 64, 'masterHeight': 48, 'orientation': \(orientation)},
        'formatVersion': 1, 'adjustments': \(adjustments)}
      deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
      data = deflate.compress(json.dumps(record).encode()) + deflate.flush()
      entries = {'adjustmentBaseVersion': 0, 'adjustmentData': data,
        'adjustmentEditorBundleID': 'com.apple.mobileslideshow',
        'adjustmentFormatIdentifier': '\(format)', 'adjustmentFormatVersion': '1.5'}
      kind = plistlib.\(isBinary ? "FMT_BINARY" : "FMT_XML")
      open('library/\(name)', 'wb').write(plistlib.dumps(entries, fmt=kind))
      END
      """)
  }
}
