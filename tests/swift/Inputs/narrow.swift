// Where a conversion is called that only labels tell from others.
func narrow<T: BinaryInteger>(_ x: Int, _: T.Type) -> T { return T(x) }
