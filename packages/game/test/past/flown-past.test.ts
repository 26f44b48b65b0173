// Law: a past moment that is flown again has the digests that were recorded, and each ship's bits;
// where nothing is kept, or the journal was changed, a sentence says so and the game goes on.
// Method: the game without a network on a real database, flown by calls; ships fly on this thread.
import { createMirror } from '@orrery/engine'
import { systemClock } from '@orrery/engine/testing'
import { BLOCK_QUANTA } from '@orrery/sim'
import { settings } from '@orrery/store'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FlownPast, createFlownPast } from '../../src/index.ts'
import { type TestGame, callingThread, openGameDatabase, openTestGame } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

let game: TestGame
let past: FlownPast
let mirror: ReturnType<typeof createMirror>

beforeEach(async () => {
  await empty()
  await settings(sql).save({ tickRate: 10, timeScale: 100 })
  game = await openTestGame(database, { createPool: callingThread })
  await game.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Ida' })
  mirror = createMirror({
    clock: systemClock,
    shipsMax: 256,
    settings: () => ({ adaptiveTickRate: false, timeSyncEnabled: false, goalMs: undefined }),
    commands: {
      execute: () => Promise.reject(new Error('The past takes no command')),
      control: () => Promise.reject(new Error('The past takes no command')),
    },
    onPublish: () => undefined,
    onCommand: () => undefined,
    onOrdered: () => undefined,
    onEvent: () => undefined,
    onReplaced: () => undefined,
  })
  past = opened()
})

afterEach(async () => {
  mirror.stop()
  await game.crash()
})

function opened(systemId = 'sol'): FlownPast {
  const onStride = (): void => undefined
  return createFlownPast({ sql, systemId, shipsMax: 256, mirror, onStride })
}

/** Flies, and notes what the ship is seen like at the end. */
async function flown(ticks: number): Promise<{ index: number; ship: unknown }> {
  await game.fly(ticks)
  await game.journalWriter.durable()
  const [{ index }] = game.engine.universe.worlds
  return { index, ship: await game.engine.ship(SHIP) }
}

const refusedWith = (message: RegExp): unknown =>
  expect.objectContaining({ code: 'E003', status: 409, message: expect.stringMatching(message) })

test('each past moment is flown again to the bit, forwards and back', async () => {
  const { engine, keeper } = game
  const first = await flown(9)
  engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  const second = await flown(150)
  await keeper.snapshot()
  await engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Ada' })
  engine.control(SHIP, { pointing: 'retrograde', thrustLevel: 0.25 })
  const third = await flown(40)
  await flown(20)
  for (const { index, ship } of [second, third, first, second]) {
    await past.flyTo(index)
    expect(mirror.sky().index).toBe(index)
    const { lastManeuver: _, ...seen } = Object(await mirror.ship(SHIP))
    expect(ship).toMatchObject(seen)
  }
  const [{ index }] = game.engine.universe.worlds
  const reading = await past.flyTo(index)
  expect(reading.compared).toBeGreaterThan(5)
  expect(reading.equal).toBe(reading.compared)
})

test('a system that was ahead of its stored world is flown from an earlier one', async () => {
  const { engine, keeper } = game
  const { index } = await flown(9)
  const replay = await engine.followed.letGo('trappist-1')
  await engine.followed.fly(() => replay.flyTo(index + 640, 0))
  await keeper.snapshot()
  // Its owner is durable there.
  await sql`update clock set lattice = ${index + 640}
    where system = 'trappist-1' and lattice = ${index}`
  past = opened('trappist-1')
  await past.flyTo(index + 320)
  expect(mirror.universe.worlds[0].index).toBe(index + 320)
})

test('a changed row makes digests unequal, and one that cannot be flown is named', async () => {
  game.engine.control(SHIP, { pointing: 'prograde', thrustLevel: 0.5 })
  const { index } = await flown(60)
  await sql`
    update journal set command = jsonb_set(command, '{control,thrustLevel}', '0.6')
    where command #>> '{control,thrustLevel}' = '0.5'`
  const { compared, equal } = await past.flyTo(index)
  expect(compared).toBeGreaterThan(5)
  expect(equal).toBeLessThan(compared)
  const damaged = sql.json({ kind: 'warp' })
  await sql`update journal set command = ${damaged} where command ->> 'kind' = 'control'`
  // The first flight keeps worlds on its way, which may be after the command.
  past = opened()
  await expect(past.flyTo(index)).rejects.toMatchObject({ code: 'ERR_FOLLOWER_ROW' })
  const { tick } = game.engine.status()
  await flown(2)
  expect(game.engine.status().tick).toBe(tick + 2)
})

test('what is not kept, not past or of another world is refused by name', async () => {
  const [{ index: begin }] = game.engine.universe.worlds
  const { index } = await flown(30)
  const before = past.flyTo(index - 100 * BLOCK_QUANTA)
  await expect(before).rejects.toEqual(refusedWith(/^This world began at .*, as a new world: /))
  await expect(past.flyTo(index + 64)).rejects.toEqual(refusedWith(/is not past: sol is known up/))
  await past.flyTo(index)
  await game.keeper.reset()
  await flown(1)
  await expect(past.flyTo(begin)).rejects.toEqual(refusedWith(/when the game was reset: nothing/))
})
