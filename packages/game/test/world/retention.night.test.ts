// Goal: a player who steers and renames as fast as the limits allow fills the database up to a
// bound and no further, however long; all that is kept then can be replayed and restored. Method:
// the game without a network on a real database; two hours pass by calls, twelve times as long as
// the journal reaches; ships fly on this thread.
import { type Rule, type WorldCommand, inside } from '@orrery/engine/testing'
import { createChance, testSeed } from '@orrery/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recoverUniverse } from '../../src/world/recovery.ts'
import { type TestGame, callingThread, openGameDatabase, openTestGame } from '../game-fixture.ts'

const JOURNAL_MS = 10 * 60_000
const MINUTES = 120

/** Between two worlds that an admin stores; the journal no longer reaches back to the first. */
const ADMIN_MINUTES = 50

/** Seconds of each minute with orders; the others would cost the test a minute. */
const BUSY_SECONDS = 4

/** Control boundaries of a second, each with a row of its own. */
const ROWS_PER_SECOND = 16

/** What the README promises of a row, its index and its part of clocks and digests. */
const ROW_BYTES = 400

/** What renames and rules of a pilot may add, see `pilot-rate-limits`. */
const BUDGET_BYTES = 131_072
const BUDGET_BYTES_PER_SECOND = 512

/** The journal is a quarter longer than it has to be, and a minute until it is pruned. */
const LONGEST_SECONDS = (1.25 * JOURNAL_MS) / 1000 + 60

const STEERING_BYTES_PER_SECOND = (BUSY_SECONDS / 60) * ROWS_PER_SECOND * ROW_BYTES
/** What was deleted is used again; a quarter more is enough for that. */
const BOUND_BYTES =
  1.25 * (BUDGET_BYTES + LONGEST_SECONDS * (STEERING_BYTES_PER_SECOND + BUDGET_BYTES_PER_SECOND))

const { database, empty } = await openGameDatabase()
const { sql } = database
const seed = testSeed('retention')
const chance = createChance(seed)

let game: TestGame

beforeAll(async () => {
  await empty()
  game = await openTestGame(database, { journalMs: JOURNAL_MS, createPool: callingThread })
})

afterAll(async () => {
  await game.crash()
})

/** A rule that never fires, with a text that hardly compresses. */
function longRule(): Rule {
  const words = Array.from({ length: 1000 }, () => chance.below(2 ** 31).toString(36))
  const condition = { kind: 'time', above: 2 ** 52 } as const
  const source = JSON.stringify(words)
  return { ruleId: 'long', name: 'Long', once: true, armed: false, condition, source }
}

/** A second of orders for each control boundary, a rename, and as many rules as are taken. */
async function busySecond(shipId: string, actor: string): Promise<void> {
  const { engine, journalWriter } = game
  const next = 64 + 4 * Math.ceil(engine.universe.worlds[0].index / 4)
  for (let i = 0; i < ROWS_PER_SECOND; i++) {
    const [w, x, y, z, throttle] = Array.from({ length: 5 }, () => chance.below(2 ** 30) / 2 ** 30)
    const control = { attitude: [w, x, y, z - 0.5] as const, thrustLevel: throttle }
    engine.control(shipId, control, actor, next + 4 * i)
  }
  const give = (command: WorldCommand): Promise<boolean> =>
    engine.execute(command, { actor }).then(
      () => true,
      ({ code }: { code: string }) => {
        expect(code).toBe('ERR_BUDGET')
        return false
      },
    )
  await give({ kind: 'rename_ship', shipId, name: `Ship ${chance.below(10 ** 9)}` })
  while (await give({ kind: 'change_rule', shipId, rule: longRule() }));
  await game.fly(1)
  await journalWriter.durable()
}

async function bytesOf(...tables: readonly string[]): Promise<number> {
  const [{ bytes }] = await sql<[{ bytes: number }]>`
    select sum(pg_total_relation_size(name::regclass))::float8 as bytes
    from unnest(${tables}::text[]) as name`
  return bytes
}

test(`orders and rules fill no more than the bound, however long (seed ${seed})`, async () => {
  const { keeper, journalWriter } = game
  const { shipId, playerId } = await game.accountChanges.createPlayer('Ida', 'password')
  const rule = { kind: 'create_rule', shipId: shipId ?? '', rule: longRule() } as const
  await game.engine.execute(rule, { actor: playerId })
  keeper.start()
  const sizes: number[] = []
  for (let minute = 1; minute <= MINUTES; minute++) {
    for (let i = 0; i < BUSY_SECONDS; i++) await busySecond(shipId ?? '', playerId)
    await game.fly(60 - BUSY_SECONDS)
    await journalWriter.durable()
    await game.clock.advance(1000)
    // Behind the automatic snapshot and its pruning.
    if (minute % ADMIN_MINUTES === 0) await keeper.snapshot()
    else await keeper.remove(0)
    // As PostgreSQL does by itself each minute.
    await sql`vacuum journal, clock, digest`
    sizes.push(await bytesOf('journal', 'clock', 'digest'))
  }
  expect(game.errors).toEqual([])
  expect(Math.max(...sizes)).toBeLessThan(BOUND_BYTES)
  expect(sizes.at(-1)).toBeLessThan(1.1 * Math.max(...sizes.slice(0, MINUTES / 2)))
  const worlds = await keeper.list('all')
  expect(worlds.filter(({ kind }) => kind === 'admin').length).toBe(2)
  expect(worlds.length).toBeLessThanOrEqual(2 + 5 + 2)
})

test('all that is kept can be replayed, and every kept world restored', async () => {
  const { keeper, records } = game
  const { snapshots, journal } = records
  const worlds = await keeper.list('all')
  const first = worlds.findLast(({ isReplayable }) => isReplayable)
  if (!first) throw new Error('No world is replayable')
  const recovered = await recoverUniverse({
    clock: game.clock,
    snapshots: { list: async () => [first], byId: (id) => snapshots.byId(id) },
    journal,
    era: 1,
    firstId: first.id,
    shipsMax: 256,
    createPool: (universe) => callingThread(inside(universe)),
    onManeuver: () => undefined,
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
  })
  await recovered?.pool.close()
  expect(recovered?.mismatches).toEqual([])
  const [{ index }] = recovered?.universe.worlds ?? []
  expect((index - first.lattice) / 64).toBeGreaterThan(JOURNAL_MS / 1000 - 60)
  for (const { id, tick } of worlds) expect(await keeper.restore(id)).toMatchObject({ tick })
  expect(worlds.some(({ isReplayable, kind }) => !isReplayable && kind === 'admin')).toBe(true)
})
