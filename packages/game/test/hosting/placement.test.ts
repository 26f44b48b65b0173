// Law: what a host has just taken is durable at once, so that followers show it; what it cannot fly
// is named. Method: the game without a network on a real database, whose own clock stands still.
import { hostOf, SYSTEM_IDS } from '../../src/index.ts'
import { Placement } from '../../src/hosting/placement.ts'
import { systemClock } from '@orrery/engine/testing'
import { type Host, giveSystems } from '@orrery/store'
import { expect, test } from 'vitest'
import { callingThread, openGameDatabase, openTestGame, until } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()
const { sql } = database

const [, FAR = ''] = SYSTEM_IDS

/** Places systems of a game on one host. */
function placed(
  { engine, journalWriter, records }: Awaited<ReturnType<typeof openTestGame>>,
  host: Host,
): { placement: Placement; owned: string[]; unflyable: string[] } {
  const owned: string[] = []
  const unflyable: string[] = []
  const placement = new Placement({
    sql,
    bus: undefined,
    engine,
    host,
    owner: records.owner,
    era: () => 1,
    journal: journalWriter,
    clock: systemClock,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
    mayTake: async () => false,
    onDigest: () => undefined,
    onOwned: (systemId) => owned.push(systemId),
    onUnflyable: (systemId) => unflyable.push(systemId),
    onGiven: () => undefined,
    isUnfit: () => false,
    onDrained: () => undefined,
  })
  return { placement, owned, unflyable }
}

test('the first clock of a system that is taken becomes durable at once', async () => {
  await empty()
  const game = await openTestGame(database, { createPool: callingThread })
  const { owner } = game.records
  const host = hostOf('http://h1', '1.0.0')
  const { placement, owned, unflyable } = placed(game, host)
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
  expect(unflyable).toEqual([])
  await placement.stop()
  await game.crash()
})

test('a system that is taken and cannot be flown on is named, and not owned', async () => {
  await empty()
  const game = await openTestGame(database, { createPool: callingThread })
  const { owner } = game.records
  const host = hostOf('http://h1', '1.0.0')
  const { placement, owned, unflyable } = placed(game, host)
  await game.fly(1)
  await game.journalWriter.durable()
  await placement.follow([FAR])
  await sql`
    insert into journal (era, system, sequence, lattice, command)
    select 1, ${FAR}, max(sequence) + 1, max(lattice), '{"kind": "unheard_of"}'
    from clock where system = ${FAR}`
  await sql`update clock set sequence = sequence + 1 where system = ${FAR}`
  await giveSystems(sql, owner, { systems: [FAR], host: host.incarnation })
  placement.start()
  await until(() => unflyable.length > 0)
  expect(new Set(unflyable)).toEqual(new Set([FAR]))
  expect(owned).toEqual([])
  expect(owner.claims().has(FAR)).toBe(false)
  await placement.stop()
  await game.crash()
})
