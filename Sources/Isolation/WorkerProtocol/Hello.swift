package import Linux

/// The version of the protocol; all programs must have the same.
package let workerProtocolVersion: UInt32 = 18

/// The first frame that a worker sends, after it has entered its sandbox.
package struct Hello: WireMessage, Hashable {
  package var version: UInt32
  /// The levels of the sandbox that the kernel enforces.
  package var sandbox: SandboxState

  package init(version: UInt32 = workerProtocolVersion, sandbox: SandboxState) {
    self.version = version
    self.sandbox = sandbox
  }

  package func write(to writer: inout WireWriter) {
    writer.write(UInt64(version))
    writer.write(sandbox.landlockLevel)
    writer.write(sandbox.filtersCalls)
  }

  package init(from reader: inout WireReader) throws(WireError) {
    version = UInt32(truncatingIfNeeded: try reader.unsigned())
    // Other versions continue in other ways.
    guard version == workerProtocolVersion else {
      sandbox = SandboxState()
      reader.skipAll()
      return
    }
    sandbox = SandboxState(
      landlockLevel: try reader.integer(), filtersCalls: try reader.bool())
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
