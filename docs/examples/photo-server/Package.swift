// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "photo-server",
  dependencies: [
    // In a project of your own: .package(url: "https://…/shoebox.git", from: "0.1.0")
    .package(name: "shoebox", path: "../../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "photo-server",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ShoeboxKit", package: "shoebox"),
      ], path: "Sources/PhotoServer")
  ])
