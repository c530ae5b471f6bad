// A call of a conversion that differs from others only in labels.
func narrow<T: BinaryInteger>(_ x: Int, _: T.Type) -> T { return T(x) }
