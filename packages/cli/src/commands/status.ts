import type { AdminClient, GameClient } from '@orrery/client'
import type { Command } from 'commander'
import { setTimeout as wait } from 'node:timers/promises'
import { styleText } from 'node:util'
import { type Result, works } from '../command.ts'
import { asFailure, EXIT } from '../failure.ts'
import { facts, onOff, plain } from '../text.ts'
import { plannedText, stateText } from '../world-state.ts'

/** Time between two looks [ms]. */
const LOOK_MS = 1000

/** Drift of game time from UTC that is good, and that is not bad yet [s]. */
const DRIFT_GOOD = 10
const DRIFT_FAIR = 60

/** Physics drift that the server promises to stay below. */
const PHYSICS_DRIFT_MAX = 1e-6

/** What the server is, and how it is, once or each second. */
export function addStatus(program: Command): void {
  works(
    program.command('version').description('what runs: release, commit, physics, Node, database'),
    'version',
    async ({ admin }) => {
      const { api } = await import('@orrery/client/routes')
      const answer = await (await admin()).call(api.readVersion)
      const { release, commit, physics, node, database } = answer
      return {
        answer,
        text: facts([
          ['release', plain(release)],
          ['commit', plain(commit ?? 'unknown')],
          ['physics', String(physics)],
          ['Node', plain(node)],
          ['PostgreSQL', plain(database)],
        ]),
      }
    },
  )
  works<{ watch?: boolean }>(
    program
      .command('status')
      .description('how the simulation is')
      .option('--watch', 'again each second, until Ctrl-C'),
    'status --watch',
    async ({ url, game, admin, options }) => {
      const parts = [await game(), await admin()] as const
      if (!options.watch) return look(...parts)
      process.once('SIGINT', () => process.exit(EXIT.done))
      for (;;) {
        const shown = await look(...parts).catch((error: unknown) => unreached(error, url))
        const line = options.json ? JSON.stringify(shown.answer) : shown.text
        process.stdout.write(process.stdout.isTTY ? `\x1b[2J\x1b[H${line}\n` : `${line}\n`)
        await wait(LOOK_MS)
      }
    },
  )
}

/** A server that is away or starting comes back; any other failure ends the watch. */
function unreached(error: unknown, url: string): Result {
  const failure = asFailure(error, url)
  const isPassing = failure?.exitCode === EXIT.unreached || Object(error).retryAfter !== undefined
  if (!failure || !isPassing) throw error
  return { answer: { error: failure.message }, text: `${failure.message} Waiting for it.` }
}

async function look(game: GameClient, admin: AdminClient): Promise<Result> {
  const [open, status, load] = await Promise.all([game.status(), admin.status(), admin.load()])
  const { server_name, players_online } = open
  const { faulted, overloaded, clock_goal } = load
  const world = { ...status, faulted, overloaded, clock_goal }
  const behind = status.ticks_behind
  return {
    answer: { server_name, players_online, ...world },
    text: facts([
      ['server', plain(server_name)],
      ['state', stateText(world)],
      ...status.stopped_systems.map(
        ({ system_id, reason }) => [`${plain(system_id)} stopped`, plain(reason)] as const,
      ),
      ['tick', String(status.current_tick)],
      ['game time', status.game_time],
      ['drift from UTC', timeDrift(status.time_drift_seconds)],
      ['tick rate', `${status.tick_rate} Hz, ${status.actual_rate.toFixed(2)} measured`],
      ['ticks behind', behind === 0 ? '0' : styleText('yellow', String(behind))],
      ['time scale', `${status.time_scale}, ${status.effective_time_scale} in force`],
      ...(status.planned ? [['planned', plannedText(status.planned)] as const] : []),
      ['energy drift', physicsDrift(status.energy_drift)],
      ['momentum drift', physicsDrift(status.momentum_drift)],
      ['players online', String(players_online)],
      ['time sync', onOff(status.time_sync_enabled)],
      ['adaptive rate', onOff(status.adaptive_tick_rate)],
      ['registration', status.registration_open ? 'open' : 'closed'],
      ['talk', onOff(status.talk_enabled)],
      ['version', plain(status.version)],
    ]),
  }
}

function timeDrift(seconds: number): string {
  const size = Math.abs(seconds)
  const colour = size <= DRIFT_GOOD ? 'green' : size <= DRIFT_FAIR ? 'yellow' : 'red'
  return styleText(colour, `${seconds.toFixed(3)} s`)
}

function physicsDrift(value: number): string {
  const colour = Math.abs(value) <= PHYSICS_DRIFT_MAX ? 'green' : 'red'
  return styleText(colour, value.toExponential(2))
}
