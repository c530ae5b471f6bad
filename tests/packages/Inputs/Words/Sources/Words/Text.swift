import Foundation

public enum TextError: Error, Equatable {
    case missing(String)
}

/// A text that comes with the module.
public func text(named name: String) throws -> String {
    guard let url = Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Texts") else {
        throw TextError.missing(name)
    }
    return try String(contentsOf: url, encoding: .utf8)
}
