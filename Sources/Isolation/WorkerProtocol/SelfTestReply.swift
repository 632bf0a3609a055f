/// Which acts the sandbox has refused a worker, and which not.
package struct SelfTestReply: WireMessage, Hashable {
  package var refused: [String]
  package var permitted: [String]

  package init(refused: [String], permitted: [String]) {
    (self.refused, self.permitted) = (refused, permitted)
  }

  package func write(to writer: inout WireWriter) {
    writer.write(list: refused) { $0.write($1) }
    writer.write(list: permitted) { $0.write($1) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    refused = try reader.texts()
    permitted = try reader.texts()
  }
}
