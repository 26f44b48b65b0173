/**
 * Law: an image of the release before, which held all systems in one state, opens: every ship is
 * in its system and where it was, with what it was ordered to do, and flies on. Method: an image
 * that release made of 36 ships in five chunks of the systems 'alone' and 'pair'. They turn, burn,
 * point at each other, hit the ground soon, or are frozen; one has left its watcher's system, and
 * one points at a ship of another. With it came each ship's view.
 */
import {
  type ManeuverEvent,
  type RestoredUniverse,
  type ShipNotice,
  type ShipView,
  type SystemDigest,
  type Universe,
  createGameClock,
  restoreUniverse,
  universeImage,
} from '@orrery/engine'
import {
  BLOCK_QUANTA,
  CHUNK_SLOTS,
  FLYING,
  boundaryAfter,
  chunkPhase,
  loadEndedHull,
} from '@orrery/sim'
import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { SEAL_BYTES } from '../src/image/image-bytes.ts'
import { shipView } from '../src/views/ship-view.ts'
import { findShip } from '../src/world/universe.ts'
import { pair } from './busy-world.ts'
import { globe } from './globe.ts'
import { resealed } from './resealed.ts'
import { testEngine } from './test-engine.ts'

interface Former {
  readonly header: Record<string, unknown>
  /** base64 */
  readonly bytes: string
  readonly ships: readonly {
    readonly number: number
    readonly view: ShipView
  }[]
}

const packed = readFileSync(new URL('former-image.json.zst', import.meta.url))
const { header, bytes: encoded, ships }: Former = JSON.parse(zstdDecompressSync(packed).toString())
const bytes = new Uint8Array(Buffer.from(encoded, 'base64'))
const INDEX = 1_001_817
const TICK = 284

const room = { systems: [globe(), pair()], shipsMax: 1024 }
const opened = (): RestoredUniverse => restoreUniverse({ header, bytes }, room)

const placeOf = (universe: Universe, shipId: string): NonNullable<ReturnType<typeof findShip>> =>
  findShip(universe, shipId)!

/** The largest difference of two lists of numbers. */
const apart = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - b[i])))

/** In a step of 2 s, at full throttle [kg]. */
const SPARED_MAX = 25

it('opens with every ship in its system and where it was', () => {
  const { universe, gameClock, tick } = opened()
  expect([tick, gameClock.index, String(gameClock.remainder)]).toEqual([TICK, INDEX, '6000000'])
  expect(universe.worlds.map(({ index, roster }) => [index, roster.byId.size])).toEqual([
    [INDEX, 19],
    [INDEX, 17],
  ])
  expect(ships).toHaveLength(36)
  for (const { number, view } of ships) {
    const { world, entry } = placeOf(universe, view.shipId)
    expect(entry).toMatchObject({ number, name: view.name })
    const { position, velocity, attitude, fuel, ...rest } = shipView(world, entry, 0)
    expect(rest).toMatchObject({
      systemId: view.systemId,
      referenceBody: view.referenceBody,
      thrustLevel: view.thrustLevel,
      frozen: view.frozen,
    })
    // Shown were values between the ends of a step, and the cut integrates to their index.
    expect(apart(position, view.position)).toBeLessThan(1e-3)
    expect(apart(velocity, view.velocity)).toBeLessThan(1e-3)
    expect(apart(attitude, view.attitude)).toBeLessThan(1e-3)
    // Engines take half the fuel since, from the start of the open step.
    const spared = view.thrustLevel > 0 ? SPARED_MAX : 1e-6
    expect(Math.abs(fuel - view.fuel)).toBeLessThan(spared)
  }
})

it('gives each system the numbers, objects, orders and maneuvers that were its own', () => {
  const { worlds } = opened().universe
  expect(worlds.map(({ intake, roster }) => [intake.sequence, roster.nextNumber])).toEqual([
    [27, 787],
    [27, 787],
  ])
  expect(worlds.map(({ stations }) => [...stations.keys()])).toEqual([['depot'], ['harbour']])
  expect(worlds.map(({ jumpgates }) => [...jumpgates.keys()])).toEqual([[], ['gate']])
  expect(worlds.map(({ intake }) => intake.pending.map(({ ship }) => ship.shipId))).toEqual([
    ['far-alone-2'],
    ['pair-2', 'pair-3'],
  ])
  expect(worlds.map(({ maneuvers }) => maneuvers.level)).toEqual(['verbose', 'verbose'])
  expect(worlds.map(({ maneuvers }) => [...maneuvers.debugged])).toEqual([[], [779]])
  for (const { maneuvers, roster } of worlds) {
    for (const number of maneuvers.open.keys()) expect(roster.byNumber.has(number)).toBe(true)
  }
  expect(worlds.map(({ maneuvers }) => maneuvers.open.size)).toEqual([7, 7])
})

/** The image, and as if it were of a broken tick, which has brought some ships further. */
const images = [
  { header, bytes },
  resealed({ ...header, index: INDEX - 10, settled: INDEX }, bytes),
]

it('begins steps at its index that cross no boundary of their chunk', () => {
  for (const image of images) {
    for (const { flight, state, index } of restoreUniverse(image, room).universe.worlds) {
      const { condition, stepEnd, stepStart } = state.ships
      const { hulls } = flight.stepper
      for (let slot = 0; slot < state.slots; slot++) {
        if (condition[slot] !== FLYING) continue
        const start = stepStart[slot]
        const chunk = Math.floor(slot / CHUNK_SLOTS)
        expect(image === images[0] ? start : index).toBe(index)
        expect(start).toBeGreaterThanOrEqual(index)
        expect(stepEnd[slot]).toBeGreaterThan(start)
        expect(stepEnd[slot]).toBeLessThanOrEqual(
          boundaryAfter(start, BLOCK_QUANTA, chunkPhase(chunk)),
        )
        expect(stepEnd[slot]).toBeGreaterThanOrEqual(state.chunk.chunkDue[chunk])
        loadEndedHull(hulls, state.ships, slot)
        expect(Math.hypot(...hulls.attitude.subarray(0, 4))).toBeCloseTo(1, 9)
      }
    }
  }
})

function expectTurned(universe: Universe, shipId: string, order: readonly number[]): void {
  const { world, entry } = placeOf(universe, shipId)
  const { attitude } = shipView(world, entry, 0)
  const along = attitude.reduce((sum, value, i) => sum + value * order[i], 0)
  expect(Math.abs(along) / Math.hypot(...order)).toBeCloseTo(1, 9)
}

/** Flies five minutes, with a burn and a transfer. */
async function flown(restored: RestoredUniverse): Promise<{
  readonly digests: readonly SystemDigest[]
  readonly events: readonly ManeuverEvent[]
  readonly notices: readonly ShipNotice[]
  readonly universe: Universe
}> {
  const digests: SystemDigest[] = []
  const events: ManeuverEvent[] = []
  const notices: ShipNotice[] = []
  const options = {
    tickRate: 1,
    timeScale: 10,
    onDigest: (digest: SystemDigest) => digests.push(digest),
    onEvent: (notice: ShipNotice) => notices.push(notice),
    onManeuver: (event: ManeuverEvent) => events.push(event),
  }
  const { engine, clock, universe } = testEngine({ ...restored, ...options })
  // A broken tick is completed before commands act.
  await clock.advance(1000)
  engine.control('far-pair-0', { thrustLevel: 1, pointing: 'prograde' })
  await engine.execute({ kind: 'transfer_ship', shipId: 'alone-0', systemId: 'pair' })
  await clock.advance(30_000)
  await engine.stop()
  return { digests, events, notices, universe }
}

it('flies on as it was ordered, with a digest at each boundary', async () => {
  const { digests, events, notices, universe } = await flown(opened())
  expect(universe.worlds.map(({ roster }) => roster.byId.size)).toEqual([18, 18])
  for (const systemId of ['alone', 'pair']) {
    const own = digests.filter((digest) => digest.systemId === systemId)
    expect(own.map(({ index }) => index)).toEqual(
      Array.from({ length: own.length }, (_, i) => own[0].index + i * BLOCK_QUANTA),
    )
    expect(own.length).toBeGreaterThan(2)
  }
  const { state } = universe.worlds[1]
  const burnt = placeOf(universe, 'far-pair-0')
  expect(burnt.world.state.ships.fuel[burnt.entry.slot]).toBeLessThan(9900)
  expect(placeOf(universe, 'alone-0').world.state).toBe(state)
  const outcome = (id: string): unknown => events.findLast(({ shipId }) => shipId === id)
  expect(outcome('alone-4')).toMatchObject({ eventType: 'completed', targetId: 'far-alone-5' })
  expect(outcome('far-pair-4')).toMatchObject({ eventType: 'completed', targetId: 'pair-5' })
  for (const id of ['pair-4', 'pair-6']) {
    expect(outcome(id)).toMatchObject({ statusText: 'The target is lost' })
  }
  const impact = { shipId: 'pair-8', kind: 'impact', index: INDEX + 103 }
  expect(notices.filter(({ kind }) => kind === 'impact')).toMatchObject([impact])
})

it('flies on alike from an image of its own', async () => {
  for (const image of images) {
    const { universe, gameClock, tick } = restoreUniverse(image, room)
    const own = restoreUniverse(universeImage(universe, gameClock, tick), room)
    const { digests, universe: later } = await flown(restoreUniverse(image, room))
    expectTurned(later, 'alone-2', [1, 2, -3, 0.5])
    expectTurned(later, 'far-alone-6', [-1, 2, 0.3, 0.5])
    expect(digests.length).toBeGreaterThan(4)
    expect((await flown(own)).digests).toEqual(digests)
  }
})

it('is refused when it is damaged, or not of this catalog', () => {
  const refused = (stored: object, message: RegExp): void =>
    expect(() => restoreUniverse(stored as Former & { bytes: Uint8Array }, room)).toThrow(
      expect.objectContaining({ code: 'ERR_IMAGE', message: expect.stringMatching(message) }),
    )
  for (let bit = 0; bit < 8 * bytes.length; bit += 499_979) {
    const flipped = bytes.slice()
    flipped[Math.floor(bit / 8)] ^= 1 << (bit % 8)
    refused({ header, bytes: flipped }, /another checksum/)
  }
  refused({ header, bytes: bytes.slice(1) }, /bytes when its header says/)
  refused({ header, bytes: bytes.slice(0, -SEAL_BYTES) }, /bytes when its header says/)
  refused({ header: { ...header, tick: TICK + 1 }, bytes }, /another checksum/)
  const written = (changes: object): object => resealed({ ...header, ...changes }, bytes)
  refused(written({ physics: 99 }), /physics: /)
  refused(written({ systems: [] }), /systems: /)
  refused(written({ chunkSystems: [0, -1, 1, 0] }), /bytes when its header says/)
  refused(written({ chunkSystems: [0, -1, 1, 0, 2] }), /names 36 ships when its systems have 27/)
  const [alone, second] = header['systems'] as [object, object]
  refused(written({ systems: [alone, { ...second, id: 'gone' }] }), /unknown system gone/)
  refused(written({ systems: [alone, { ...second, bodies: 3 }] }), /bytes when its header says/)
  refused(written({ systems: [alone] }), /bytes when its header says/)
})

it('measures drift from its own energy and momentum, since physics may have changed them', () => {
  const reference = ({ universe }: RestoredUniverse): unknown =>
    universe.worlds.map(({ integration }) => integration.reference)
  const scrambled = bytes.slice()
  // The last double before the seal is of the second system's reference.
  new DataView(scrambled.buffer).setFloat64(bytes.length - SEAL_BYTES - 8, 1e40, true)
  const stored = resealed(header, scrambled)
  expect(reference(restoreUniverse(stored, room))).toEqual(reference(opened()))
})

it('is stored as an image of this release', () => {
  const { universe, tick } = opened()
  const image = universeImage(universe, createGameClock(INDEX), tick)
  const again = restoreUniverse(image, room).universe
  expect(universeImage(again, createGameClock(INDEX), tick)).toEqual(image)
})
