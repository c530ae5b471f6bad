// What the serial line sends comes back in capitals, until an end of transmission (control-D). The line is the first of Arm's CMSDK,
// which the mps2 boards have at 0x40004000.
import _Volatile

struct SerialLine {
    let data: VolatileMappedRegister<UInt32>
    let state: VolatileMappedRegister<UInt32>
    let control: VolatileMappedRegister<UInt32>
    let divider: VolatileMappedRegister<UInt32>

    init(at address: UInt) {
        data = VolatileMappedRegister(unsafeBitPattern: address)
        state = VolatileMappedRegister(unsafeBitPattern: address + 0x4)
        control = VolatileMappedRegister(unsafeBitPattern: address + 0x8)
        divider = VolatileMappedRegister(unsafeBitPattern: address + 0x10)
        divider.store(16)
        control.store(0b11) // send and receive
    }

    func send(_ byte: UInt8) {
        while state.load() & 0b01 != 0 {}
        data.store(UInt32(byte))
    }

    func receive() -> UInt8 {
        while state.load() & 0b10 == 0 {}
        return UInt8(truncatingIfNeeded: data.load())
    }
}

let endOfTransmission: UInt8 = 4

@main
struct Echo {
    static func main() {
        let line = SerialLine(at: 0x4000_4000)
        while true {
            let byte = line.receive()
            if byte == endOfTransmission { return }
            let isSmall = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
            line.send(isSmall ? byte & ~0x20 : byte)
        }
    }
}
