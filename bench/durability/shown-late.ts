/** What it costs to show nothing before it is durable: pairs of runs, with the gate and without. */
import { STAR_SYSTEMS } from '@orrery/catalog'
import { migrate, openDatabase } from '@orrery/database'
import { type CommandJournal, type Engine, systemClock } from '@orrery/engine/testing'
import { createJournalWriter } from '@orrery/game'
import { type Ownership, claimSystems, journal, migrations } from '@orrery/store'
import { startPostgresServer } from '@orrery/testkit'
import { progress } from '@orrery/testkit/progress'
import { type Row, percentile, rowsOf } from '@orrery/testkit/report'
import { setTimeout as sleep } from 'node:timers/promises'
import { engineOf, populatedUniverse } from '../populated-universe.ts'

export interface ShownLateOptions {
  readonly ships: number
  /** of each run [s] */
  readonly seconds: number
}

const COMMANDS_HZ = 100
const PAIRS = 2

/** Goals for the p99 [ms]. */
const DELAY_MS = 10
const ACKNOWLEDGED_MS = 6.5

interface Seen {
  /** from the end of each tick to its publication [ms] */
  readonly delays: number[]
  readonly acknowledged: number[]
}

export async function shownLate(options: ShownLateOptions): Promise<Row[]> {
  const postgres = await startPostgresServer()
  const database = await openDatabase({ url: postgres.url, directory: '', schema: 'game' })
  try {
    await migrate(database, migrations)
    const { sql } = database
    const owner = await claimSystems(sql, {
      systemIds: STAR_SYSTEMS.map(({ system }) => system.id),
    })
    const seen = { on: nothing(), off: nothing() }
    for (let run = 0; run < 2 * PAIRS; run++) {
      const which = run % 2 === 0 ? 'off' : 'on'
      progress.at(`100 commands/s, the gate ${which}`)
      const records = journal(sql)
      const one = await commanded(options, {
        append: (batch) => records.append(batch),
        owner,
        era: run + 1,
        isGated: which === 'on',
      })
      seen[which].delays.push(...one.delays)
      seen[which].acknowledged.push(...one.acknowledged)
    }
    return [
      ...rowsOf('without the gate', [
        ['acknowledged_p99', percentile(seen.off.acknowledged, 0.99), 'ms'],
      ]),
      ...rowsOf('with the gate', [
        ['acknowledged_p50', percentile(seen.on.acknowledged, 0.5), 'ms'],
        [
          'acknowledged_p99',
          percentile(seen.on.acknowledged, 0.99),
          'ms',
          { max: ACKNOWLEDGED_MS },
        ],
        ['published_late_p50', percentile(seen.on.delays, 0.5), 'ms'],
        ['published_late_p99', percentile(seen.on.delays, 0.99), 'ms', { max: DELAY_MS }],
      ]),
    ]
  } finally {
    await database.close()
    await postgres.stop()
  }
}

function nothing(): Seen {
  return { delays: [], acknowledged: [] }
}

async function commanded(
  { ships, seconds }: ShownLateOptions,
  {
    isGated,
    era,
    ...keeping
  }: {
    readonly append: ReturnType<typeof journal>['append']
    readonly owner: Ownership
    readonly era: number
    readonly isGated: boolean
  },
): Promise<Seen> {
  const seen = nothing()
  const ignore = (): void => undefined
  const writer = createJournalWriter({
    ...keeping,
    era: () => era,
    clock: systemClock,
    moment: () => engine.clock(),
    onAway: ignore,
    onBack: ignore,
    onFenced: ignore,
    onSystemStopped: ignore,
    onError: ignore,
  })
  const open: CommandJournal = {
    admit: () => writer.admit(),
    keep: (row) => writer.keep(row),
  }
  let tickedMs = NaN
  const engine: Engine = engineOf(await populatedUniverse(ships), {
    journal: isGated ? writer : open,
    onTick: () => {
      tickedMs = performance.now()
    },
    // What is not late is published just before its tick ends.
    onPublish: () => {
      const isLate = performance.now() - tickedMs < DELAY_MS * 3
      seen.delays.push(isLate ? performance.now() - tickedMs : 0)
    },
  })
  writer.start()
  engine.start()
  const startMs = performance.now()
  for (let sent = 0; performance.now() - startMs < 1000 * seconds; await sleep(1)) {
    const due = ((performance.now() - startMs) / 1000) * COMMANDS_HZ
    for (; sent < due; sent++) {
      const sentMs = performance.now()
      const control = { thrustLevel: (sent % 10) / 1000 }
      engine
        .control(`ship-${sent % ships}`, control)
        .kept.then(() => seen.acknowledged.push(performance.now() - sentMs), ignore)
    }
  }
  await engine.stop()
  await writer.stop()
  return seen
}
