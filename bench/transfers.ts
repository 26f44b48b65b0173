/** What a thousand ships that change their star system between two ticks cost these ticks. */
import { type Row, rowsOf } from '@orrery/testkit/report'
import { fileURLToPath } from 'node:url'
import type { KeptFlight, TickLateness } from './durability/kept-flight.ts'
import { measureRounds } from './rounds.ts'

const RATE_HZ = 10
const PERIOD_MS = 1000 / RATE_HZ
const TRANSFERS = 1000
const ROUNDS = 3

/** With a journal; the same flight without transfers is measured in turn. */
export async function transfers({
  ships,
  seconds,
}: {
  readonly ships: number
  readonly seconds: number
}): Promise<Row[]> {
  const script = fileURLToPath(new URL('durability/kept-flight.ts', import.meta.url))
  const commands = new Map(
    [0, TRANSFERS].map((moved) => {
      const flight: KeptFlight = {
        journal: 'embedded',
        ships,
        rateHz: RATE_HZ,
        commandsPerSecond: 0,
        transfers: moved,
        seconds,
      }
      return [String(moved), [process.execPath, script, JSON.stringify(flight)]] as const
    }),
  )
  const rounds = await measureRounds<TickLateness>(commands, ROUNDS)
  return [...commands.keys()].flatMap((moved) => {
    const worst = (metric: keyof TickLateness): number =>
      Math.max(...rounds.map((round) => round.get(moved)?.[metric] ?? NaN))
    return rowsOf(`${ships} ships, ${moved} moved between two ticks`, [
      ['transfers', worst('transfers'), ''],
      ['transfers_max', worst('transfersMsMax'), 'ms'],
      ['tick_duration_max', worst('durationMsMax'), 'ms', { max: PERIOD_MS }],
      ['tick_due_to_end_max', worst('dueToEndMsMax'), 'ms', { max: PERIOD_MS }],
      ['ticks_dropped', worst('ticksDropped'), '', { max: 0 }],
    ])
  })
}
