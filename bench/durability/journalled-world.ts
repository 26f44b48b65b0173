/**
 * Stores a world of many ships and a journal of what happened in it since, as a server that was
 * killed would have left it, and dies without closing the database.
 */
import { STAR_SYSTEMS } from '@orrery/catalog'
import { migrate, openDatabase } from '@orrery/database'
import {
  type World,
  executeCommand,
  systemClock,
  universeImage,
  inside,
} from '@orrery/engine/testing'
import { begun, newUniverse, storeUniverse } from '@orrery/game'
import { CONTROL_QUANTA, PHYSICS, QUANTA_PER_SECOND } from '@orrery/sim'
import {
  type JournalRow,
  type NewJournalBatch,
  accounts,
  claimSystems,
  eras,
  journal,
  migrations,
  settings,
  snapshots,
} from '@orrery/store'
import { join } from 'node:path'
import { seedPilots } from '../load/pilots.ts'

export interface JournalledWorld {
  readonly dataDirectory: string
  readonly ships: number
  /** of those, how many are steered */
  readonly steered: number
  /** length of the journal, at scale 1 */
  readonly seconds: number
  readonly commandsPerSecond: number
}

const SEED = 'bench'
const ERA = 1

const POINTINGS = ['prograde', 'retrograde', 'normal', 'radial_out', 'rest'] as const

async function store(options: JournalledWorld): Promise<void> {
  const { dataDirectory, ships } = options
  const pilots = await seedPilots({ dataDirectory, tokenKey: SEED, count: ships })
  const database = await openDatabase({ directory: join(dataDirectory, 'game'), schema: 'game' })
  const { sql } = database
  await migrate(database, migrations)
  const systemIds = STAR_SYSTEMS.map(({ system }) => system.id)
  const owner = await claimSystems(sql, { systemIds })
  await settings(sql).save({ worldSeed: SEED, era: ERA })
  const opened = begun(await newUniverse(systemClock, { seed: SEED, shipsMax: ships }), systemClock)
  const { gameClock, tick } = opened
  const universe = inside(opened.universe)
  const [world] = universe.worlds
  for (const [i, { shipId }] of pilots.entries()) {
    executeCommand(universe, { kind: 'create_ship', shipId, name: `Ship ${i}` })
  }
  const image = universeImage(universe, gameClock, tick)
  const snapshotId = await storeUniverse(snapshots(sql), image, { era: ERA, kind: 'automatic' })
  await eras(sql).open({ era: ERA, reason: 'new', snapshotId, physics: PHYSICS })
  const kept = journal(sql)
  const others = Object.fromEntries(
    universe.worlds.map(({ intake, state }) => [state.system.id, intake.sequence]),
  )
  let { sequence } = world.intake
  for (let second = 0; second < options.seconds; second++) {
    const lattice = world.index + second * QUANTA_PER_SECOND
    const rows = rowsOf(world, options, { sequence, lattice })
    sequence += rows.length
    const clock = {
      lattice: lattice + QUANTA_PER_SECOND,
      remainder: ['0', '1'] as const,
      tick: second + 1,
      tickRate: 1,
      timeScale: 1,
      paused: false,
    }
    const sequences = { ...others, [world.state.system.id]: sequence }
    await kept.append({ era: ERA, owner, rows, clock, sequences, digests: [] })
  }
  const count = (await accounts(sql).list()).length
  if (count < ships) throw new Error(`${count} accounts, not ${ships}.`)
}

/** A second's commands, in turns for all ships that are steered. */
function rowsOf(
  { roster, state }: World,
  { commandsPerSecond, steered }: JournalledWorld,
  { sequence, lattice }: Pick<JournalRow, 'sequence' | 'lattice'>,
): NewJournalBatch['rows'] {
  const numbers = [...roster.byNumber.keys()].slice(0, steered)
  return Array.from({ length: commandsPerSecond }, (_, i) => {
    const place = sequence + i + 1
    const steps = Math.floor((i / commandsPerSecond) * (QUANTA_PER_SECOND / CONTROL_QUANTA))
    const control = {
      thrustLevel: (place % 3) * 0.005,
      pointing: POINTINGS[place % POINTINGS.length],
    }
    return {
      systemId: state.system.id,
      sequence: place,
      // Accepted now, it acts at the next boundary that no running tick has as its target.
      lattice: Math.ceil(lattice / CONTROL_QUANTA + 1 + steps) * CONTROL_QUANTA,
      actor: null,
      command: { kind: 'control', ship: numbers[(place * 7) % numbers.length], control },
    }
  })
}

await store(JSON.parse(process.argv[2]) as JournalledWorld)
process.stdout.write('{}\n', () => process.kill(process.pid, 'SIGKILL'))
