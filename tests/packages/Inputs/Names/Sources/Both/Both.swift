import Foundation
import Left
import Right

/// Foundation's `URL` is meant, not the internal ones of the two modules.
public func host(of address: String) -> String? { URL(string: address)?.host }

/// Foundation's `Measurement` is hidden by the public one of `Left`, which is named with its module.
public func measured(_ text: String) -> Left.Measurement { Left.Measurement(text) }

public func meters(_ value: Double) -> Foundation.Measurement<UnitLength> {
    Foundation.Measurement(value: value, unit: .meters)
}

struct Storage: Codable, Equatable {
    var left: String
    var right: String
}

public func both(_ value: Int) throws -> String {
    let storage = Storage(left: Left.describe(value), right: Right.describe(value))
    let coded = try JSONEncoder().encode(storage)
    let decoded = try JSONDecoder().decode(Storage.self, from: coded)
    return decoded == storage ? "\(decoded.left), \(decoded.right)" : "different"
}
