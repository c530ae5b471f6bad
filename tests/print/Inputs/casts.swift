protocol Identifiable {}
func library(_ value: Any) -> Bool { value is any Swift.Identifiable }
func own(_ value: Any) -> Bool { value is any Identifiable }
