import type { Engine, WallClock } from '@orrery/engine'
import type { Players } from '@orrery/game'
import type { Account } from '@orrery/store'

/** What the sockets stand on, and their limits. */
export interface SocketsOptions {
  readonly engine: Engine
  readonly players: Players
  readonly clock: WallClock
  readonly serverName: string
  readonly era: () => number
  /** an account as it is now */
  readonly accountOf: (playerId: string) => Promise<Pick<Account, 'shipId' | 'isAdmin'> | undefined>
  /** sockets open at once */
  readonly socketsMax: number
  /** per address */
  readonly handshakesPerMinute: number
  readonly trustProxy: boolean
  readonly allowedOrigins: readonly string[]
  /** told of each tick, from its end to the last of its frames written [ms] */
  readonly onFanOut: (ms: number) => void
  readonly onError: (error: unknown) => void
}
