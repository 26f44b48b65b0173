/**
 * What crosses a wire of the game: error codes, HTTP bodies and socket messages.
 *
 * ```ts
 * import { parseClientMessage } from '@orrery/protocol'
 *
 * const result = parseClientMessage('{"type":"control","id":7,"thrust_level":0.5}')
 * if (result.ok) result.message.type // 'control'
 * else result.error.code // 'E001'
 * ```
 *
 * @module
 */
export {
  type AdminLoginResponse,
  type LoginRequest,
  type LoginResponse,
  PASSWORD_BYTES_MAX,
  type RegisterRequest,
  type RegisterResponse,
  adminLoginResponse,
  loginRequest,
  loginResponse,
  password,
  registerRequest,
  registerResponse,
  username,
} from './accounts.ts'
export {
  type ClientMessage,
  type ClientMessageResult,
  type ControlMessage,
  MESSAGE_BYTES_MAX,
  type MessageRefusal,
  type PingMessage,
  type ShipRenameMessage,
  parseClientMessage,
} from './client-messages.ts'
export {
  ERRORS,
  type ErrorCode,
  type ErrorEntry,
  type ErrorEnvelope,
  errorEnvelope,
  fieldErrorCode,
} from './errors.ts'
export {
  type AdminStatusResponse,
  type EnabledRequest,
  type OpenRequest,
  type StatusResponse,
  TICK_RATE_HZ_MAX,
  TICK_RATE_HZ_MIN,
  TIME_SCALE_MAX,
  TIME_SCALE_MIN,
  type TickRateRequest,
  type TimeScaleRequest,
  adminStatusResponse,
  enabledRequest,
  openRequest,
  statusResponse,
  tickRateRequest,
  timeScaleRequest,
} from './game-control.ts'
export {
  BEARER_PREFIX,
  CLOSE_CODES,
  type Handshake,
  SUBPROTOCOL,
  bearerToken,
  parseHandshake,
} from './handshake.ts'
export { type MessageId, type Timestamp, type Uuid, uuid } from './identifiers.ts'
export {
  type AcceptedMessage,
  type EventMessage,
  type ErrorMessage,
  type JumpgateState,
  type PausedMessage,
  type PongMessage,
  type ResumedMessage,
  type ServerMessage,
  type ShipRenamedMessage,
  type ShutdownMessage,
  type StationState,
  type TickMessage,
  type WelcomeMessage,
  encodeServerMessage,
} from './server-messages.ts'
export { type ShipState, shipName, shipState } from './ship.ts'
export { type Quaternion, type Vec3, quaternion, vec3 } from './vector.ts'
