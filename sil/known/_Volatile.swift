// _Volatile: registers that memory is mapped to.

struct VolatileMappedRegister<Pointee> {
  let _rawPointer: Builtin.RawPointer
}
