// A real server for the fuzzer: a witness who must miss nothing, an attacker, a victim, and the
// secrets that no answer may contain.
import { SERVICE_SCOPES, registerResponse, serviceTokenResponse } from '@orrery/protocol'
import { prepareData } from '@orrery/testkit/prepared-data'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { type PlayerSocket, adminToken, ask, openSocket, register } from '../player-client.ts'
import {
  ADMIN,
  MAIN,
  type ServerEnvironment,
  type ServerProcess,
  dataDirectory,
  environment,
  startServer,
} from '../server-process.ts'
import { shownTicks, ticksUnshown } from '../seen-ticks.ts'
import type { Who } from './requests.ts'

const PASSWORD = 'never in an answer 5'
const TICK_RATE = 5
const TRIES_MAX = 50

/**
 * Lets a signal collect the garbage and print what is left: the least of some readings, since
 * requests under way hold more, and what is outside of the heap is freed after its owner.
 */
const SCALES = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', async () => {
    let least = Infinity
    for (let i = 0; i < 3; i++) {
      gc()
      const { heapUsed, external } = process.memoryUsage()
      least = Math.min(least, heapUsed + external)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    console.log('held: ' + least)
  })`)}`

/** Options of Node for a server under fuzz. */
export const UNDER_FUZZ: string = `--expose-gc --import=${SCALES}`

/** A server that its caller stops. */
export interface GivenServer extends ServerProcess {
  /** of its start, with the options under fuzz */
  readonly variables: ServerEnvironment
}

/** A running server and the accounts of the fuzzer. */
export interface ServerUnderFuzz {
  readonly server: ServerProcess
  readonly witness: PlayerSocket
  readonly token: (who: Who) => string | undefined
  /** ids of the victim, which any request may change */
  readonly knownIds: readonly string[]
  /** never in any answer */
  readonly secrets: readonly string[]
  /** in answers to admins only */
  readonly privateTexts: readonly string[]
  /** restores clock and registration, and registers deleted accounts again */
  restore(): Promise<void>
  /** a token of a new player */
  newcomer(): Promise<string>
  /** what its main thread holds when its garbage is collected [MiB] */
  heldMiB(): Promise<number>
  /** errors of the witness, one line each */
  witnessComplaints(): Promise<readonly string[]>
  /** exit code; 0 for a server that its caller stops */
  stop(): Promise<number | null>
}

/** @param given  a server without other accounts; one on a directory of its own when left out */
export async function startServerUnderFuzz(given?: GivenServer): Promise<ServerUnderFuzz> {
  const directory = dataDirectory()
  if (given === undefined) await prepareData(directory.path, MAIN)
  const { variables } = given ?? {
    variables: environment(directory.path, { NODE_OPTIONS: UNDER_FUZZ }),
  }
  const server = given ?? (await startServer(variables))
  const chief = await adminToken(server)
  const order = (method: string, path: string, body?: unknown): ReturnType<typeof ask> =>
    ask(server, method, path, { token: chief, body })

  const seen = await register(server, 'Wilhelmina_Witness', PASSWORD)
  const witness = await openSocket(server, seen.token)
  // All see the ship's name, so it must not be the account's.
  witness.send({ type: 'ship_rename', name: 'Quiet Star' })
  await witness.next('ship_renamed')
  witness.send({ type: 'subscribe', radius: 1 })

  let count = 0
  // Requests meanwhile may close the registration, or keep the hashing busy.
  const newcomer = async (): Promise<{ token: string; ids: readonly string[] }> => {
    for (let tries = 0; ; tries++) {
      await order('POST', '/api/admin/registrations/enable')
      const body = { username: `attacker_${count++}`, password: PASSWORD }
      const answer = await ask(server, 'POST', '/api/auth/register', { body })
      if (answer.status === 201) {
        const { token, player_id, ship_id } = v.parse(registerResponse, answer.body)
        return { token, ids: [player_id, ship_id] }
      }
      if (tries === TRIES_MAX) throw new Error(`No newcomer: ${answer.status} ${answer.text}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const colleague = { username: 'Colleague', password: PASSWORD }
  await order('POST', '/api/admin/admins', colleague)
  const { body: login } = await ask(server, 'POST', '/api/admin/login', { body: colleague })
  const { token: admin } = login as { token: string }
  const wanted = { name: 'sidecar', scopes: SERVICE_SCOPES }
  const { body: made } = await order('POST', '/api/admin/service-tokens', wanted)
  const { token: service } = v.parse(serviceTokenResponse, made)
  const deleted = await newcomer()
  await ask(server, 'DELETE', '/api/account', { token: deleted.token })
  let player = await newcomer()
  const knownIds = [...(await newcomer()).ids]

  const restore = async (): Promise<void> => {
    await order('POST', '/api/admin/registrations/enable')
    await order('POST', '/api/admin/game/resume')
    await order('POST', '/api/admin/game/adaptive-tick-rate', { enabled: false })
    await order('PUT', '/api/admin/game/tick-rate', { tick_rate: TICK_RATE })
    await order('PUT', '/api/admin/game/time-scale', { time_scale: 1 })
    const own = await ask(server, 'GET', '/api/player/ship', { token: player.token })
    if (own.status !== 200) player = await newcomer()
    const pawn = await order('GET', `/api/admin/maneuver-debug?ship_id=${knownIds[1]}`)
    if (pawn.status !== 200) knownIds.splice(0, 2, ...(await newcomer()).ids)
  }
  await restore()

  const tokens: Readonly<Record<Who, () => string | undefined>> = {
    stranger: () => undefined,
    player: () => player.token,
    admin: () => admin,
    service: () => service,
    forged: () => `${admin.slice(0, -4)}AAAA`,
    deleted: () => deleted.token,
  }
  const secrets = [
    variables['JWT_SECRET_KEY'] ?? '',
    ADMIN.password,
    PASSWORD,
    seen.token,
    chief,
    '$argon2',
    'argon2id',
  ]
  return {
    server,
    witness,
    token: (who) => tokens[who](),
    knownIds,
    secrets,
    privateTexts: ['Wilhelmina_Witness', seen.player_id],
    restore,
    newcomer: async () => (await newcomer()).token,
    heldMiB: () => heldMiB(server),
    witnessComplaints: async () => {
      await restore()
      await witness.freshTick()
      const { backwards, count: shown, missed } = shownTicks(witness.messages)
      const unshown = await ticksUnshown(server)
      const ship = await ask(server, 'GET', '/api/player/ship', { token: seen.token })
      const { ship_id, name } = ship.body as { ship_id?: string; name?: string }
      return [
        ...backwards.map((step) => `the witness went back: ${step}`),
        ...(missed > unshown ? [`the witness missed ${missed} ticks; unshown: ${unshown}`] : []),
        ...(shown < 5 ? [`the witness has ${shown} ticks only`] : []),
        ...(ship_id === seen.ship_id && name === 'Quiet Star' ? [] : ['another ship']),
      ]
    },
    stop: async () => {
      witness.socket.close()
      const code = given === undefined ? await server.stop() : 0
      directory.remove()
      return code
    },
  }
}

async function heldMiB(server: ServerProcess): Promise<number> {
  const printed = (): RegExpMatchArray[] => [...server.output().matchAll(/^held: (\d+)$/gm)]
  const before = printed().length
  process.kill(server.pid ?? 0, 'SIGUSR2')
  while (printed().length === before) await sleep(20)
  return Number(printed()[before][1]) / 2 ** 20
}
