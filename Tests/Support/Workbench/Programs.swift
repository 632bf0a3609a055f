import Foundation

/// Writes an executable file whose descriptor no process that a test starts can inherit.
///
/// A file that this process wrote itself could be "busy" (`ETXTBSY` of `execve`): between `fork` and `execve` a child
/// that another test starts at that moment has this process's descriptors, the one being written too. So `install`
/// writes it.
///
/// - Parameter path: of UTF-8; an existing file is replaced.
package func writeProgram(_ text: String, to path: String) throws {
  let install = Process()
  install.executableURL = URL(filePath: "/usr/bin/install")
  install.arguments = ["-m", "755", "/dev/stdin", path]
  let input = Pipe()
  install.standardInput = input
  try install.run()
  try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  try input.fileHandleForWriting.close()
  install.waitUntilExit()
  guard install.terminationStatus == 0 else {
    throw WorkbenchError("install ended with \(install.terminationStatus): \(path)")
  }
}
