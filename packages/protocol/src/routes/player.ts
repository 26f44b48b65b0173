/** A player's own ship, its rules, and the account. */
import { type AccountSettings, accountSettings } from '../bodies/account-settings.ts'
import {
  type InvitationRequest,
  type InvitationResponse,
  type MessageResponse,
  type OwnPasswordRequest,
  invitationResponse,
  messageResponse,
} from '../bodies/accounts.ts'
import {
  type PilotsResponse,
  type TransferResponse,
  pilotsResponse,
  transferResponse,
} from '../bodies/world-objects.ts'
import {
  type PredictionRequest,
  type PredictionResponse,
  predictionResponse,
} from '../orders/predictions.ts'
import {
  type RuleEntry,
  type RuleRequest,
  type RulesResponse,
  ruleEntry,
  rulesResponse,
} from '../orders/rules.ts'
import {
  type DockRequest,
  type DockingResponse,
  type JumpRequest,
  dockingResponse,
} from '../orders/visits.ts'
import { type OwnShipsResponse, ownShipsResponse } from '../bodies/own-ships.ts'
import type { NewOwnShipRequest, OwnClassRequest } from '../bodies/ship-changes.ts'
import { type OwnShipState, ownShipState } from '../ship.ts'
import { type Route, nothing } from './route.ts'

export const readShip: Route<OwnShipState> = {
  request: 'GET /api/player/ship',
  access: 'player',
  status: 200,
  answer: ownShipState,
}

export const changeOwnClass: Route<OwnShipState, { body: OwnClassRequest }> = {
  request: 'PUT /api/player/ship/class',
  access: 'player',
  status: 200,
  answer: ownShipState,
}

export const listOwnShips: Route<OwnShipsResponse> = {
  request: 'GET /api/player/ships',
  access: 'player',
  status: 200,
  answer: ownShipsResponse,
}

export const createOwnShip: Route<OwnShipsResponse, { body: NewOwnShipRequest }> = {
  request: 'POST /api/player/ships',
  access: 'player',
  status: 201,
  answer: ownShipsResponse,
}

export const flyOwnShip: Route<OwnShipsResponse, { path: 'ship_id' }> = {
  request: 'PUT /api/player/ships/:ship_id/flown',
  access: 'player',
  status: 200,
  answer: ownShipsResponse,
}

export const giveUpShip: Route<OwnShipsResponse, { path: 'ship_id' }> = {
  request: 'DELETE /api/player/ships/:ship_id',
  access: 'player',
  status: 200,
  answer: ownShipsResponse,
}

export const listPilots: Route<PilotsResponse> = {
  request: 'GET /api/pilots',
  access: 'player',
  status: 200,
  answer: pilotsResponse,
}

export const predict: Route<PredictionResponse, { body: PredictionRequest }> = {
  request: 'POST /api/player/predict',
  access: 'player',
  status: 200,
  answer: predictionResponse,
}

export const jump: Route<TransferResponse, { body: JumpRequest }> = {
  request: 'POST /api/player/jump',
  access: 'player',
  status: 200,
  answer: transferResponse,
}

export const dock: Route<DockingResponse, { body: DockRequest }> = {
  request: 'POST /api/player/dock',
  access: 'player',
  status: 200,
  answer: dockingResponse,
}

export const undock: Route<DockingResponse> = {
  request: 'POST /api/player/undock',
  access: 'player',
  status: 200,
  answer: dockingResponse,
}

export const listRules: Route<RulesResponse> = {
  request: 'GET /api/player/rules',
  access: 'player',
  status: 200,
  answer: rulesResponse,
}

export const createRule: Route<RuleEntry, { body: RuleRequest }> = {
  request: 'POST /api/player/rules',
  access: 'player',
  status: 201,
  answer: ruleEntry,
}

export const replaceRule: Route<RuleEntry, { path: 'id'; body: RuleRequest }> = {
  request: 'PUT /api/player/rules/:id',
  access: 'player',
  status: 200,
  answer: ruleEntry,
}

export const deleteRule: Route<void, { path: 'id' }> = {
  request: 'DELETE /api/player/rules/:id',
  access: 'player',
  status: 204,
  answer: nothing,
}

export const createInvitation: Route<InvitationResponse, { body: InvitationRequest }> = {
  request: 'POST /api/player/invitations',
  access: 'player',
  status: 201,
  answer: invitationResponse,
}

export const withdrawInvitations: Route<void> = {
  request: 'DELETE /api/player/invitations',
  access: 'player',
  status: 204,
  answer: nothing,
}

export const readAccountSettings: Route<AccountSettings> = {
  request: 'GET /api/account/settings',
  access: 'player',
  status: 200,
  answer: accountSettings,
}

export const changeAccountSettings: Route<AccountSettings, { body: AccountSettings }> = {
  request: 'PUT /api/account/settings',
  access: 'player',
  status: 200,
  answer: accountSettings,
}

export const deleteAccount: Route<void> = {
  request: 'DELETE /api/account',
  access: 'player',
  status: 204,
  answer: nothing,
}

export const changePassword: Route<MessageResponse, { body: OwnPasswordRequest }> = {
  request: 'PUT /api/account/password',
  access: 'player',
  status: 200,
  answer: messageResponse,
}

export const endTokens: Route<void> = {
  request: 'DELETE /api/account/tokens',
  access: 'player',
  status: 204,
  answer: nothing,
}
