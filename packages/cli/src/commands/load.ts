import type { AdminClient } from '@orrery/client'
import type { Command } from 'commander'
import { works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { facts, plain, table } from '../text.ts'
import { stateText } from '../world-state.ts'

const MIB = 2 ** 20

/** What the server does now, did in the last day, and measures. */
export function addLoad(program: Command): void {
  works(
    program.command('load').description('what the server does now: work, sockets, journal, memory'),
    'load',
    async ({ admin }) => {
      const routes = await admin()
      const [answer, status] = await Promise.all([routes.load(), routes.status()])
      return { answer, text: loadText(answer, status) }
    },
  )
  works(
    program
      .command('history')
      .description('the last hour in steps of 10 s, or the last day in steps of a minute')
      .argument('<hour|day>'),
    'history day --json',
    async ({ admin }, span) => {
      if (span !== 'hour' && span !== 'day') {
        throw new Failure(EXIT.usage, '`hour` or `day` is expected.')
      }
      const answer = await (await admin()).history({ span })
      const columns = Object.entries(answer.columns)
      const rows = answer.times.map((time, i) => [
        new Date(time * 1000).toISOString(),
        ...columns.map(([, values]) => Number((values[i] ?? 0).toPrecision(4))),
      ])
      const head = ['AT', ...columns.map(([name]) => name)]
      return { answer, text: table(head, rows, 'The server has just started.') }
    },
  )
  works(
    program.command('metrics').description('all measurements, in the format of Prometheus'),
    'metrics',
    async ({ admin }) => {
      const answer = await (await admin()).metrics()
      return { answer, text: answer.trimEnd() }
    },
  )
}

function loadText(
  load: Awaited<ReturnType<AdminClient['load']>>,
  status: Awaited<ReturnType<AdminClient['status']>>,
): string {
  const phases = Object.entries(load.phases).map(
    ([name, seconds]) => `${plain(name)} ${(seconds * 1000).toFixed(2)} ms`,
  )
  return facts([
    ['state', stateText({ ...status, ...load })],
    ['utilisation', `${(load.utilisation * 100).toFixed(1)} %`],
    ['last tick', phases.join(', ')],
    ['ships', String(load.ships)],
    ['players online', `${load.players_online}, ${load.observers_online} observers`],
    ['queued in sockets', `${load.socket_queued_bytes} bytes`],
    ['journal', `${load.journal_lag_rows} rows wait, ${load.journal_lag_seconds.toFixed(3)} s`],
    ['last snapshot', `${Math.round(load.snapshot_age_seconds)} s ago`],
    ...load.digests.map(
      ({ system_id, digest }) => [`digest ${plain(system_id)}`, plain(digest)] as const,
    ),
    ['replayed', replayText(load)],
    ['recomputed', `${load.canary_checks} chunks of ships, ${load.canary_mismatches} differ`],
    ['memory', `${(load.resident_bytes / MIB).toFixed(1)} MiB`],
    ['running for', `${Math.round(load.uptime_seconds)} s`],
  ])
}

function replayText({ replay }: Awaited<ReturnType<AdminClient['load']>>): string {
  if (!replay) return 'nothing since this world began'
  return `${replay.at}, ${replay.digests} digests, ${replay.mismatches} differ`
}
