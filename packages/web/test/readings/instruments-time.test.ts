// Law: instruments are read ten times a second of a session, while the page is seen; the next burn
// is that of the orders previewed. Method: a flight by hand, and timers.
import type { GameClient } from '@orrery/client'
import type { Forecast } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OwnForecast } from '../../src/forecast/forecasts.ts'
import type { Previewed } from '../../src/forecast/preview.ts'
import { createReadings, type Readings, type ReadingsOptions } from '../../src/game/readings.ts'
import type { Thing } from '../../src/readings/thing.ts'
import type { Session } from '../../src/session/session.ts'
import { type HandSession, PER_HOUR, createHandSession } from '../game/hand-session.ts'

let hand: HandSession
let session: Signal<Session | undefined>
let own: Signal<OwnForecast | undefined>
let shown: Signal<Previewed | undefined>
let readings: { readonly value: Readings | undefined }
let open: () => void
const page = { hidden: false }

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  hand = createHandSession()
  const opened = new Promise<void>((resolve) => (open = resolve))
  Object.assign(hand.session.socket, { opened })
  session = signal<Session | undefined>(hand.session)
  own = signal<OwnForecast | undefined>(undefined)
  shown = signal<Previewed | undefined>(undefined)
  const classes = [
    { name: 'tug', dry_mass: 8000, fuel_capacity: 1000 },
    { name: 'courier', dry_mass: 20_000, fuel_capacity: 5000 },
  ]
  const client = { shipClasses: () => Promise.resolve({ ship_classes: classes }) }
  readings = createReadings({
    client: client as unknown as GameClient,
    session,
    target: signal<Thing | undefined>(),
    forecasts: { own } as Partial<ReadingsOptions['forecasts']> as ReadingsOptions['forecasts'],
    preview: { shown } as Partial<ReadingsOptions['preview']> as ReadingsOptions['preview'],
  })
})

afterEach(() => {
  session.value = undefined
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Reads the instruments at a lattice index. */
async function readAt(time: number): Promise<Readings | undefined> {
  hand.sky.time = time
  await vi.advanceTimersByTimeAsync(100)
  return readings.value
}

test('ten times a second, while the page is seen', async () => {
  hand.sky.time = 7
  await vi.advanceTimersByTimeAsync(99)
  expect(readings.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(readings.value?.time).toBe(7)
  expect((await readAt(8))?.time).toBe(8)
  page.hidden = true
  expect((await readAt(9))?.time).toBe(8)
  page.hidden = false
  expect((await readAt(10))?.time).toBe(10)
  hand.sky.isKnown = false
  expect(await readAt(11)).toBeUndefined()
})

test('the tank is known when there is a connection', async () => {
  expect((await readAt(1))?.own.fuelCapacity).toBeNaN()
  open()
  await vi.advanceTimersByTimeAsync(0)
  expect((await readAt(2))?.own.fuelCapacity).toBe(5000)
})

test('the next burn is that of the preview, and else the ordered one', async () => {
  const burnAt = (index: number): Forecast =>
    hand.forecast({ hours: 1 }, { from: 0, to: PER_HOUR, marks: [{ kind: 'burn_begin', index }] })
  expect((await readAt(1))?.burn).toBeUndefined()
  own.value = { forecast: burnAt(640), isStale: false }
  expect((await readAt(2))?.burn?.begin).toBe(640)
  shown.value = { orders: [], forecast: burnAt(1280), cost: undefined, problem: undefined }
  expect((await readAt(3))?.burn?.begin).toBe(1280)
  shown.value = { ...shown.value, forecast: undefined }
  expect((await readAt(4))?.burn?.begin).toBe(640)
})

test('the end of a session leaves nothing', async () => {
  let looks = 0
  vi.stubGlobal('document', {
    get hidden() {
      looks++
      return false
    },
  })
  await readAt(1)
  const before = looks
  expect(before).toBeGreaterThan(0)
  session.value = undefined
  expect(readings.value).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1000)
  expect([readings.value, looks]).toEqual([undefined, before])
})
