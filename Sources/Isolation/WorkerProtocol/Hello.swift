/// The version of the protocol; both programs must have the same.
package let codecProtocolVersion: UInt32 = 8

/// The first frame a codec process sends.
package struct Hello: WireMessage, Hashable {
  package var version: UInt32

  package init(version: UInt32 = codecProtocolVersion) {
    self.version = version
  }

  package func write(to writer: inout WireWriter) {
    writer.write(UInt64(version))
  }

  package init(from reader: inout WireReader) throws(WireError) {
    version = UInt32(truncatingIfNeeded: try reader.unsigned())
  }
}

/// The libraries and codecs of a codec program, for `shoebox doctor`.
package struct ProgramDescription: WireMessage, Hashable {
  /// Libraries with their versions, such as `libheif 1.19.7`.
  package var libraries: [String]
  /// Available decoders, encoders and filters, such as `picture decoder hevc`.
  package var codecs: [String]

  package init(libraries: [String], codecs: [String]) {
    self.libraries = libraries
    self.codecs = codecs
  }

  package func write(to writer: inout WireWriter) {
    writer.write(list: libraries) { $0.write($1) }
    writer.write(list: codecs) { $0.write($1) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    libraries = try reader.texts()
    codecs = try reader.texts()
  }
}
