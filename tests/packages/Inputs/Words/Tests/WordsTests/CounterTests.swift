import XCTest

@testable import Words

final class CounterTests: XCTestCase {
    func testWordsAreCounted() {
        let counter = Counter("One two, ONE; twenty-one.")
        XCTAssertEqual(counter.counts, ["one": 3, "two": 1, "twenty": 1])
        XCTAssertEqual(counter.long, 1)
        XCTAssertEqual("\(counter)", "one 3, twenty 1, two 1")
        XCTAssertTrue(Counter("").counts.isEmpty)
    }

    func testMost() throws {
        let (count, names) = try XCTUnwrap(Counter("b a b a c").most())
        XCTAssertEqual(count, 2)
        XCTAssertEqual(names, ["a", "b"])
        XCTAssertNil(Counter("1").most())
    }

    func testOrderMayThrow() {
        struct Stop: Error {}
        XCTAssertThrowsError(try Counter("b a").sorted { _, _ in throw Stop() }) { XCTAssertTrue($0 is Stop) }
    }

    func testResources() async throws {
        let text = try await Task { try Words.text(named: "rose") }.value
        XCTAssertEqual(Counter(text).counts["rose"], 4)
        XCTAssertThrowsError(try Words.text(named: "tulip")) {
            XCTAssertEqual($0 as? TextError, .missing("tulip"))
        }
    }
}
