/** What a run of a cluster was to show, beside what it showed. */
import { percentile } from '@orrery/testkit/report'
import type { ClusterResult } from './cluster.ts'

interface Row {
  readonly what: string
  readonly asked: string
  readonly measured: string
}

export function tableOf(result: ClusterResult): string {
  const { gaps, healed, jumps, kills, moves, violations } = result
  const count = Object.values(kills).reduce((sum, one) => sum + one, 0)
  const [clear, disturbed] = [false, true].map((isDisturbed) =>
    jumps.filter((jump) => jump.isDisturbed === isDisturbed).map(({ ms }) => ms),
  )
  const hits = `${count} kills and stops, ${healed.length} cuts`
  const rows: Row[] = [
    {
      what: `${hits}, ${moves} moves, ${result.acknowledged} acknowledged`,
      asked: '0 violations',
      measured: `${violations.length} violations, ${result.digests} digests equal a replay`,
    },
    {
      what: 'ships in frames that players saw, gaps included',
      asked: '0 bits differ',
      measured: `${result.seen} compared with a replay`,
    },
    row('host that leads killed, one follows', 'p50 <= 600 ms, p99 <= 900 ms', gaps.leader),
    row('host that leads killed, none only follows', '', gaps['unfollowed leader']),
    row('host that flies killed, to a new frame', 'p50 <= 600 ms, p99 <= 900 ms', gaps.flyer),
    row('host stopped, one follows', 'p99 <= 3000 ms', gaps.stopped),
    row('host stopped, none only follows', 'p99 <= 6000 ms', gaps['unfollowed stopped']),
    row('jumps, order to arrival', 'p99 <= 120 ms', clear),
    row('jumps while disturbed, or a system moves', 'take-over + 200 ms', disturbed),
    row('broker killed, to a new frame', '<= 1000 ms, 0 owners changed', gaps.broker),
    row('database killed, to a new frame', '<= 1500 ms', gaps.database),
    row('standby promoted, to a new frame', '', gaps.primary),
    row('standby promoted, to an acknowledgement', '<= 1500 ms', result.acknowledgedAgain),
    {
      what: 'database killed or standby promoted, owners changed',
      asked: '0',
      measured: `${result.takenOver} of ${kills.database + kills.primary}`,
    },
    row('link cut for 10 s, healed to whole', '<= 3000 ms', healed),
    row('gateway killed, frames at the other', 'undisturbed', gaps.gateway),
  ]
  const head = { what: 'What', asked: 'Asked', measured: 'Measured' }
  const widths = (['what', 'asked'] as const).map((column) =>
    Math.max(...[head, ...rows].map((one) => one[column].length)),
  )
  return [head, ...rows]
    .map(({ what, asked, measured }) =>
      [what.padEnd(widths[0]), asked.padEnd(widths[1]), measured].join(' | '),
    )
    .join('\n')
}

function row(what: string, asked: string, ms: readonly number[]): Row {
  if (ms.length === 0) return { what, asked, measured: 'not measured' }
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(ms, share).toFixed(0))
  const values = `p50 ${p50} ms, p99 ${p99} ms, n ${ms.length}`
  return { what, asked, measured: values }
}
