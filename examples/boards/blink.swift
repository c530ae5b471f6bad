// A lamp that goes on and off: bit 0 of the board's LED register, `times` times. The mps2 boards have that register at 0x40028000.
import _Volatile

let lamps = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4002_8000)

func pause() {
    for _ in 0..<1000 {
        _ = lamps.load()
    }
}

@main
struct Blink {
    static func main() {
        for turn in 1...3 {
            lamps.store(lamps.load() | 1)
            print(turn, terminator: lamps.load() & 1 == 1 ? " on\n" : " stays off\n")
            pause()
            lamps.store(lamps.load() & ~1)
            print(turn, terminator: lamps.load() & 1 == 0 ? " off\n" : " stays on\n")
            pause()
        }
    }
}
