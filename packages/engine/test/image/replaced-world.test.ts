/**
 * Law: a world is replaced between two ticks, and from then on everything is about the other one;
 * no view is a mixture. Goal: status, reads, commands, metrics and ticks after a replacement,
 * during a tick, in a pause and after a fault; the old pool is closed, the new one flies.
 */
import { type Pool, type Universe, addShip, createGameClock } from '@orrery/engine/testing'
import { expect, it } from 'vitest'
import { START_INDEX, callingThread, globeWorld, universeOf } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

const OLD = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const NEW = '0f8fad5b-d9cb-469f-a165-70867728950e'

/** A world with one ship, and a pool that records its calls; `advance` may hold a tick. */
function inhabited(shipId: string, advance?: () => Promise<void>) {
  const world = globeWorld()
  addShip(world, shipId, shipId)
  const flier = callingThread(world)
  const calls: string[] = []
  const pool: Pool = {
    ...flier,
    advance: async (rounds) => {
      calls.push('flies')
      await advance?.()
      await flier.advance(rounds)
    },
    close: () => {
      calls.push('closed')
      return Promise.resolve()
    },
  }
  return { world, universe: universeOf(world), pool, calls }
}

const other = ({ universe, pool }: { universe: Universe; pool: Pool }) => ({
  universe,
  pool,
  gameClock: createGameClock(START_INDEX),
  tick: 77,
})

it('goes on with the other world at its tick and game time', async () => {
  const old = inhabited(OLD)
  const next = inhabited(NEW)
  const { engine, clock } = testEngine(old)
  await clock.advance(1000)
  const { gameTimeMs } = engine.status()
  await engine.replaceUniverse(other(next))
  expect(engine.universe).toBe(next.universe)
  expect(engine.status()).toMatchObject({ tick: 77, ships: 1, paused: false, ticksBehind: 0 })
  expect(engine.status().gameTimeMs).toBe(gameTimeMs - 1000)
  expect(await engine.ship(OLD)).toBeUndefined()
  expect(await engine.ship(NEW)).toMatchObject({ name: NEW })
  expect(old.calls.at(-1)).toBe('closed')
  const flights = old.calls.length
  await clock.advance(1000)
  expect(engine.status()).toMatchObject({ tick: 87, gameTimeMs })
  expect(next.world.index).toBe(START_INDEX + 64)
  expect(next.calls).toEqual(Array.from({ length: 10 }, () => 'flies'))
  expect(old.calls.length).toBe(flights)
  next.world.state.ships.condition[0] = 2
  expect(engine.metrics().frozenShips).toBe(1)
})

it('takes an index that was meant for the other world by its own clock', async () => {
  const old = inhabited(OLD)
  const next = inhabited(NEW)
  const { engine, clock } = testEngine(old)
  await clock.advance(10_000)
  const at = old.world.index + 64
  const asked = (shipId: string): number =>
    engine.control(shipId, { thrustLevel: 1 }, null, at).index
  expect(asked(OLD)).toBe(at)
  await engine.replaceUniverse(other(next))
  expect(() => asked(OLD)).toThrow(expect.objectContaining({ code: 'ERR_SHIP_UNKNOWN' }))
  expect(() => asked(NEW)).toThrow(expect.objectContaining({ code: 'ERR_CONTROL' }))
  await clock.advance(12_000)
  expect(asked(NEW)).toBe(next.world.index + 4)
})

it('waits for a running tick; reads that wait see the new world', async () => {
  let release: () => void = () => undefined
  const old = inhabited(OLD, () => new Promise((resolve) => (release = resolve)))
  const next = inhabited(NEW)
  const shown: boolean[] = []
  const { engine, clock } = testEngine({
    ...old,
    onPublish: () => shown.push(engine.universe === next.universe),
  })
  await clock.advance(100)
  const read = engine.ship(NEW)
  const renamed = engine.execute({ kind: 'rename_ship', shipId: NEW, name: 'Narcissus' })
  const refused = engine.execute({ kind: 'rename_ship', shipId: OLD, name: 'Stranger' })
  const replaced = engine.replaceUniverse(other(next))
  expect(engine.universe).toBe(old.universe)
  release()
  await expect(refused).rejects.toMatchObject({ code: 'ERR_SHIP_UNKNOWN' })
  await renamed
  await replaced
  expect(await read).toMatchObject({ name: NEW })
  expect((await engine.ship(NEW))?.name).toBe('Narcissus')
  // The tick that ended with the other world there showed neither.
  expect(shown).toEqual([])
  await clock.advance(100)
  expect(shown).toEqual([true])
  expect(engine.status().tick).toBe(78)
})

it('starts no tick before the old pool is closed', async () => {
  const old = inhabited(OLD)
  const next = inhabited(NEW)
  let close: () => void = () => undefined
  const closing: Promise<void> = new Promise((resolve) => (close = resolve))
  const { engine, clock } = testEngine({ ...old, pool: { ...old.pool, close: () => closing } })
  const replaced = engine.replaceUniverse(other(next))
  await clock.advance(5000)
  expect(engine.status()).toMatchObject({ tick: 77, ticksDropped: 0 })
  close()
  await replaced
  await clock.advance(1000)
  expect(engine.status()).toMatchObject({ tick: 87, ticksDropped: 0 })
})

it('keeps a pause, and a fault until a resume', async () => {
  const old = inhabited(OLD, () => Promise.reject(new Error('broken')))
  const next = inhabited(NEW)
  const faults: unknown[] = []
  const { engine, clock } = testEngine({ ...old, onFault: (error) => faults.push(error) })
  await clock.advance(100)
  expect(faults).toEqual([new Error('broken')])
  await engine.replaceUniverse(other(next))
  await clock.advance(1000)
  expect(engine.status()).toMatchObject({ tick: 77, paused: true, faulted: true })
  expect(await engine.resume()).toBe(77)
  await clock.advance(1000)
  expect(engine.status()).toMatchObject({ tick: 87, paused: false, faulted: false })
})

it('replaces nothing once it has stopped', async () => {
  const old = inhabited(OLD)
  const next = inhabited(NEW)
  const { engine } = testEngine(old)
  await engine.stop()
  const refusal = { code: 'ERR_STOPPED' }
  await expect(engine.replaceUniverse(other(next))).rejects.toMatchObject(refusal)
  expect(engine.universe).toBe(old.universe)
})
