// Two clocks interrupt: the processor's own, and the board's first timer, which is interrupt 8 of the mps2 boards.
import _Volatile

struct Ticks {
    var system = 0
    var timer = 0
}

nonisolated(unsafe) var ticks = Ticks()

@_cdecl("SysTick_Handler")
func systemTick() {
    ticks.system += 1
}

let timerControl = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_0000)
let timerValue = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_0004)
let timerReload = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_0008)
let timerInterrupt = VolatileMappedRegister<UInt32>(unsafeBitPattern: 0x4000_000C)

@_cdecl("IRQ8_Handler")
func timerTick() {
    timerInterrupt.store(1) // it is dealt with
    ticks.timer += 1
}

func startSystemTicks(every cycles: UInt32) {
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E014).store(cycles - 1)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E018).store(0)
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E010).store(0b111)
}

func startTimer(every cycles: UInt32) {
    timerReload.store(cycles)
    timerValue.store(cycles)
    timerControl.store(0b1001) // count, and interrupt
    VolatileMappedRegister<UInt32>(unsafeBitPattern: 0xE000_E100).store(1 << 8)
}

/// What an interrupt changes is read anew each time.
@inline(never)
func current() -> Ticks { ticks }

@main
struct Interrupts {
    static func main() {
        startSystemTicks(every: 10_000)
        startTimer(every: 10_000)
        while current().system < 3 || current().timer < 3 {}
        print("both clocks tick")
    }
}
