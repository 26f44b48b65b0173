/**
 * The game from a program: typed requests over HTTP, and a socket that reconnects by itself.
 *
 * ```ts
 * const game = createGameClient({ url: 'http://127.0.0.1:3000' })
 * const { token } = await game.register('Ripley', 'correct horse')
 * const socket = connectSocket({ url: 'http://127.0.0.1:3000', token })
 * socket.on('tick', ({ tick, ships }) => console.log(tick, ships.length))
 * await socket.opened
 * await socket.control({ thrust_level: 0.5 })
 * ```
 *
 * @module
 */
export type { Call } from './requests/call.ts'
export type { ClientClock } from './clocks/client-clock.ts'
export { ClientError, type ClientErrorCode } from './client-error.ts'
export type { ExchangeOptions } from './requests/exchange.ts'
export {
  type Control,
  type GameSocket,
  type Maneuver,
  type PredictionRequest,
  type SocketEvents,
  type SocketOptions,
  type Order,
  type View,
  connectSocket,
} from './socket/game-socket.ts'
export type { Ending, Wire } from './socket/connection.ts'
export type { Disconnection } from './socket/link.ts'
export {
  type AdminAccounts,
  type AdminClient,
  type GameControl,
  type PlayerAccounts,
} from './requests/admin-client.ts'
export {
  type GameClient,
  type ServiceClient,
  type Health,
  type PlayerClient,
  createGameClient,
} from './requests/game-client.ts'
export type { ManeuverLogClient } from './requests/maneuver-log-client.ts'
export type { RulesClient } from './requests/rules-client.ts'
export type { WorldClient } from './requests/world-client.ts'
export type {
  Address,
  Fetch,
  FetchOptions,
  FetchResponse,
  SocketConstructor,
  SocketEvent,
  SocketLike,
} from './platform.ts'
export { CLOSE_CODES } from '@orrery/protocol'
export type * from './wire-types.ts'
