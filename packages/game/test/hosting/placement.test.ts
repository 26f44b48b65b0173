// Law: what a host has just taken is durable at once, so that followers show it. Method: the game
// without a network on a real database, whose own clock stands still.
import { hostOf, SYSTEM_IDS } from '../../src/index.ts'
import { Placement } from '../../src/hosting/placement.ts'
import { systemClock } from '@orrery/engine/testing'
import { giveSystems } from '@orrery/store'
import { expect, test } from 'vitest'
import { callingThread, openGameDatabase, openTestGame, until } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const [, FAR = ''] = SYSTEM_IDS

test('the first clock of a system that is taken becomes durable at once', async () => {
  await empty()
  const game = await openTestGame(database, { createPool: callingThread })
  const { owner } = game.records
  const host = hostOf('http://h1', '1.0.0')
  const owned: string[] = []
  const placement = new Placement({
    sql,
    bus: undefined,
    engine: game.engine,
    host,
    owner,
    era: () => 1,
    journal: game.journalWriter,
    clock: systemClock,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    mayTake: async () => false,
    onDigest: () => undefined,
    onOwned: (systemId) => owned.push(systemId),
    onGiven: () => undefined,
    isUnfit: () => false,
    onDrained: () => undefined,
  })
  await game.fly(1)
  await game.journalWriter.durable()
  await placement.follow([FAR])
  await giveSystems(sql, owner, { systems: [FAR], host: host.incarnation })
  await game.fly(1)
  const durable = async (): Promise<number> => {
    const [{ index }] = await sql<[{ index: number }]>`
      select max(lattice)::float8 as index from clock where system = ${FAR}`
    return index
  }
  const before = await durable()
  placement.start()
  await until(async () => (await durable()) > before)
  expect(owned).toEqual([FAR])
  await placement.stop()
  await game.crash()
})
