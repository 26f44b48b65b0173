// Laws: the forecast that is shown is made again when the ship can fly another way, or has flown a
// good part of it, and not else; it says that it is out of date until then.
import type { Forecast } from '@orrery/client/flight'
import { type Signal, signal } from '@preact/signals'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Forecasts, createForecasts } from '../../src/forecast/forecasts.ts'
import type { ManeuverState } from '../../src/orders/ship-doing.ts'
import type { Session } from '../../src/session/session.ts'
import type { Thing } from '../../src/readings/thing.ts'
import { HeldServer, STATUS } from '../game/held-server.ts'
import { PER_HOUR, ScriptedFlight } from '../game/scripted-flight.ts'

const page = { hidden: false }

let server: HeldServer
let opened: Session
let scripted: ScriptedFlight
let forecasts: Forecasts
let session: Signal<Session | undefined>
let target: Signal<Thing | undefined>
let maneuver: Signal<ManeuverState | undefined>

beforeEach(async () => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  server = new HeldServer()
  opened = await server.open()
  scripted = new ScriptedFlight()
  session = signal<Session | undefined>(undefined)
  target = signal<Thing | undefined>(undefined)
  maneuver = signal<ManeuverState | undefined>(undefined)
  forecasts = createForecasts({ session, target, maneuver })
  session.value = { ...opened, flight: scripted.flight }
})

afterEach(() => {
  session.value = undefined
  opened.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)
const shown = (): Forecast | undefined => forecasts.own.value?.forecast

/** The forecasts that are asked for within a second. */
async function askedNow(): Promise<number> {
  const before = scripted.asked.length
  await pass(1000)
  return scripted.asked.length - before
}

test('one is made at the first look, and none while all is as it is', async () => {
  expect(forecasts.own.value).toBeUndefined()
  await pass(249)
  expect(scripted.asked).toHaveLength(0)
  await pass(1)
  expect(forecasts.own.value).toMatchObject({ isStale: false, forecast: { from: 64 } })
  expect(await askedNow()).toBe(0)
  expect(scripted.prepared).toBe(1)
})

test.each<[string, () => void]>([
  ['an order', () => server.send({ type: 'accepted', id: '1' })],
  ['an event', () => server.send({ type: 'event', event: 'locked', game_time: STATUS.game_time })],
  ['a correction', () => scripted.emit('ship', 'corrected')],
  ['another mode', () => scripted.emit('ship', 'mode')],
  ['other objects', () => scripted.emit('world', 'objects')],
  ['other hours', () => (forecasts.hours.value = 5)],
  ['a maneuver', () => (maneuver.value = { phase: 'burning' } as ManeuverState)],
])('%s makes it stale, and another one is made once', async (_, happen) => {
  await pass(250)
  happen()
  expect(forecasts.own.value?.isStale).toBe(true)
  scripted.answer = () => ({ end: 'impact' })
  expect(await askedNow()).toBe(1)
  expect(forecasts.own.value?.isStale).toBe(false)
  expect(await askedNow()).toBe(0)
  expect(scripted.prepared).toBe(1)
})

test('a maneuver that holds is none that ends', async () => {
  await pass(250)
  maneuver.value = { phase: 'holding' } as ManeuverState
  expect(await askedNow()).toBe(0)
})

test('it reaches as far as is chosen, and in a maneuver no less than before', async () => {
  forecasts.hours.value = 100
  await pass(250)
  expect(scripted.asked.map(({ hours }) => hours)).toEqual([100])
  scripted.now += 10 * PER_HOUR
  scripted.answer = () => ({ end: 'impact' })
  maneuver.value = { phase: 'burning' } as ManeuverState
  forecasts.hours.value = undefined
  await pass(250)
  expect(scripted.asked.map(({ hours }) => hours)).toEqual([100, 90])
  maneuver.value = undefined
  await pass(250)
  expect(scripted.asked.at(-1)?.hours).toBeLessThan(10)
})

test('another target is asked for, the same one is not', async () => {
  await pass(250)
  target.value = { kind: 'body', name: 'Moon' }
  expect(await askedNow()).toBe(1)
  expect(scripted.asked.at(-1)?.target).toEqual({ body: 'Moon' })
  target.value = { kind: 'body', name: 'Moon' }
  expect(await askedNow()).toBe(0)
})

test('a ship that leaves it by some metres flies another way', async () => {
  await pass(250)
  scripted.place = [7e6, 5.6, 0]
  expect(await askedNow()).toBe(0)
  scripted.place = [7e6, 4, 4.1]
  expect(await askedNow()).toBe(1)
  scripted.place = [7e9, 0, 0]
  expect(await askedNow()).toBe(1)
  scripted.place = [7e9, 0, 700]
  expect(await askedNow()).toBe(0)
  scripted.place = [7e9, 0, -710]
  expect(await askedNow()).toBe(1)
  scripted.body = 'Moon'
  expect(await askedNow()).toBe(1)
  scripted.isKnown = false
  scripted.place = [8e9, 0, 0]
  expect(await askedNow()).toBe(0)
})

test('two fifths of it are flown before it is made again', async () => {
  forecasts.hours.value = 10
  await pass(250)
  scripted.now += 4 * PER_HOUR
  expect(await askedNow()).toBe(0)
  scripted.now += 1
  expect(await askedNow()).toBe(1)
  expect(shown()?.from).toBe(scripted.now)
  expect(forecasts.own.value?.isStale).toBe(false)
})

test.each(['impact', 'frozen'] as const)('nothing follows its end, %s', async (end) => {
  forecasts.hours.value = 10
  scripted.answer = () => ({ end })
  await pass(250)
  scripted.now += 9 * PER_HOUR
  expect(await askedNow()).toBe(0)
  scripted.now += 2 * PER_HOUR
  expect(await askedNow()).toBe(0)
})

test('before it begins the ship is not off, and after its end it is', async () => {
  forecasts.hours.value = 10
  await pass(250)
  scripted.now -= 32
  expect(await askedNow()).toBe(0)
  expect(forecasts.own.value?.isStale).toBe(false)
  scripted.now += 11 * PER_HOUR
  scripted.answer = () => new Promise(() => undefined)
  await pass(250)
  expect(forecasts.own.value?.isStale).toBe(true)
})

test('a page that is not seen makes none', async () => {
  page.hidden = true
  expect(await askedNow()).toBe(0)
  page.hidden = false
  expect(await askedNow()).toBe(1)
})

test('one that fails is tried again after two seconds, and what is shown stays', async () => {
  await pass(250)
  scripted.answer = () => Promise.reject(new Error('failed'))
  scripted.emit('ship', 'corrected')
  await pass(250)
  const asked = scripted.asked.length
  await pass(1999)
  expect(scripted.asked).toHaveLength(asked)
  expect(forecasts.own.value?.isStale).toBe(true)
  scripted.answer = () => ({})
  await pass(1)
  expect(scripted.asked).toHaveLength(asked + 1)
  expect(forecasts.own.value?.isStale).toBe(false)
})

test('one at a time is made, and one that is late is shown as stale', async () => {
  let answer: (made: Partial<Forecast>) => void = () => undefined
  scripted.answer = () => new Promise((resolve) => (answer = resolve))
  maneuver.value = { phase: 'burning' } as ManeuverState
  await pass(2000)
  expect(scripted.asked).toHaveLength(1)
  scripted.emit('ship', 'corrected')
  answer({})
  await pass(0)
  expect(forecasts.own.value?.isStale).toBe(true)
  expect(scripted.asked).toHaveLength(1)
  scripted.answer = () => ({ end: 'impact' })
  expect(await askedNow()).toBe(1)
})

test('of another star system none is shown', async () => {
  await pass(250)
  scripted.emit('world', 'system')
  expect(forecasts.own.value).toBeUndefined()
  await pass(250)
  expect(forecasts.own.value?.isStale).toBe(false)
  scripted.emit('world', 'system')
  scripted.answer = () => {
    scripted.system.id = 'other'
    return {}
  }
  await pass(250)
  expect(forecasts.own.value).toBeUndefined()
})

test('the end of a session ends all of it', async () => {
  let answer: (made: Partial<Forecast>) => void = () => undefined
  await pass(250)
  scripted.answer = () => new Promise((resolve) => (answer = resolve))
  scripted.emit('ship', 'corrected')
  await pass(250)
  session.value = undefined
  expect([forecasts.own.value, forecasts.marks.value, scripted.listeners]).toEqual([
    undefined,
    [],
    0,
  ])
  answer({})
  expect(await askedNow()).toBe(0)
  expect(forecasts.own.value).toBeUndefined()
  forecasts.hours.value = 7
  server.send({ type: 'accepted', id: '1' })
  expect(await askedNow()).toBe(0)
})

test('its marks have names, and pass as time does', async () => {
  const at = (index: number): object => ({ kind: 'approach', index, distance: 1000, speed: 1 })
  const marks = [
    { ...at(128), shipId: 'ship-2' },
    { ...at(192), stationId: 'station-1' },
    { ...at(256), jumpgateId: 'elsewhere' },
    { kind: 'periapsis', body: 'Globe', distance: 6.5e6, index: 640 },
    { kind: 'apoapsis', body: 'Elsewhere', distance: 6.5e6, index: 704 },
  ] as Forecast['marks']
  scripted.answer = () => ({ marks })
  expect(forecasts.marks.value).toEqual([])
  await pass(250)
  const words = (): string[] => forecasts.marks.value.map(({ name, detail }) => `${name} ${detail}`)
  expect(words().slice(0, 4)).toEqual([
    'Closest to Lambert 1.000 km at 1.000 m/s',
    'Closest to Gateway 1.000 km at 1.000 m/s',
    'Closest to elsewhere 1.000 km at 1.000 m/s',
    'Periapsis 100.0 km',
  ])
  scripted.now = 192
  await pass(250)
  expect(words()[0]).toMatch(/^Closest to elsewhere/)
})
