/**
 * Law: a command is acknowledged when it is kept, and kept as it acts. Goal: rows come in order of
 * sequence, when their commands have acted; what is not admitted changes nothing; what has been
 * read takes no merges. Method: a journal that keeps a row on demand.
 */
import {
  type CommandJournal,
  type CommandRow,
  type Engine,
  type Pool,
  restoreUniverse,
} from '@orrery/engine/testing'
import { BLOCK_QUANTA, type WorldDigest } from '@orrery/sim'
import { describe, expect, it } from 'vitest'
import { START_INDEX, callingThread, globe, globeWorld } from '../globe.ts'
import { type TestOptions, testEngine } from '../test-engine.ts'

const SHIP = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

interface Kept {
  readonly row: CommandRow
  readonly succeed: () => void
  readonly fail: (error: unknown) => void
}

/** A journal that is read by hand. */
function handJournal(): CommandJournal & { readonly rows: Kept[]; away: boolean } {
  const rows: Kept[] = []
  return {
    rows,
    away: false,
    admit() {
      if (this.away) throw new Error('The journal is away.')
    },
    keep: (row) =>
      new Promise((resolve, reject) => {
        rows.push({ row, succeed: () => resolve(), fail: reject })
      }),
  }
}

async function journalled(options: TestOptions = {}) {
  const journal = handJournal()
  const made = testEngine({ journal, ...options })
  const created = made.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
  journal.rows[0].succeed()
  await created
  return { ...made, journal }
}

/** Whether a promise has come to an end by now. */
async function state(promise: Promise<unknown>): Promise<'waits' | 'kept' | 'refused'> {
  const waiting = new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')))
  return Promise.race([
    promise.then(
      () => 'kept' as const,
      () => 'refused' as const,
    ),
    waiting,
  ])
}

const sequences = (rows: readonly Kept[]): number[] => rows.map(({ row }) => row.sequence)

describe('rows', () => {
  it('come in order when commands have acted; acknowledgements when they are kept', async () => {
    let tick: (() => void) | undefined
    const world = globeWorld()
    const pool = callingThread(world)
    const advance: Pool['advance'] = async (rounds) => {
      await new Promise<void>((resolve) => (tick = resolve))
      await pool.advance(rounds)
    }
    const { engine, clock, journal } = await journalled({ world, pool: { ...pool, advance } })
    await clock.advance(100)
    // While the tick runs, a structural command waits and a control does not.
    const alongside = { hash: 'secret' }
    const renamed = engine.execute(
      { kind: 'rename_ship', shipId: SHIP, name: 'Narcissus' },
      { actor: 'pilot', alongside },
    )
    const at = world.index + 32
    const { index, kept } = engine.control(SHIP, { thrustLevel: 1 }, 'pilot', at)
    expect(index).toBe(at)
    expect(sequences(journal.rows)).toEqual([1, 2])
    tick?.()
    await clock.advance(0)
    const [, steering, renaming] = journal.rows.map(({ row }) => row)
    expect(sequences(journal.rows)).toEqual([1, 2, 3])
    expect(renaming).toMatchObject({ index: world.index, actor: 'pilot', alongside })
    expect(renaming.seal()).toEqual({ kind: 'rename_ship', shipId: SHIP, name: 'Narcissus' })
    expect(steering).toMatchObject({ index, actor: 'pilot' })
    expect(steering).not.toHaveProperty('alongside')
    expect(await Promise.all([state(kept), state(renamed)])).toEqual(['waits', 'waits'])
    expect(world.roster.byId.get(SHIP)?.name).toBe('Narcissus')
    journal.rows[1].succeed()
    journal.rows[2].fail(new Error('Unknown.'))
    expect(await Promise.all([state(kept), state(renamed)])).toEqual(['kept', 'refused'])
  })

  it('are not made of what is refused', async () => {
    const { engine, journal } = await journalled()
    await expect(
      engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Again' }),
    ).rejects.toMatchObject({ code: 'ERR_SHIP_EXISTS' })
    expect(() => engine.control(SHIP, { thrustLevel: 2 })).toThrow(/thrust level/)
    expect(journal.rows.length).toBe(1)
    expect(engine.clock().sequences).toEqual({ alone: 1 })
  })

  it('are of commands that were admitted, and nothing else has changed', async () => {
    const { engine, journal } = await journalled()
    engine.control(SHIP, { thrustLevel: 0.5 })
    const before = await engine.image()
    journal.away = true
    const rename = { kind: 'rename_ship', shipId: SHIP, name: 'Narcissus' } as const
    await expect(engine.execute(rename)).rejects.toThrow('The journal is away.')
    expect(() => engine.control(SHIP, { thrustLevel: 1 })).toThrow('The journal is away.')
    expect(await engine.image()).toEqual(before)
    journal.away = false
    const { kept } = engine.control(SHIP, { thrustLevel: 1 })
    expect(sequences(journal.rows)).toEqual([1, 2, 3])
    expect(await state(kept)).toBe('waits')
  })

  it('hold no -0, which JSON cannot carry', async () => {
    const { engine, journal } = await journalled()
    engine.control(SHIP, { thrustLevel: -0, attitude: [-0, 1, -0, 2] })
    expect(journal.rows[1].row.seal()).toStrictEqual({
      kind: 'control',
      ship: 1,
      control: { thrustLevel: 0, attitude: [0, 1, 0, 2] },
    })
  })
})

/** Steers and returns what waits then, by sequence and throttle. */
function steered(engine: Engine, thrustLevel: number): [number, number | undefined][] {
  engine.control(SHIP, { thrustLevel })
  const { pending } = engine.universe.worlds[0].intake
  return pending.map(({ sequence, control }) => [sequence, control.thrustLevel])
}

describe('merging', () => {
  it('goes on until the row is read, and shares its fate', async () => {
    const { engine, journal } = await journalled({ paused: true })
    const first = engine.control(SHIP, { thrustLevel: 0.25 })
    const second = engine.control(SHIP, { pointing: 'prograde' })
    expect(second.kept).toBe(first.kept)
    const control = { thrustLevel: 0.25, pointing: 'prograde' }
    expect(journal.rows[1].row.seal()).toEqual({ kind: 'control', ship: 1, control })
    const third = engine.control(SHIP, { thrustLevel: 0.75 })
    expect(third.index).toBe(first.index)
    expect(third.kept).not.toBe(first.kept)
    expect(sequences(journal.rows)).toEqual([1, 2, 3])
    expect(journal.rows[1].row.seal()).toEqual({ kind: 'control', ship: 1, control })
  })

  it('of renames goes on until the row is read or an image is taken', async () => {
    const { engine, journal, world } = await journalled()
    const rename = (name: string, actor: string = 'pilot'): Promise<number> =>
      engine.execute({ kind: 'rename_ship', shipId: SHIP, name }, { actor })
    const both = [rename('First'), rename('Second')]
    expect(sequences(journal.rows)).toEqual([1, 2])
    expect(journal.rows[1].row.seal()).toMatchObject({ kind: 'rename_ship', name: 'Second' })
    void rename('Third')
    const { header } = await engine.image()
    expect(header.worlds[0].sequence).toBe(3)
    void rename('Fourth')
    void rename('Fifth', 'another')
    expect(sequences(journal.rows)).toEqual([1, 2, 3, 4, 5])
    const names = journal.rows.slice(1).map(({ row }) => row.seal())
    expect(names.map((command) => 'name' in command && command.name)).toEqual([
      'Second',
      'Third',
      'Fourth',
      'Fifth',
    ])
    expect(world.roster.byId.get(SHIP)?.name).toBe('Fifth')
    journal.rows[1].succeed()
    expect(await Promise.all(both.map(state))).toEqual(['kept', 'kept'])
  })

  it('keeps the last of several at one index, and begins one maneuver', async () => {
    const events: string[] = []
    const { engine, clock, journal, world } = await journalled({
      paused: true,
      onManeuver: ({ eventType, pointing }) => events.push(`${eventType} ${pointing}`),
    })
    for (const pointing of ['prograde', 'retrograde', 'rest'] as const) {
      engine.control(SHIP, { pointing, thrustLevel: pointing === 'rest' ? 0.5 : 1 })
      journal.rows.at(-1)!.row.seal()
    }
    expect(world.intake.pending.length).toBe(3)
    await engine.resume()
    await clock.advance(200)
    expect(world.state.ships.thrustLevel[0]).toBe(0.5)
    expect(events[0]).toBe('started rest')
  })

  it('ends with an image, and does not begin again in what is restored from it', async () => {
    const { engine } = await journalled({ paused: true })
    expect(steered(engine, 0.25)).toEqual([[2, 0.25]])
    expect(steered(engine, 0.5)).toEqual([[2, 0.5]])
    const image = await engine.image()
    const both = [
      [2, 0.5],
      [3, 0.75],
    ]
    expect(steered(engine, 0.75)).toEqual(both)
    const room = { systems: [globe(image.header.worlds[0].system.node)], shipsMax: 512 }
    const later = testEngine({ ...restoreUniverse(image, room), paused: true })
    expect(steered(later.engine, 0.75)).toEqual(both)
  })
})

describe('the clock', () => {
  it('holds the published time and the last command, also while a tick runs', async () => {
    const world = globeWorld()
    const pool = callingThread(world)
    const seen: unknown[] = []
    const advance: Pool['advance'] = async (rounds) => {
      seen.push(made.engine.clock())
      await pool.advance(rounds)
    }
    const made = testEngine({ world, pool: { ...pool, advance }, tickRate: 3 })
    await made.engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
    made.engine.changeTimeScale(2)
    await made.clock.advance(1000 / 3)
    const settings = { tickRate: 3, timeScale: 2, paused: false, sequences: { alone: 1 } }
    expect(seen[0]).toEqual({ ...settings, index: START_INDEX, remainder: ['0', '1'], tick: 0 })
    expect(made.engine.clock()).toEqual({
      ...settings,
      index: START_INDEX + 42,
      remainder: ['2000000', '3000000'],
      tick: 1,
    })
  })

  it('has passed the index of a digest when that is published', async () => {
    const digests: [WorldDigest, number][] = []
    const { engine, clock } = testEngine({
      tickRate: 0.5,
      timeScale: 90,
      onDigest: (digest) => digests.push([digest, engine.clock().index]),
    })
    await clock.advance(20_000)
    expect(digests.length).toBeGreaterThan(10)
    for (const [{ index }, published] of digests) {
      expect(published).toBeGreaterThanOrEqual(index + BLOCK_QUANTA)
    }
  })
})

describe('a budget', () => {
  it("limits what a pilot's renames add, and comes back with time; an admin has none", async () => {
    const { engine, clock, journal } = await journalled({ paused: true })
    const codes = new Set<unknown>()
    /** Renames, each in a row of its own, until one is refused; returns their bytes. */
    const spent = async (): Promise<number> => {
      for (let bytes = 0; ;) {
        const done = engine.execute({ kind: 'rename_ship', shipId: SHIP, name: 'Narcissus' })
        if ((await state(done)) === 'refused') {
          codes.add(await done.catch((error: unknown) => Object(error).code))
          return bytes
        }
        bytes += 200 + JSON.stringify(journal.rows.at(-1)!.row.seal()).length
      }
    }
    expect(Math.abs((await spent()) - 131_072)).toBeLessThan(5000)
    await clock.advance(60_000)
    expect(Math.abs((await spent()) - 60 * 512)).toBeLessThan(2000)
    expect([...codes]).toEqual(['ERR_BUDGET'])
    const rows = journal.rows.length
    void engine.execute({ kind: 'maneuver_debug', shipId: SHIP, enabled: true })
    expect(journal.rows.length).toBe(rows + 1)
  })
  it('limits the rows of control commands; those that merge are free', async () => {
    const { engine, clock, journal } = await journalled()
    const codes = new Set<unknown>()
    const steered = async (): Promise<number> => {
      for (let rows = 0; ; rows++) {
        try {
          engine.control(SHIP, { pointing: 'rest', abort: true })
          engine.control(SHIP, { thrustLevel: 0.5 })
        } catch (error) {
          codes.add(Object(error).code)
          return rows
        }
        journal.rows.at(-1)!.row.seal()
        if (rows % 40 === 39) await clock.advance(100)
      }
    }
    expect(Math.abs((await steered()) - 260)).toBeLessThan(10)
    await clock.advance(1000)
    expect(Math.abs((await steered()) - 40)).toBeLessThan(10)
    expect([...codes]).toEqual(['ERR_BUDGET'])
  })
})
