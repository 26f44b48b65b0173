// Goal: a server that bots and operators use, with a restore and a restart, makes no mistake, and
// its journal replays to the same bits. Method: the short version of `scripts/orrery soak`. What
// depends on the speed of the machine is measured there, not here.
import { testSeed } from '@orrery/testkit'
import { isKept } from '@orrery/testkit/report'
import { expect, test } from 'vitest'
import { soak } from '../../soak/soak.ts'

const SEED = testSeed('soak')

/** What depends on the machine's speed: times, and how far the game comes. */
const TIMED = /^(?:\w+_gap_p99|era_\d_digests)$/

/** Sums of what `faults` has one by one. */
const SUMS = /^(?:errors_and_closings|of_processes_and_log)$/

/** What a machine does that gives the server too little time, to clients and to the journal. */
const LATE = /^\d+ × .*(?:timeout|network|E008|1006|4002)|database is away|durable|frames again/

/** Of the processors, what the machine's host may give to others without being felt [%]. */
const STOLEN_MAX = 1

test('bots, a restore and a restart leave no fault', async () => {
  const lines: string[] = []
  const { rows, faults } = await soak({
    minutes: 1,
    bots: 4,
    rateHz: 10,
    scale: 100,
    seed: SEED,
    variables: { WORKERS: '1' },
    print: (line) => void lines.push(line),
  })
  const output = [`seed ${SEED}`, ...lines, ...faults].join('\n')
  const values = new Map(rows.map(({ metric, value }) => [metric, value]))
  const isStarved =
    (values.get('ticks_dropped') ?? NaN) > 0 ||
    (values.get('processors_stolen_by_host') ?? NaN) > STOLEN_MAX
  const unexcused = faults.filter((fault) => !(isStarved && LATE.test(fault)))
  expect(unexcused, `output\n${output}`).toEqual([])
  const missed = rows.filter((row) => !isKept(row)).map(({ metric }) => metric)
  const wrong = missed.filter((metric) => !TIMED.test(metric) && !(isStarved && SUMS.test(metric)))
  expect(wrong, `output\n${output}`).toEqual([])
  for (const name of ['own_ships_checked', 'registrations', 'restore', 'restart']) {
    expect(values.get(name), `${name}\n${output}`).toBeGreaterThan(0)
  }
  const digests = rows.filter(({ metric }) => /^era_\d_digests$/.test(metric))
  const compared = digests.reduce((sum, { value }) => sum + value, 0)
  expect(compared, `output\n${output}`).toBeGreaterThan(0)
})
