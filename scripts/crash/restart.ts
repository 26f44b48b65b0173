/** A server after a kill: it restarts or goes on, and is compared with the model. */
import { createGameClient } from '@orrery/client'
import { latticeFromUtc } from '@orrery/sim'
import { type ServiceProcess, startService } from '@orrery/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { badLines } from '../trials/server-log.ts'
import { send } from './requests.ts'
import { check } from './checker.ts'
import { type Session, endReplacement } from './scenario.ts'
import { tryPasswords } from './account-operations.ts'
import { ADMIN, type RunningServer, type Run, acknowledged } from './run.ts'
import { observe } from './observation.ts'
import { changeLevel } from './world-operations.ts'

/** Few, because each login hashes a password. */
const PASSWORDS_TRIED = 2

/** Of a server's log, where a run breaks off. */
const LOG_LINES = 20

/** Time for a server to accept commands after a kill of its database [ms]. */
const SERVING_MS_MAX = 30_000
const SERVING_LOOK_MS = 50

/** The running server, started if necessary; the caller kills it. */
export async function runningServer(run: Run): Promise<RunningServer> {
  const server = run.running ?? (await restart(run))
  run.running = undefined
  return server
}

/** Starts the server and compares it with the model. @throws {Error} when it does not start */
export async function restart(run: Run): Promise<RunningServer> {
  const game = startServer(run)
  const url = await game.ready
  run.readyMs.push(game.readyMs())
  return inspect(run, { game, url }, `ready in ${(game.readyMs() / 1000).toFixed(2)} s`)
}

/** Compares a server with the model, which then holds the observed state. */
export async function inspect(
  run: Run,
  { game, url }: Pick<RunningServer, 'game' | 'url'>,
  remark: string,
): Promise<RunningServer> {
  const { scenario, random, violations, options } = run
  const client = createGameClient({ url })
  if (run.token === '') {
    run.token = (await client.adminLogin(ADMIN.username, ADMIN.password)).token
  }
  const admin = client.admin(run.token)
  const observed = await observe(url, run.token, admin)
  const found: string[] = []
  if (!run.initial) {
    run.initial = new Set(observed.things.keys())
    scenario.era = observed.era
  }
  if (scenario.model.replacing) endReplacement(scenario, observed.era === scenario.era + 1)
  if (observed.era !== scenario.era) found.push(`era ${observed.era}, must be ${scenario.era}`)
  scenario.era = observed.era
  for (const [key, id] of observed.ids) scenario.ids.set(key, id)
  found.push(...check(scenario.model, observed, run.initial), ...badLines(game, ['fatal']))
  const session = { scenario, random, game: client, admin, systems: observed.systems }
  found.push(...(await tryPasswords(session, PASSWORDS_TRIED)))
  const killed = run.killed.splice(0).join(', ') || 'first start'
  violations.push(...found.map((text) => `after ${killed}: ${text}`))
  const index = latticeFromUtc(Date.parse(observed.gameTime))
  options.print(
    `${killed}: era ${observed.era}, index ${index}, ${acknowledged(run)} acknowledged, ` +
      `lost=${found.length}, ${remark}`,
  )
  return { game, url, session, observed }
}

/** Resumes, scales time so that digests are made, and opens registrations. */
export async function prepare({ scenario, admin }: Session): Promise<void> {
  const { model } = scenario
  if (!model.isCertain('paused', false)) {
    await send(scenario, [['server', 'paused', false]], () => admin.game.resume())
  }
  if (model.isCertain('scale', 1)) {
    await send(scenario, [['server', 'scale', 100]], () => admin.game.changeTimeScale(100))
  }
  if (!model.isCertain('open', true)) {
    await send(scenario, [['server', 'open', true]], () => admin.registrations.open())
  }
}

/** Waits until commands are durable again; returns whether they are within 30 s. */
export async function isDurableAgain(session: Session): Promise<boolean> {
  const endMs = performance.now() + SERVING_MS_MAX
  while (performance.now() < endMs) {
    if (await changeLevel(session)) return true
    await sleep(SERVING_LOOK_MS)
  }
  return false
}

export function startServer(run: Run): ServiceProcess {
  const { mines, variables } = run
  return (run.started = startService({
    main: import.meta.resolve('@orrery/gateway/main'),
    variables: { ...variables, ...(mines && { MODULES: mines.files }) },
  }))
}

/** Why a run breaks off, and what its server has written last. */
export function brokenOff({ started }: Run, error: unknown): readonly string[] {
  const log = started?.output().stderr.split('\n').slice(-LOG_LINES).join('\n')
  return [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    `the server ${started?.running() ? 'runs' : 'has ended'}, and wrote last:\n${log}`,
  ]
}
