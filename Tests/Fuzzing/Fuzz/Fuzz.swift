import CLibFuzzer
import Foundation

/// The target that the environment variable `FUZZ_TARGET` names.
private let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap {
  FuzzTarget.named[$0]
}

/// libFuzzer's entry point. The library defines a `main` that refers to it, so it needs its C name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target?.run(unsafe [UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Runs libFuzzer over one target; without one, prints the names of all targets, or writes the seeds that only this
/// program can make: `fuzz --seeds FOLDER`. SwiftPM renames `main` of an executable, so the
/// driver is called here.
@main
enum Fuzz {
  static func main() {
    guard target != nil else {
      if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seeds" {
        do { try FuzzSeeds.write(to: CommandLine.arguments[2]) } catch { fatalError("\(error)") }
        return
      }
      print(FuzzTarget.named.keys.sorted().joined(separator: " "))
      return
    }
    var count = CommandLine.argc
    var arguments =
      unsafe CommandLine.unsafeArgv
      as UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    exit(unsafe LLVMFuzzerRunDriver(&count, &arguments) { unsafe fuzzOneInput($0, $1) })
  }
}
