import Foundation
import ShoeboxKit
import Testing
import Workbench

/// Worker programs that cannot be used: one clear error, at the first use and not before.
@Suite(.timeLimit(.minutes(2)))
struct WorkerTests {
  /// A library of one picture, already scanned, whose worker programs are these lines of shell.
  private func library(workers lines: String) async throws -> (Workbench, PhotoLibrary, Asset.ID) {
    let bench = try Workbench()
    _ = try await bench.bash("convert -size 60x40 plasma: library/a.jpg; mkdir programs")
    _ = try await bench.scan([bench.library])
    for name in ["shoebox-probe", "shoebox-codec"] {
      _ = try bench.addProgram("programs/\(name)", lines)
    }
    let library = try await PhotoLibrary.open(
      .init(
        catalog: FilePath(bench.catalog),
        workers: .programs(in: FilePath(bench.folder + "/programs"))))
    let page = try await library.fetchAssets().page(after: nil, size: 1)
    return (bench, library, try #require(page.assets.first?.id))
  }

  private func expectFailure(of library: PhotoLibrary, _ id: Asset.ID, naming text: String) async {
    for use in ["image", "data"] {
      await #expect {
        if use == "image" {
          _ = try await library.image(for: id, fitting: PixelSize(width: 10, height: 10))
        } else {
          _ = try await library.data(for: id, as: .compatible.maxPixels(10))
        }
      } throws: {
        guard case .workers(let reason) = $0 as? PhotoLibraryError else { return false }
        return reason.contains(text) && reason.contains("shoebox-codec")
      }
    }
  }

  @Test func `of another version`() async throws {
    // The first frame has the version of the protocol.
    let old = #"""
      exec python3 -c 'import socket, time
      connection = socket.socket(fileno=0)
      connection.sendall(b"\0\0\0\3\1\0\1")
      time.sleep(60)'
      """#
    let (bench, library, id) = try await library(workers: old)
    defer { withExtendedLifetime(bench) {} }
    await expectFailure(
      of: library, id, naming: "belongs to another version of Shoebox: install both together")
    // What needs no worker goes on.
    #expect(try await library.asset(id)?.id == id)
  }

  @Test func `that end at once`() async throws {
    let (bench, library, id) = try await library(workers: "exit 3")
    await expectFailure(of: library, id, naming: "does not start")
    _ = try await bench.bash("convert -size 90x40 plasma: library/b.jpg")
    await #expect(throws: PhotoLibraryError.self) { _ = try await library.scan().report }
  }

  @Test func `that do not exist`() async throws {
    let (bench, library, id) = try await library(workers: "exit 3")
    _ = try await bench.bash("rm programs/*")
    let missing = PhotoLibraryError.workersMissing(
      searched: [FilePath(bench.folder + "/programs/shoebox-codec")])
    await #expect(throws: missing) {
      _ = try await library.data(for: id, as: .compatible.maxPixels(10))
    }
    await #expect(throws: missing) {
      _ = try await library.image(for: id, fitting: PixelSize(width: 10, height: 10))
    }
    await #expect(throws: missing) { _ = try await library.scan() }
    #expect(missing.description.contains("install Shoebox"))
  }

  @Test func `that the program did not want`() async throws {
    let (bench, scanned, id) = try await library(workers: "exit 3")
    defer { withExtendedLifetime((bench, scanned)) {} }
    let library = try await PhotoLibrary.open(
      .init(catalog: FilePath(bench.catalog), workers: .none))
    let error = await #expect(throws: PhotoLibraryError.self) {
      _ = try await library.image(for: id, fitting: PixelSize(width: 10, height: 10))
    }
    #expect(error == .workersMissing(searched: []))
    #expect(error?.description.hasPrefix("the library was opened without worker programs:") == true)
  }
}
