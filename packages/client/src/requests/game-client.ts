import {
  type AccountSettings,
  type AdminLoginResponse,
  type BodiesResponse,
  type CheckpointsQuery,
  type CheckpointsResponse,
  type Departure,
  type DockingResponse,
  type InvitationRequest,
  type InvitationResponse,
  type LoginResponse,
  type MessageResponse,
  type OwnShipState,
  type OwnShipsResponse,
  type PilotsResponse,
  type PredictionRequest,
  type PredictionResponse,
  type RegisterResponse,
  type ShipClassesResponse,
  type SkyResponse,
  type StatusResponse,
  type SystemResponse,
  type SystemsResponse,
  type TransferResponse,
  api,
} from '@orrery/protocol'
import * as v from 'valibot'
import { type AdminClient, createAdminClient } from './admin-client.ts'
import { type Call, createCall } from './call.ts'
import { type Exchange, type ExchangeOptions, createExchange } from './exchange.ts'
import { predictionWaitMs } from './prediction-wait.ts'
import { type RulesClient, createRulesClient } from './rules-client.ts'

/** The public routes, and the clients of those that need a token. */
export interface GameClient {
  /**
   * @param invitation  code of an `invite`: the ship begins beside that of who made it
   * @param shipClass   name; by default `new_ships` of `shipClasses()`
   */
  register(
    username: string,
    password: string,
    invitation?: string,
    shipClass?: string,
  ): Promise<RegisterResponse>
  /** `admin_token` of the answer is there for admins */
  login(username: string, password: string): Promise<LoginResponse>
  /** by a token of the issuer that the server trusts; name and ship class are of a new account */
  signIn(token: string, username?: string, shipClass?: string): Promise<LoginResponse>
  /** for admins only; `login` gives them the same token as `admin_token` */
  adminLogin(username: string, password: string): Promise<AdminLoginResponse>
  status(): Promise<StatusResponse>
  systems(): Promise<SystemsResponse>
  /** its bodies, and where its stations and gates run */
  system(systemId: string): Promise<SystemResponse>
  /** where its bodies are, now or at an ISO 8601 time from `from` to `until` of the answer */
  bodies(systemId: string, at?: string): Promise<BodiesResponse>
  /**
   * the states that its bodies are integrated from, at an ISO 8601 time or before it and at so many
   * times after: from `from` to `until` of the answer
   */
  checkpoints(systemId: string, asked?: CheckpointsQuery): Promise<CheckpointsResponse>
  /**
   * its stations, gates and the ships that guests may see, those nearest to a body by its name, or
   * to what else is there by its id
   */
  sky(systemId: string, near?: string): Promise<SkyResponse>
  shipClasses(): Promise<ShipClassesResponse>
  /** the OpenAPI document of the server */
  openApi(): Promise<Record<string, unknown>>
  /** the AsyncAPI document of the server's sockets */
  asyncApi(): Promise<Record<string, unknown>>
  readonly health: {
    /** resolves while the process answers */
    live(): Promise<Health>
    /** resolves while the world ticks or is paused; else rejects with status 503 */
    ready(): Promise<Health>
  }
  /** the routes of a player */
  player(token: string): PlayerClient
  /** the routes of an admin */
  admin(token: string): AdminClient
  /** the routes of a program with a service token */
  service(token: string): ServiceClient
}

/** What a service token opens, by its scopes. */
export interface ServiceClient {
  /** calls a route by its declaration */
  readonly call: Call
  /**
   * The same for a command, which acts once under a key of the program's own: after an answer that
   * was lost, send it again under the same one, within a day. 1 to 255 printable ASCII characters.
   */
  once(key: string): Call
}

export interface Health {
  readonly status: 'ok'
  /** what an operator should know */
  readonly warning?: string | undefined
}

/** The routes of a player. */
export interface PlayerClient {
  /** calls a route by its declaration, such as one that has no function here */
  readonly call: Call
  /** one's own ship at the moment of the answer */
  ship(): Promise<OwnShipState>
  /** ships of the players that are connected */
  pilots(): Promise<PilotsResponse>
  /** one's own trajectory for the next hours if nothing interferes; one at a time */
  predict(request: PredictionRequest): Promise<PredictionResponse>
  readonly rules: RulesClient
  /** takes it through the jump gate beside it */
  jump(jumpgateId: string): Promise<TransferResponse>
  /** takes it to a station of its system, where it docks and is refuelled */
  dock(stationId: string, departure?: Departure): Promise<DockingResponse>
  undock(): Promise<DockingResponse>
  readonly ships: {
    list(): Promise<OwnShipsResponse>
    /** makes one more, of a class by its name, or else of that of new accounts */
    create(shipClass?: string): Promise<OwnShipsResponse>
    /** makes it the one that is flown; the other goes on without a pilot */
    fly(shipId: string): Promise<OwnShipsResponse>
    /** removes one that coasts, for good */
    giveUp(shipId: string): Promise<OwnShipsResponse>
  }
  /** of the docked ship, by name; the tank keeps what fits */
  changeClass(shipClass: string): Promise<OwnShipState>
  /** makes an invitation to begin beside one's own ship, good for a day if not otherwise asked */
  invite(request: InvitationRequest): Promise<InvitationResponse>
  /** ends one's own invitations */
  withdrawInvitations(): Promise<void>
  settings(): Promise<AccountSettings>
  /** resolves with the settings as they are then */
  changeSettings(settings: AccountSettings): Promise<AccountSettings>
  /** ends all other tokens of the account */
  changePassword(currentPassword: string, newPassword: string): Promise<MessageResponse>
  /** ends all tokens of the account, this one too, and closes its sockets */
  signOutEverywhere(): Promise<void>
  /** deletes account and ship for good */
  deleteAccount(): Promise<void>
}

const health: v.GenericSchema<Health> = v.object({
  status: v.literal('ok'),
  warning: v.optional(v.string()),
})

/**
 * The game over HTTP: a function per route, each answer as the protocol has it.
 *
 * Every one rejects with a {@link ClientError}: the server's code, or `network`, `timeout` or
 * `bad_answer`.
 */
export function createGameClient(options: ExchangeOptions): GameClient {
  const send = createExchange(options)
  const call = createCall(send)
  return {
    register: (username, password, invitation, ship_class) =>
      call(api.register, {
        username,
        password,
        ...(invitation !== undefined && { invitation }),
        ...(ship_class !== undefined && { ship_class }),
      }),
    login: (username, password) => call(api.login, { username, password }),
    signIn: (token, username, ship_class) =>
      call(api.signIn, {
        token,
        ...(username !== undefined && { username }),
        ...(ship_class !== undefined && { ship_class }),
      }),
    adminLogin: (username, password) => call(api.loginAdmin, { username, password }),
    status: () => call(api.readStatus),
    systems: () => call(api.listSystems),
    system: (system_id) => call(api.readSystem, { system_id }),
    bodies: (system_id, at) => call(api.readBodies, { system_id, ...(at !== undefined && { at }) }),
    checkpoints: (system_id, asked) => call(api.readCheckpoints, { system_id, ...asked }),
    sky: (system_id, near) => call(api.readSky, { system_id, ...(near !== undefined && { near }) }),
    shipClasses: () => call(api.listShipClasses),
    openApi: () => send('GET /api/openapi.json', v.record(v.string(), v.unknown())),
    asyncApi: () => send('GET /api/asyncapi.json', v.record(v.string(), v.unknown())),
    health: {
      live: () => send('GET /health/live', health),
      ready: () => send('GET /health/ready', health),
    },
    player: (token) => createPlayerClient(send, token),
    admin: (token) => createAdminClient(send, token),
    service: (token) => ({
      call: createCall(send, { token }),
      once: (key) => createCall(send, { token, key }),
    }),
  }
}

function createPlayerClient(send: Exchange, token: string): PlayerClient {
  const call = createCall(send, { token })
  return {
    call,
    ship: () => call(api.readShip),
    pilots: () => call(api.listPilots),
    predict: (asked) =>
      createCall(send, { token, extraMs: predictionWaitMs(asked) })(api.predict, asked),
    rules: createRulesClient(call),
    jump: (jumpgate_id) => call(api.jump, { jumpgate_id }),
    dock: (station_id, departure) => call(api.dock, { station_id, ...departure }),
    undock: () => call(api.undock),
    ships: {
      list: () => call(api.listOwnShips),
      // The route needs a body, even an empty one.
      create: (ship_class) => call(api.createOwnShip, { ship_class } as { ship_class?: string }),
      fly: (ship_id) => call(api.flyOwnShip, { ship_id }),
      giveUp: (ship_id) => call(api.giveUpShip, { ship_id }),
    },
    changeClass: (ship_class) => call(api.changeOwnClass, { ship_class }),
    invite: (request) => call(api.createInvitation, request),
    withdrawInvitations: () => call(api.withdrawInvitations),
    settings: () => call(api.readAccountSettings),
    changeSettings: (settings) => call(api.changeAccountSettings, settings),
    changePassword: (current_password, new_password) =>
      call(api.changePassword, { current_password, new_password }),
    signOutEverywhere: () => call(api.endTokens),
    deleteAccount: () => call(api.deleteAccount),
  }
}
