/**
 * What crosses a wire of the game: error codes, HTTP bodies and socket messages.
 *
 * ```ts
 * import { parseClientMessage } from '@orrery/protocol'
 *
 * const result = parseClientMessage('{"type":"control","id":7,"thrust_level":0.5}')
 * result.ok ? result.message.type : result.error.code // 'control'
 * ```
 *
 * @module
 */
export { type AccountSettings, accountSettings } from './bodies/account-settings.ts'
export {
  type AdminLoginResponse,
  type AdminsResponse,
  type AssignedShipResponse,
  type InvitationRequest,
  type InvitationResponse,
  type LoginResponse,
  type MessageResponse,
  type NewAdminResponse,
  type PlayerEntry,
  type PlayerResponse,
  type PlayersQuery,
  type PlayersResponse,
  type RegisterResponse,
  type RoleResponse,
  adminLoginResponse,
  adminsResponse,
  assignedShipResponse,
  invitationRequest,
  invitationResponse,
  loginRequest,
  loginResponse,
  messageResponse,
  newAdminRequest,
  newAdminResponse,
  newPasswordRequest,
  ownPasswordRequest,
  passwordRequest,
  password,
  playerResponse,
  playersQuery,
  playersResponse,
  registerRequest,
  signInRequest,
  registerResponse,
  roleRequest,
  roleResponse,
  username,
} from './bodies/accounts.ts'
export {
  type AnnouncementRequest,
  type AnnouncementResponse,
  type ServiceModuleRequest,
  type SpawnRequest,
  announcementRequest,
  keyedHeaders,
  serviceModuleRequest,
  spawnRequest,
} from './bodies/service-commands.ts'
export {
  SERVICE_SCOPES,
  type ServiceScope,
  type ServiceTokenEntry,
  type ServiceTokenRequest,
  type ServiceTokenResponse,
  type ServiceTokensResponse,
  serviceTokenEntry,
  serviceTokenRequest,
  serviceTokenResponse,
  serviceTokensResponse,
} from './bodies/service-tokens.ts'
export { type AuditResponse, auditQuery, auditResponse } from './bodies/audit.ts'
export * from './bodies/backups.ts'
export {
  type ClientMessage,
  type ClientMessageResult,
  type MessageRefusal,
  type PingMessage,
  type SeedRequestMessage,
  type ShipRenameMessage,
  clientMessage,
  parseClientMessage,
} from './socket/client-messages.ts'
export type { ControlMessage } from './orders/control.ts'
export * from './errors.ts'
export { fieldSentence } from './field-sentences.ts'
export {
  type BlockColumns,
  type BlockName,
  FRAME_BLOCKS,
  type FrameBlock,
} from './frames/frame-blocks.ts'
export { FrameError, type FrameErrorCode } from './frames/frame-error.ts'
export { createFrameReader } from './frames/frame-reader.ts'
export type { FrameReader, ReadBlock, ReadFrame } from './frames/frame-reader.ts'
export {
  BLOCK_HEADER_BYTES,
  type BlockViews,
  FRAME_HEADER_BYTES,
  FRAME_VERSION,
  type WritableBlock,
  createBlock,
  frameHeader,
} from './frames/frame-writer.ts'
export {
  type AdaptiveTickRateResponse,
  type AdminStatusResponse,
  type ClockResponse,
  type ClockStoppedResponse,
  type OpenedResponse,
  type OpenResponse,
  type PaceVoteRequest,
  type PaceVoteResponse,
  type PauseResponse,
  type ResumeResponse,
  type StatusResponse,
  type TalkResponse,
  type TickRateResponse,
  type TimeScaleResponse,
  type TimeSyncResponse,
  adaptiveTickRateResponse,
  adminStatusResponse,
  clockRequest,
  clockResponse,
  clockStoppedResponse,
  enabledRequest,
  openedResponse,
  openRequest,
  openResponse,
  paceVoteRequest,
  pauseResponse,
  resumeResponse,
  statusResponse,
  talkResponse,
  tickRateRequest,
  tickRateResponse,
  timeScaleRequest,
  timeScaleResponse,
  timeSyncResponse,
} from './bodies/game-control.ts'
export {
  BEARER_PREFIX,
  BINARY_SUBPROTOCOL,
  CLOSE_CODES,
  type Handshake,
  MESSAGE_BYTES_MAX,
  SUBPROTOCOL,
  type Subprotocol,
  bearerToken,
  knownSubprotocol,
  parseHandshake,
} from './socket/handshake.ts'
export { type MessageId, type Timestamp, type Uuid, uuid } from './identifiers.ts'
export {
  HISTORY_COLUMNS,
  HISTORY_SPANS,
  type HistoryColumn,
  type HistoryQuery,
  type HistoryResponse,
  type HistorySpan,
  type LoadResponse,
  historyQuery,
  historyResponse,
  loadResponse,
} from './bodies/load.ts'
export { LIMITS } from './limits.ts'
export {
  type EventsQuery,
  type EventsResponse,
  type ManeuverDebug,
  type ManeuverDebugChanged,
  type ManeuverEventEntry,
  type ManeuverEventsQuery,
  type ManeuverEventsResponse,
  type ManeuverLevel,
  type ManeuverLogging,
  type ManeuverLoggingChanged,
  type StreamedEventEntry,
  eventsQuery,
  eventsResponse,
  maneuverDebug,
  maneuverDebugQuery,
  maneuverDebugRequest,
  maneuverEventsQuery,
  maneuverEventsResponse,
  maneuverLogging,
  maneuverLoggingChanged,
} from './bodies/maneuvers.ts'
export {
  type ModuleCommandRequest,
  type ModuleEntry,
  type ModuleStateResponse,
  type ModuleSwitchRequest,
  type ModuleValue,
  type ModuleValues,
  type ModulesResponse,
  moduleCommandRequest,
  moduleStateResponse,
  moduleSwitchRequest,
  modulesResponse,
} from './bodies/modules.ts'
export * from './bodies/module-panel.ts'
export { type ManeuverAbortMessage, type ManeuverStartMessage } from './orders/maneuver-messages.ts'
export type { BurnFrame, PlanNode } from './orders/plan-node.ts'
export { EXAMPLE_VALUES } from './glossary/example-values.ts'
export { FIELD_WORDS } from './glossary/words.ts'
export type { FailureReason } from './failure-reason.ts'
export type { MessagePointing } from './orders/pointing.ts'
export {
  type PredictMessage,
  type PredictedLeg,
  type PredictionLeg,
  type PredictionMark,
  type PredictionMessage,
  type PredictionRecord,
  type PredictionRequest,
  type PredictionResponse,
  type SupposedOrder,
  predictionRequest,
  predictionResponse,
} from './orders/predictions.ts'
export { queryInteger } from './query.ts'
export { serverMessage } from './socket/server-message-schemas.ts'
export {
  type AcceptedMessage,
  type ClockMessage,
  type EventMessage,
  type ErrorMessage,
  type JumpgateState,
  type PausedMessage,
  type PongMessage,
  type ResetMessage,
  type RestoredMessage,
  type ResumedMessage,
  type ResumedSessionMessage,
  type ServerMessage,
  type ShipAssignedMessage,
  type ShipModulesMessage,
  type ShipRenamedMessage,
  type ShutdownMessage,
  type StationState,
  type SubscribedMessage,
  type TickMessage,
  type ObjectsMessage,
  type OwnModuleRow,
  type RailedObject,
  type SystemMessage,
  type WelcomeMessage,
  encodeServerMessage,
} from './socket/server-messages.ts'
export {
  type NewShipQuery,
  type ShipClassEntry,
  type ShipClassesFile,
  type ShipClassesResponse,
  newShipQuery,
  shipClassEntry,
  shipClassOf,
  shipClassesFile,
  shipClassesResponse,
} from './bodies/ship-classes.ts'
export type { ShipClassOffer, ShipHome, Takers } from './bodies/ship-offers.ts'
export {
  type OrbitState,
  type LastManeuverState,
  type ManeuverState,
  type SteeringState,
  type OwnShipState,
  type PilotState,
  type ShipState,
  ownShipState,
  shipName,
  shipState,
} from './ship.ts'
export {
  type ResetResponse,
  type RestoreResponse,
  type SnapshotEntry,
  type SnapshotPreview,
  type SnapshotResponse,
  type SnapshotsQuery,
  type SnapshotsResponse,
  resetResponse,
  restoreRequest,
  restoreResponse,
  snapshotPreview,
  snapshotResponse,
  snapshotsQuery,
  snapshotsResponse,
} from './bodies/snapshots.ts'
export {
  type PastResponse,
  type PastSkyResponse,
  pastRequest,
  pastResponse,
  pastSkyQuery,
  pastSkyResponse,
} from './bodies/past.ts'
export * from './bodies/sky.ts'
export {
  type BodiesResponse,
  type CheckpointsQuery,
  type CheckpointsResponse,
  type EphemerisQuery,
  type EphemerisResponse,
  type AccuracyState,
  type BodyEntry,
  type BodyState,
  type JumpgatePlace,
  type StationPlace,
  type SystemResponse,
  bodiesQuery,
  bodiesResponse,
  checkpointsQuery,
  checkpointsResponse,
  ephemerisQuery,
  ephemerisResponse,
  systemResponse,
} from './bodies/star-systems.ts'
export { BUDGET_MAX, BUDGET_MIN, SUBSCRIBED_IDS_MAX } from './socket/subscriptions.ts'
export type { ResumeMessage, SubscribeMessage } from './socket/subscriptions.ts'
export { type SaidMessage, type SayMessage } from './socket/talk.ts'
export { TALK_LENGTH_MAX } from './talk-text.ts'
export { type VoteMessage, type VotedMessage, type VotesMessage } from './socket/votes.ts'
export {
  type RuleAction,
  type RuleCondition,
  type RuleDeleteMessage,
  type RuleDeletedMessage,
  type RuleEntry,
  type RuleEventAction,
  type RuleMessage,
  type RuleRequest,
  type RuleSetMessage,
  type RulesGetMessage,
  type RulesMessage,
  type RulesResponse,
  ruleEntry,
  ruleRequest,
} from './orders/rules.ts'
export { type Quaternion, type Vec3, quaternion, vec3 } from './vector.ts'
export type { Departure } from './orders/departure.ts'
export {
  type DockMessage,
  type DockingResponse,
  type JumpMessage,
  type UndockMessage,
  dockRequest,
  jumpRequest,
} from './orders/visits.ts'
export {
  type JumpgateEntry,
  type JumpgateRequest,
  type JumpgateResponse,
  type JumpgatesResponse,
  type StationEntry,
  type StationRequest,
  type StationResponse,
  type StationsResponse,
  type SystemEntry,
  type SystemsResponse,
  type PilotsResponse,
  type TransferResponse,
  jumpgateRequest,
  jumpgateResponse,
  jumpgatesResponse,
  stationRequest,
  stationResponse,
  stationsResponse,
  systemsResponse,
  transferRequest,
  pilotsResponse,
} from './bodies/world-objects.ts'
export { type ShipControl, controlOf } from './orders/ordered-control.ts'
export type { Places } from './orders/places.ts'
export type { OwnShipsResponse } from './bodies/own-ships.ts'
export {
  type ShipChangeRequest,
  newOwnShipRequest,
  ownClassRequest,
  shipChangeRequest,
} from './bodies/ship-changes.ts'
export * as api from './routes/index.ts'
export type {
  AnswerSchema,
  RequestFields,
  RequestLine,
  RequestParts,
  Route,
} from './routes/route.ts'
