/** What programs beside the server order, as a game's masters do. */
import * as v from 'valibot'
import { type Uuid, uuid } from '../identifiers.ts'
import { count } from '../numbers.ts'
import { shipName } from '../ship.ts'
import { talkText } from '../talk-text.ts'
import { shipClassName } from './accounts.ts'
import { type ModuleCommandRequest, moduleCommandEntries } from './modules.ts'

const KEY = 'must be 1 to 255 printable ASCII characters, in quotes if one is a space'

/** Headers of every command of a service token. */
export interface KeyedHeaders {
  /**
   * the same key and request again are answered as before, and act once
   *
   * @source draft-ietf-httpapi-idempotency-key-header-07; a bare text is taken, too
   */
  readonly 'Idempotency-Key': string
}

const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\]){1,255})"$/
const BARE = /^[!#-~]{1,255}$/

/** Schema of {@link KeyedHeaders}; the key comes out without its quotes. */
export const keyedHeaders: v.GenericSchema<KeyedHeaders> = v.object({
  'Idempotency-Key': v.pipe(
    v.string(KEY),
    v.check((key) => QUOTED.test(key) || BARE.test(key), KEY),
    v.transform((key) => QUOTED.exec(key)?.[1].replaceAll(/\\(.)/g, '$1') ?? key),
  ),
})

/**
 * Body of `POST /api/service/ships`: a new ship for an account that has none, or by a name for no
 * account; that one may begin behind another ship.
 */
export interface SpawnRequest {
  readonly player_id?: Uuid
  readonly name?: string
  readonly beside?: Uuid
  /** that of new accounts when left out */
  readonly ship_class?: string
}

export const spawnRequest: v.GenericSchema<SpawnRequest> = v.pipe(
  v.object({
    name: v.exactOptional(shipName),
    beside: v.exactOptional(uuid),
    player_id: v.exactOptional(uuid),
    ship_class: v.exactOptional(shipClassName),
  }),
  v.check(({ beside, name, player_id: player }) => {
    return player === undefined ? name !== undefined : name === undefined && beside === undefined
  }, 'Either player_id or name is needed; beside goes with name'),
)

/** Body of `POST /api/service/ships/{ship_id}/modules`. */
export interface ServiceModuleRequest extends ModuleCommandRequest {
  readonly module: string
}

export const serviceModuleRequest: v.GenericSchema<ServiceModuleRequest> = v.object({
  module: v.pipe(v.string(), v.nonEmpty(), v.maxLength(32)),
  ...moduleCommandEntries,
})

/** Body of `POST /api/service/messages`: to the pilot of a ship, or to all who are connected. */
export interface AnnouncementRequest {
  readonly text: string
  readonly ship_id?: Uuid
}

export const announcementRequest: v.GenericSchema<AnnouncementRequest> = v.object({
  text: talkText,
  ship_id: v.exactOptional(uuid),
})

/** 200 of `POST /api/service/messages`. */
export interface AnnouncementResponse {
  /** pilots to whom it was sent */
  readonly heard: number
}

export const announcementResponse: v.GenericSchema<AnnouncementResponse> = v.object({
  heard: count,
})
