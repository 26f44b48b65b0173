// Servers of two releases on one database.
import { type AdminClient, createGameClient } from '@orrery/client'
import { type PostgresServer, type ServiceProcess, startService } from '@orrery/testkit'
import { startGamePostgres } from '@orrery/testkit/prepared-data'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { carryCore } from '../../install/carried-core.ts'
import { nextRelease } from './releases.ts'

const PRESENT = import.meta.resolve('@orrery/gateway/main')
const CHIEF = ['Chief_1', 'a password of the tests'] as const

export interface Server extends ServiceProcess {
  readonly url: string
}

export interface Servers {
  /** where files for them can be */
  readonly directory: string
  readonly postgres: PostgresServer
  /** A server of the present release, or of the next one, which carries the core of the present. */
  start(...given: Launch): Promise<Server>
  /** The same, which may not come to listen. */
  launch(...given: Launch): ServiceProcess
  end(): Promise<void>
}

type Launch = [
  release: 'present' | 'next',
  variables?: Readonly<Record<string, string | undefined>>,
]

export async function openServers(): Promise<Servers> {
  const root = mkdtempSync(join(tmpdir(), 'orrery-upgrade-'))
  const core = join(root, 'core')
  const [postgres, next] = await Promise.all([
    startGamePostgres(PRESENT),
    nextRelease(root),
    carryCore(core),
  ])
  const started: ServiceProcess[] = []
  const launch = (...[release, variables = {}]: Launch): ServiceProcess => {
    const server = startService({
      main: release === 'present' ? PRESENT : next,
      variables: {
        DATABASE_URL: postgres.url,
        DATA_DIR: join(root, 'data'),
        PORT: '0',
        WORKERS: '1',
        MAX_SHIPS: '2000',
        STANDBY: 'true',
        JWT_SECRET_KEY: 'a key of the tests, at least 32 bytes',
        ADMIN_USERNAME: CHIEF[0],
        ADMIN_PASSWORD: CHIEF[1],
        LOGIN_ATTEMPTS_PER_MINUTE: '1000000',
        REGISTRATIONS_PER_HOUR: '0',
        SOCKETS_PER_ADDRESS: '0',
        ...(release === 'next' && { CARRIED_CORE: core }),
        ...variables,
      },
    })
    started.push(server)
    return server
  }
  return {
    directory: root,
    postgres,
    launch,
    start: async (...given) => {
      const server = launch(...given)
      return { ...server, url: await server.ready }
    },
    end: async () => {
      for (const server of started) await server.kill()
      await postgres.stop()
      rmSync(root, { recursive: true })
    },
  }
}

export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await setTimeout(20)
}

/** An admin of a server, once that owns or shows the world. */
export async function adminOf(server: Server): Promise<AdminClient> {
  await until(async () => (await fetch(`${server.url}/api/status`)).ok)
  const game = createGameClient({ url: server.url })
  return game.admin((await game.adminLogin(...CHIEF)).token)
}

export async function readiness({ url }: Server): Promise<string> {
  return (await fetch(`${url}/health/ready`)).text()
}
