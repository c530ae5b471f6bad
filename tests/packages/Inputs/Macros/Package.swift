// swift-tools-version:6.0
import CompilerPluginSupport
import PackageDescription

let package = Package(
    name: "Macros",
    targets: [
        .macro(name: "Plugin"),
        .target(name: "Macros", dependencies: ["Plugin"]),
        .testTarget(name: "MacrosTests", dependencies: ["Macros"]),
    ]
)
