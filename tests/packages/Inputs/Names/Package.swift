// swift-tools-version:6.0
import PackageDescription

let package = Package(
    name: "Names",
    targets: [
        .target(name: "Left"),
        .target(name: "Right"),
        .target(name: "Both", dependencies: ["Left", "Right"]),
        .testTarget(name: "NamesTests", dependencies: ["Left", "Right", "Both"]),
    ]
)
