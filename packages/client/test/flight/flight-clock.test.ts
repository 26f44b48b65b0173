// Law: the clock that is shown never runs backwards but by leaps over seconds, is right to 10 ms
// and the asymmetry of the ways, and leads by what orders take. Method: a server's clock and
// messages that take random times, on a simulated clock.
import { CONTROL_QUANTA, boundaryAtOrAfter } from '@orrery/sim'
import { createChance } from '@orrery/testkit/chance'
import { describe, expect, it } from 'vitest'
import { FlightClock } from '../../src/clocks/flight-clock.ts'
import { type SimulatedClock, simulatedClock } from '../simulated-clock.ts'

const START = 5.4e10

/** A server at a distance: its clock, and ways of random length. */
class Server {
  scale = 1
  index = START
  readonly ticking: SimulatedClock
  readonly clock: FlightClock
  readonly share: () => number
  #shownMs = 0

  constructor(seed: number) {
    this.ticking = simulatedClock()
    this.clock = new FlightClock(this.ticking)
    this.share = createChance(seed).share
  }

  /** what it shows now */
  now(): number {
    return this.index + ((this.ticking.monotonicMs() - this.#shownMs) * 64 * this.scale) / 1000
  }

  change(scale: number): void {
    this.index = this.now()
    this.#shownMs = this.ticking.monotonicMs()
    this.scale = scale
    this.send()
  }

  leap(quanta: number): void {
    this.index += quanta
    this.send()
  }

  wayMs(): number {
    return 75 + 50 * this.share()
  }

  send(): void {
    const reading = { index: this.now(), scale: this.scale, era: 1 }
    this.ticking.after(this.wayMs(), () => this.clock.note(reading))
  }

  ping(): void {
    const sentMs = this.ticking.monotonicMs()
    this.ticking.after(this.wayMs() + this.wayMs(), () => {
      this.clock.noteRoundTrip(this.ticking.monotonicMs() - sentMs)
    })
  }

  /** lets seconds pass, with a message and a ping in each; calls back 16 times a second */
  run(seconds: number, look: (now: number) => void): void {
    for (let i = 0; i < 16 * seconds; i++) {
      if (i % 16 === 0) this.send()
      if (i % 16 === 8) this.ping()
      this.ticking.pass(62.5)
      look(this.clock.now())
    }
  }
}

describe('the clock', () => {
  it.each([1, 2, 3])('runs on evenly and right, seed %d', (seed) => {
    const server = new Server(seed)
    server.run(20, () => undefined)
    let before = -Infinity
    server.run(100, (now) => {
      // The quickest of the messages took up to a fifth of the spread more than the least.
      expect(Math.abs(now - server.now()) * (1000 / 64)).toBeLessThan(20)
      expect(now - before).toBeGreaterThan(0)
      before = now
    })
  })

  it('never runs backwards, but leaps back where it would stand for seconds', () => {
    const server = new Server(4)
    server.clock.isLeading = true
    server.run(5, () => undefined)
    let before = -Infinity
    const leaps: number[] = []
    const look = (now: number): void => {
      if (now < before) leaps.push((before - now) / (64 * Math.min(1, server.scale || 1)))
      before = now
      expect(server.clock.waitSeconds).toBeLessThanOrEqual(3)
    }
    for (const scale of [100, 1, 0, 1, 10, 0.1, 1]) {
      server.change(scale)
      server.run(4, look)
      server.leap(-100 * scale)
      server.run(4, look)
    }
    // One for each slower time, but the last, which differs little.
    expect(leaps.length).toBeGreaterThan(0)
    expect(leaps.length).toBeLessThan(7)
    expect(Math.min(...leaps)).toBeGreaterThan(3)
  })

  it('is right within seconds after time slows, and states how long it stands', () => {
    const server = new Server(8)
    for (const [scale, back] of [
      [1000, 0],
      [1, 0],
      [1, 24 * 64],
    ]) {
      if (scale === server.scale) server.leap(-back)
      else server.change(scale)
      server.run(1, () => undefined)
      server.run(4, (now) => {
        const leadSeconds = (now - server.now()) / (64 * scale)
        expect(leadSeconds - server.clock.waitSeconds).toBeLessThan(0.5)
      })
      expect(Math.abs(server.clock.now() - server.now())).toBeLessThan(4 * scale)
    }
    // By less than the clock leaps.
    server.index -= 5 * 64
    server.change(2)
    server.run(1, () => undefined)
    expect(server.clock.waitSeconds).toBeGreaterThan(0.5)
  })

  it('forgets a route that was quicker', () => {
    const server = new Server(9)
    for (let i = 0; i < 20; i++) server.clock.noteRoundTrip(2)
    for (let i = 0; i < 16; i++) server.clock.noteRoundTrip(400)
    server.clock.note({ index: 1000, scale: 1, era: 2 })
    expect(server.clock.serverNow()).toBeCloseTo(1000 + 0.2 * 64, 6)
  })

  it('leads by half the mean round trip and two mean deviations', () => {
    const { clock } = new Server(10)
    clock.note({ index: 1000, scale: 1, era: 1 })
    clock.noteRoundTrip(100)
    expect(clock.lead).toBe(0)
    clock.isLeading = true
    expect(clock.lead).toBeCloseTo(0.064 * (50 + 2 * 50) + CONTROL_QUANTA + 2, 9)
    clock.noteRoundTrip(200)
    expect(clock.lead).toBeCloseTo(0.064 * (56.25 + 2 * 62.5) + CONTROL_QUANTA + 2, 9)
    clock.noteRoundTrip(5000)
    expect(clock.lead).toBe(112)
    clock.note({ index: 1000, scale: 0 })
    expect(clock.lead).toBe(0)
  })

  it('stands while the game does', () => {
    const server = new Server(5)
    server.run(5, () => undefined)
    server.change(0)
    server.run(1, () => undefined)
    const now = server.clock.now()
    server.run(3, (later) => expect(later).toBe(now))
  })

  it('is right at once after a sleep', () => {
    const server = new Server(6)
    server.run(30, () => undefined)
    // Time in which the machine slept, its clock too.
    server.leap(64 * 3600)
    server.ticking.pass(130)
    expect(Math.abs(server.clock.now() - server.now())).toBeLessThan(10)
  })

  it('begins again in another era', () => {
    const server = new Server(7)
    server.run(2, () => undefined)
    server.clock.note({ index: 1000, scale: 1, era: 2 })
    expect(server.clock.now()).toBeCloseTo(1000, -2)
  })

  it.each([1, 2, 3])('leads by what orders take, seed %d', (seed) => {
    const server = new Server(seed)
    server.clock.isLeading = true
    server.run(20, () => undefined)
    let orders = 0
    let late = 0
    server.run(300, (now) => {
      const at = CONTROL_QUANTA * Math.floor(now / CONTROL_QUANTA)
      const arrivesAt = server.now() + (server.wayMs() * 64) / 1000
      orders++
      if (at < boundaryAtOrAfter(arrivesAt, CONTROL_QUANTA)) late++
    })
    expect(orders).toBe(4800)
    expect(late).toBeLessThan(0.01 * orders)
  })
})
