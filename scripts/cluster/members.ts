/** The servers of a cluster: each at a port of its own, which it keeps when it is started again. */
import { freePort } from '@orrery/database/embedded'
import { type ServiceEnvironment, type ServiceProcess, startService } from '@orrery/testkit'

const ROLES = {
  host: { STANDBY: 'true' },
  gateway: { ROLES: 'gateway' },
} as const

export interface Member {
  readonly name: string
  /** without a slash at the end */
  readonly url: string
  running(): boolean
  signal(name: NodeJS.Signals): void
  kill(): Promise<unknown>
  /** resolves when it listens; a running one goes on */
  start(): Promise<void>
  /** exit code after SIGTERM */
  stop(): Promise<number | null>
  /** what it wrote since its last start */
  log(): string
}

export async function startMember(
  role: keyof typeof ROLES,
  place: number,
  variables: ServiceEnvironment,
): Promise<Member> {
  const port = await freePort()
  const start = (): ServiceProcess =>
    startService({
      main: import.meta.resolve('@orrery/gateway/main'),
      variables: { ...variables, ...ROLES[role], PORT: String(port) },
    })
  let game = start()
  await game.ready
  return {
    name: `${role} ${place}`,
    url: `http://127.0.0.1:${port}`,
    running: () => game.running(),
    signal: (name) => {
      if (game.pid !== undefined) process.kill(game.pid, name)
    },
    kill: () => game.kill(),
    start: async () => {
      if (game.running()) return
      game = start()
      await game.ready
    },
    stop: () => game.stop(),
    log: () => game.output().stderr,
  }
}
