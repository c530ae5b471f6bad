import Both
import Foundation
import Left
import Testing

@testable import Right

@Suite struct Names {
    @Test func layoutsAreThoseOfTheModule() {
        #expect(LeftBox(40).value == 42)
        #expect(LeftBox(0).size > MemoryLayout<Int8>.size)
        #expect(LeftBox(0).name == "left")
        var box = RightBox("a")
        box.add("b")
        #expect(box.value == "ab[1][1]")
        #expect(box.number == 2.5 && box.name == "right")
    }

    @Test func filesHaveTypesOfTheirOwn() {
        let tree = LeftTree([true])
        tree.add(false)
        tree.add(true)
        #expect(tree.flags == [true, false, true, true, true, false, true])
    }

    @Test func namesOfOtherModulesAreSeen() throws {
        #expect(host(of: "http://swift.org/x") == "swift.org")
        #expect(measured("1").text == "1")
        #expect(meters(1500).converted(to: .kilometers).value == 1.5)
        #expect(try both(7) == "left 7, right 7")
    }

    @Test func objectsOfAnInternalClassGo() {
        let before = urlsGone
        do { _ = RightBox("x").name }
        #expect(urlsGone == before + 1)
        #expect(Storage(value: "a", more: []).more.isEmpty)
    }

    @Test(arguments: [1, 2, 3]) func localTypesOfOneName(_ number: Int) {
        struct Local: Equatable { var number: Int }
        #expect(Local(number: number) == Local(number: number))
    }

    @Test func anotherLocalTypeOfThatName() {
        enum Local: String, CaseIterable { case one, two }
        #expect(Local.allCases.map(\.rawValue) == ["one", "two"])
    }
}
