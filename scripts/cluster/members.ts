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
  /** URL at which other servers reach it, over a link where it has one */
  readonly address: string
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

/** @param link  lies before it for other servers */
export async function startMember(
  role: keyof typeof ROLES,
  place: number,
  variables: ServiceEnvironment,
  link?: (url: string) => Promise<string>,
): Promise<Member> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const address = (await link?.(url)) ?? url
  const start = (): ServiceProcess =>
    startService({
      main: import.meta.resolve('@orrery/gateway/main'),
      variables: { ...variables, ...ROLES[role], PORT: String(port), HOST_ADDRESS: address },
    })
  let game = start()
  await game.ready
  return {
    name: `${role} ${place}`,
    url,
    address,
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
