// _Volatile: registers that memory is mapped to.

@frozen struct VolatileMappedRegister<Pointee> {
  let _rawPointer: Builtin.RawPointer
}
