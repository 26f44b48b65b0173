/** What a soak has measured, and the bounds that it keeps to pass. */
import { type Metric, type Row, rowsOf } from '@orrery/testkit/report'
import type { Disturbances } from './disturbances.ts'
import type { Pace } from './frame-gaps.ts'
import type { KeptTable, KeptWorld } from './kept-world.ts'
import type { ResourceSample, Resources } from './resources.ts'
import { type Tally, total } from './tally.ts'
import { type Trend, least, trend } from './trend.ts'

export interface Observed {
  readonly tally: Tally
  readonly disturbances: Disturbances
  readonly resources: Resources
  readonly kept: KeptWorld
  readonly pace: Pace
  /** from when on nothing may grow */
  readonly warmMs: number
  /** share of the processors that the machine's host gave to others [%] */
  readonly stolen: number
  /** what went wrong with the server's processes */
  readonly faults: readonly string[]
  /** of the server's environment; undefined or 0 where the whole journal is kept */
  readonly journalHours: number | undefined
}

/** Longest gap between two frames, 99th percentile [periods]. */
const GAP_PERIODS_MAX = 2

/** Corrections of own ships per check: none are measured, and a wrong prediction has one each. */
const CORRECTED_SHARE_MAX = 0.1

/** Before, processes still come to the memory that they need: no trend is judged [ms]. */
const TREND_MS_MIN = 600_000

/** What may be gained in the later part beyond the noise: a share of the level, or bytes. */
const RISE_SHARE_MAX = 0.005
const RISE_BYTES_MAX = 1e6

/** Of the bytes of its rows, what a database may take for indices and free space, and besides. */
const ROOM_SHARE_MAX = 1
const ROOM_BYTES_MAX = 64e6

/** Maneuver events that are kept, and how many more there may be until the next deletion. */
const MANEUVER_EVENTS_MAX = 110_000

/** Until what is too old is deleted, with the next stored world [min]. */
const PRUNING_MINUTES_MAX = 5

/** Tables whose rows are listed. */
const TABLES_SHOWN = 6

const MB = 1e6

/** The table of a soak. */
export function verdict(observed: Observed): Row[] {
  return [
    ...rowsOf('played', played(observed)),
    ...rowsOf('left out', leftOut(observed)),
    ...rowsOf('frames', frames(observed)),
    ...rowsOf('faults', faults(observed)),
    ...memory(observed),
    ...rowsOf('database', database(observed)),
    ...rowsOf('replay', replays(observed)),
  ]
}

function played({ tally, resources }: Observed): Metric[] {
  return [
    ['visits', tally.visits, ''],
    ['registrations', tally.registrations, ''],
    ['deletions', tally.deletions, ''],
    ['requests_and_commands', tally.answered, ''],
    ['commands_journalled', resources.counted('orrery_journal_rows_total'), ''],
    ['ticks_dropped', resources.counted('orrery_ticks_dropped_total'), ''],
  ]
}

/** How long the world was put aside, which counts for no bound. */
function leftOut({ disturbances, tally }: Observed): Metric[] {
  return [
    ...disturbances.spans.map(({ name, fromMs, toMs }): Metric => [
      name,
      (toMs - fromMs) / 1000,
      's',
    ]),
    ['errors_and_closings', total(tally.disturbed), ''],
  ]
}

function frames({ tally, stolen, pace: { rateHz } }: Observed): Metric[] {
  const periodMs = 1000 / rateHz
  const rows = (['json', 'binary'] as const).flatMap((wire): Metric[] => {
    const gaps = tally.gaps[wire]
    return [
      [`${wire}_frames`, gaps.count, ''],
      [`${wire}_gap_p50`, gaps.percentile(50) / 1000, 'ms'],
      [`${wire}_gap_p99`, gaps.percentile(99) / 1000, 'ms', { max: GAP_PERIODS_MAX * periodMs }],
      [`${wire}_gap_max`, gaps.max / 1000, 'ms'],
    ]
  })
  return [...rows, ['processors_stolen_by_host', stolen, '%']]
}

function faults({ tally, resources, faults: found }: Observed): Metric[] {
  const none = { max: 0 }
  // The game time of a dropped tick is lost, and clients are ahead of it for a while.
  const isLate = resources.counted('orrery_ticks_dropped_total') > 0
  const corrected = { max: CORRECTED_SHARE_MAX * tally.checks }
  return [
    ['orders_too_far_ahead', tally.tooFarAhead, '', isLate ? undefined : none],
    ['errors_and_closings', total(tally.faults), '', none],
    ['of_processes_and_log', found.length, '', none],
    ['messages_refused', resources.counted('orrery_messages_refused_total'), '', none],
    ['own_ships_checked', tally.checks, '', { min: 1 }],
    ['own_ships_corrected', total(tally.corrections), '', isLate ? undefined : corrected],
    ['canary_mismatches', resources.counted('orrery_canary_mismatches_total'), '', none],
    ['worker_failures', resources.counted('orrery_worker_failures_total'), '', none],
    ['journal_failures', resources.counted('orrery_journal_failures_total'), '', none],
    ['events_lost', resources.counted('orrery_events_lost_total'), '', none],
  ]
}

function memory({ resources, warmMs }: Observed): Row[] {
  const warm = resources.samples.filter(({ atMs }) => atMs >= warmMs)
  const line = (name: keyof ResourceSample, one?: typeof least): Trend =>
    trend(
      warm.map((sample) => ({ atMs: sample.atMs, value: sample[name] })),
      one,
    )
  return [
    ...rowsOf('memory of the server', growth(line('server'))),
    // Between two collections garbage grows.
    ...rowsOf('… of it its heap', growth(line('heap', least))),
    ...rowsOf('memory of PostgreSQL', growth(line('postgres'))),
    ...rowsOf('… its shared buffers', [['level', line('buffers').level / MB, 'MB']]),
    ...rowsOf('database on disk', growth(line('database')).slice(0, -1)),
  ]
}

/** A trend, with the bound of what may only stay as it is. */
function growth({ level, slope, noise, rise, lengthMs }: Trend): Metric[] {
  const max = Math.max(RISE_BYTES_MAX, RISE_SHARE_MAX * level) / MB
  return [
    ['level', level / MB, 'MB'],
    ['slope', slope / MB, 'MB/h'],
    ['… give or take', noise / MB, 'MB/h'],
    ['rise_beyond_noise', rise / MB, 'MB', lengthMs < TREND_MS_MIN ? undefined : { max }],
  ]
}

function database({ kept: { tables, journalSeconds }, journalHours = 0 }: Observed): Metric[] {
  const keptMax = journalHours > 0 ? { max: 60 * journalHours + PRUNING_MINUTES_MAX } : undefined
  const sum = (of: (table: KeptTable) => number): number =>
    tables.reduce((all, table) => all + of(table), 0)
  const rowBytes = sum((table) => table.rowBytes)
  const room = sum((table) => table.bytes) - rowBytes
  const events = tables.find(({ name }) => name === 'maneuver_event')?.rows ?? NaN
  return [
    ...tables.slice(0, TABLES_SHOWN).flatMap(({ name, rows, bytes }): Metric[] => [
      [`${name}_rows`, rows, ''],
      [`${name}_size`, bytes / MB, 'MB'],
    ]),
    [
      'beyond_kept_rows',
      room / MB,
      'MB',
      { max: (ROOM_BYTES_MAX + ROOM_SHARE_MAX * rowBytes) / MB },
    ],
    ['maneuver_events', events, '', { max: MANEUVER_EVENTS_MAX }],
    ['journal_kept', journalSeconds / 60, 'min', keptMax],
  ]
}

function replays({ kept }: Observed): Metric[] {
  return kept.replays.flatMap(({ era, digests, differences }): Metric[] => [
    [`era_${era}_digests`, digests, '', { min: 1 }],
    [`era_${era}_differences`, differences.length, '', { max: 0 }],
  ])
}
