// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "Words",
    targets: [
        .target(name: "CWords"),
        .target(name: "Words", dependencies: ["CWords"], resources: [.copy("Texts")]),
        .executableTarget(name: "count", dependencies: ["Words"]),
        .testTarget(name: "WordsTests", dependencies: ["Words", "CWords"]),
    ]
)
