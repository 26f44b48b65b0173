/**
 * Law: a tick that breaks loses nothing. Goal: when it is gone on with, in ticks of whatever
 * length, also from an image, ships have the bits, digests and maneuvers they would have had, and
 * commands given meanwhile act. Method: a kernel that throws in random calls; ships in two chunks
 * under orders, of which some chase each other.
 */
import {
  type ManeuverEvent,
  type Pool,
  type SystemDigest,
  type World,
  addShip,
  restoreUniverse,
  worldImage,
} from '@orrery/engine/testing'
import {
  BEAT_QUANTA,
  CHUNK_SLOTS,
  type Control,
  POINTINGS,
  SHIP_COLUMNS,
  advanceChunk,
  createFlight,
} from '@orrery/sim'
import { createChance, testSeed } from '@orrery/testkit'
import { byTier } from '@orrery/testkit/tier'
import { expect, it } from 'vitest'
import { acceptControl } from '../../src/world/intake.ts'
import { watchKernel } from '../pool/faults.ts'
import { START_INDEX, globe, globeWorld } from '../globe.ts'
import { type TestOptions, testEngine } from '../test-engine.ts'

const SEED = testSeed('broken ticks')
const TICK_QUANTA = 6400
const END = START_INDEX + 3 * TICK_QUANTA
const SHIPS = 262
const BREAKS = 4
const TRIALS = byTier({ gate: 2, night: 4 })

/** Flies like the calling thread, and breaks in the given calls to the kernel. */
function breakingPool(world: World, breaks: ReadonlySet<number>, counted = { calls: 0 }): Pool {
  const { state, flight } = world
  const kernel = watchKernel(flight.kernel, () => {
    if (breaks.has(++counted.calls)) throw new Error(`Call ${counted.calls} throws as ordered.`)
  })
  const breaking = createFlight(state, flight.territory, kernel)
  return {
    advance: ([round]) => {
      const { target = -Infinity, meetingOnly = false } = round ?? {}
      for (let chunk = 0; chunk < state.chunks; chunk++) {
        if (meetingOnly && state.chunk.chunkMeets[chunk] === 0) continue
        advanceChunk(breaking, chunk, target)
      }
      return Promise.resolve()
    },
    status: () => ({ threads: 0, failures: 0, busyMs: 0 }),
    close: () => Promise.resolve(),
  }
}

/** Ships in two chunks; those at the ends of the roll are ordered about. */
function orderedWorld(): World {
  const world = globeWorld()
  for (let i = 0; i < SHIPS; i++) addShip(world, `ship-${i}`, `Ship ${i}`)
  world.maneuvers.level = 'verbose'
  for (let step = 0; step < 60; step++) {
    const number = step % 2 === 0 ? 1 + (step % 7) : SHIPS - (step % 5)
    const pointing = POINTINGS[step % POINTINGS.length]
    const control: Control = {
      thrustLevel: (step % 4) / 10,
      pointing,
      ...(pointing === 'target' && { target: SHIPS + 1 - number }),
    }
    const index = START_INDEX + 300 * step
    acceptControl(world.intake, world.roster.byNumber.get(number)!, control, index, index)
  }
  return world
}

interface Course {
  readonly breaks?: readonly number[]
  /** ticks per second after a fault */
  readonly rateHz?: number
  readonly restored?: boolean
}

/** Flies the script to its end, whatever breaks. */
async function flown({ breaks = [], rateHz = 1, restored = false }: Course) {
  const counted = { calls: 0 }
  const digests: SystemDigest[] = []
  const maneuvers: ManeuverEvent[] = []
  const faults: unknown[] = []
  const options: TestOptions = {
    tickRate: 1,
    timeScale: TICK_QUANTA / 64,
    onDigest: (digest) => digests.push(digest),
    onManeuver: (event) => maneuvers.push({ ...event, tick: 0 }),
    onFault: (error) => faults.push(error),
  }
  const world = orderedWorld()
  const pool = breakingPool(world, new Set(breaks), counted)
  const { engine, clock } = testEngine({ ...options, world, pool })
  for (let faulted = 0, periodMs = 1000; engine.universe.worlds[0].index < END;) {
    await clock.advance(periodMs)
    await engine.whenSettled(() => undefined)
    if (faults.length === faulted) continue
    faulted = faults.length
    engine.changeTickRate(rateHz)
    periodMs = 1000 / rateHz
    if (restored) {
      const image = structuredClone(await engine.image())
      const next = restoreUniverse(image, { systems: [globe()], shipsMax: 512 })
      await engine.replaceUniverse({
        ...next,
        pool: breakingPool(next.universe.worlds[0], new Set(breaks), counted),
      })
    }
    await engine.resume()
  }
  await engine.stop()
  expect(faults).toHaveLength(breaks.length)
  const [{ index, state }] = engine.universe.worlds
  expect(index).toBe(END)
  const { ships } = state
  const columns = SHIP_COLUMNS.filter(({ name }) => name !== 'sighting').map(
    ({ name, components }) => [name, ships[name].slice(0, 2 * CHUNK_SLOTS * components)] as const,
  )
  maneuvers.sort(
    (a, b) => a.index - b.index || a.shipNumber - b.shipNumber || a.ordinal - b.ordinal,
  )
  return { calls: counted.calls, digests, maneuvers, columns }
}

const whole = await flown({})

const courses = [
  { rateHz: 10 },
  { rateHz: 1, restored: true },
  { rateHz: 1 },
  { rateHz: 10, restored: true },
]

it.each(courses.slice(0, byTier({ gate: 2, night: 4 })))(
  'goes on to the same bits with %o',
  async (course) => {
    const chance = createChance(SEED)
    for (let trial = 0; trial < TRIALS; trial++) {
      const breaks = Array.from({ length: BREAKS }, () => 1 + chance.below(whole.calls))
      const { digests, maneuvers, columns } = await flown({
        ...course,
        breaks: [...new Set(breaks)],
      })
      const where = `seed ${SEED}, breaks ${breaks.join()}`
      expect(maneuvers, `maneuvers, ${where}`).toEqual(whole.maneuvers)
      for (const [i, [name, column]] of columns.entries()) {
        expect(column, `${name}, ${where}`).toEqual(whole.columns[i][1])
      }
      // A restored world publishes no digests of blocks in which it was stored.
      const due = course.restored
        ? whole.digests.filter(({ index }) => digests.some((digest) => digest.index === index))
        : whole.digests
      expect(digests, `digests, ${where}`).toEqual(due)
    }
  },
)

it('is about worlds in which something happens', () => {
  expect(whole.digests).toHaveLength(3)
  expect(whole.maneuvers.length).toBeGreaterThan(40)
  expect(new Set(whole.maneuvers.map(({ eventType }) => eventType)).size).toBeGreaterThan(3)
})

it('keeps commands that were accepted before, and takes others after', async () => {
  const world = globeWorld()
  addShip(world, 'own', 'Own')
  const [{ slot }] = world.roster.byId.values()
  const faults: unknown[] = []
  const pool = breakingPool(world, new Set())
  const advance: Pool['advance'] = async ([round]) => {
    if (faults.length > 0 || !round) return pool.advance([round])
    await pool.advance([{ ...round, target: round.target - 40 }])
    faults.push(round.target)
    throw new Error('The pool throws as ordered.')
  }
  const { engine, clock } = testEngine({
    world,
    pool: { ...pool, advance },
    tickRate: 1,
    onFault: () => undefined,
  })
  const { ships } = world.state
  engine.control('own', { thrustLevel: 1 })
  acceptControl(
    world.intake,
    world.roster.byId.get('own')!,
    { thrustLevel: 0.5 },
    START_INDEX + 40,
    START_INDEX,
  )
  await clock.advance(1000)
  expect(ships.thrustLevel[slot]).toBe(1)
  const [header] = (await engine.image()).header.worlds
  expect(header).toMatchObject({ pending: 1, index: START_INDEX, settled: START_INDEX + 64 })
  expect(engine.control('own', { thrustLevel: 0 }).index).toBeGreaterThan(START_INDEX + 64)
  await engine.resume()
  await clock.advance(1000)
  expect(ships.thrustLevel[slot]).toBe(0.5)
  await clock.advance(1000)
  expect(ships.thrustLevel[slot]).toBe(0)
  expect(
    worldImage(world, { index: world.index, remainder: 0n, denominator: 1n }, 3).header,
  ).not.toHaveProperty('settled')
})

it('sights a target no earlier than it was ordered to', async () => {
  const world = globeWorld()
  for (const shipId of ['hunter', 'prey']) addShip(world, shipId, shipId)
  world.maneuvers.level = 'verbose'
  const hunter = world.roster.byId.get('hunter')!
  const pool = breakingPool(world, new Set())
  let broken = false
  const advance: Pool['advance'] = async (rounds) => {
    await pool.advance(rounds)
    if (broken || world.state.ships.sighting[hunter.slot] < 0) return
    broken = true
    throw new Error('The pool throws as ordered.')
  }
  const sighted: number[] = []
  const ticks = new Set<number>()
  const { engine, clock } = testEngine({
    world,
    pool: { ...pool, advance },
    tickRate: 1,
    timeScale: 10,
    onFault: () => undefined,
    onManeuver: ({ eventType, index, tick }) => {
      ticks.add(tick)
      if (eventType === 'phase_changed') sighted.push(index)
    },
  })
  const order = START_INDEX + 300
  const control = { pointing: 'target', target: engine.shipNumber('hunter', 'prey') } as const
  acceptControl(world.intake, hunter, control, order, order)
  await clock.advance(1000)
  expect(broken).toBe(true)
  await engine.resume()
  await clock.advance(1000)
  expect(sighted).toEqual([START_INDEX + 5 * BEAT_QUANTA])
  expect(ticks, 'the tick that broke, which is the first').toEqual(new Set([1]))
})

it('refuses structural commands until the next tick has completed a broken one', async () => {
  const world = globeWorld()
  addShip(world, 'leaving', 'Leaving')
  let broken = false
  const pool = breakingPool(world, new Set())
  const advance: Pool['advance'] = (rounds) => {
    if (broken) return pool.advance(rounds)
    broken = true
    return Promise.reject(new Error('The pool throws as ordered.'))
  }
  const { engine, clock } = testEngine({
    world,
    pool: { ...pool, advance },
    tickRate: 1,
    onFault: () => undefined,
  })
  engine.control('leaving', { thrustLevel: 1 })
  await clock.advance(1000)
  const remove = { kind: 'remove_ship', shipId: 'leaving' } as const
  const refusal = expect.objectContaining({ code: 'ERR_TICK_BROKEN' })
  await expect(engine.execute(remove)).rejects.toEqual(refusal)
  await engine.resume()
  await expect(engine.execute(remove)).rejects.toEqual(refusal)
  await clock.advance(1000)
  await engine.execute(remove)
  expect(world.index).toBe(START_INDEX + 64)
  expect(world.roster.byId.size).toBe(0)
})
