/// A value and its text.
@freestanding(expression) public macro stringify<T>(_ value: T) -> (T, String) =
    #externalMacro(module: "Plugin", type: "Stringify")

/// Adds the names of the stored properties.
@attached(member, names: named(names)) public macro Names() = #externalMacro(module: "Plugin", type: "Names")

@Names public struct Point {
    public var x: Int
    public let y: Int

    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    public var sum: (Int, String) { #stringify(x + y) }
}
