/** The ships of an account, one of which it flies. */
import * as v from 'valibot'
import { type Uuid, uuid } from '../identifiers.ts'
import { count } from '../numbers.ts'
import { type ModuleValues, moduleValues } from './modules.ts'

/** Answer of the routes of `/api/player/ships`, by name, then by id. */
export interface OwnShipsResponse {
  /** that an account may have */
  readonly ships_max: number
  readonly ships: readonly {
    readonly ship_id: Uuid
    /** whether it is the one that the account flies */
    readonly flown: boolean
    /** absent between two star systems, as class and system are */
    readonly name?: string
    readonly ship_class?: string
    readonly system_id?: string
    /** that accounts see, by module; absent without modules */
    readonly ship_values?: Readonly<Record<string, ModuleValues>>
  }[]
}

export const ownShipsResponse: v.GenericSchema<OwnShipsResponse> = v.object({
  ships_max: count,
  ships: v.array(
    v.object({
      ship_id: uuid,
      flown: v.boolean(),
      name: v.exactOptional(v.string()),
      ship_class: v.exactOptional(v.string()),
      system_id: v.exactOptional(v.string()),
      ship_values: v.exactOptional(v.record(v.string(), moduleValues)),
    }),
  ),
})
