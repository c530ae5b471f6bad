import Macros
import Observation
import XCTest

@Observable final class Model {
    var count = 0
}

final class MacrosTests: XCTestCase {
    func testExpressions() {
        let (value, text) = #stringify([1, 2].map { $0 + 1 })
        XCTAssertEqual(value, [2, 3])
        XCTAssertEqual(text, "[1, 2].map { $0 + 1 }")
        XCTAssertEqual(Point(x: 1, y: 2).sum.0, 3)
        XCTAssertEqual(Point(x: 1, y: 2).sum.1, "x + y")
    }

    func testMembers() {
        @Names struct Local {
            var first = "1"
            let second: Double
        }
        XCTAssertEqual(Point.names, ["x", "y"])
        XCTAssertEqual(Local.names, ["first", "second"])
        XCTAssertEqual(Local(second: 2).first, "1")
    }

    func testMacrosOfTheLibrary() {
        let model = Model()
        nonisolated(unsafe) var changes = 0
        withObservationTracking { _ = model.count } onChange: { changes += 1 }
        model.count += 1
        XCTAssertEqual(changes, 1)
    }
}
