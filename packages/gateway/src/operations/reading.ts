import type { EngineMetrics, EngineStatus } from '@orrery/engine'
import type { JournalMetrics, PlayerCounters } from '@orrery/game'
import type { SocketMetrics } from '../sockets/socket-metrics.ts'

/** What the parts of the server tell of themselves at one moment. */
export interface Reading {
  readonly status: EngineStatus
  readonly engine: EngineMetrics
  readonly sockets: SocketMetrics
  readonly players: Readonly<PlayerCounters>
  readonly passwordsWaiting: number
  readonly journal: JournalMetrics
  /** of ships' maneuvers, on their way into the log */
  readonly maneuverEvents: { readonly waiting: number; readonly dropped: number }
}

/** One value, or one for each value of the metric's label. */
export type Values = number | readonly (readonly [string, number])[]

/** A metric that is read when it is asked for; a counter only grows, save at a restart. */
export interface Reader {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  readonly label?: string
  readonly read: (reading: Reading) => Values
}
