import type { ModuleValues, OwnModuleRow } from '@orrery/protocol'
import type { Load } from '@orrery/sim'

/** A ship as its modules see it at a full second. */
export interface ModuleShip {
  readonly number: number
  readonly docked: boolean
  /** id of the station it is docked at */
  readonly station: string | null
  /** 0 to 1 */
  readonly thrust: number
  /** [kg] */
  readonly fuel: number
  /** [kg] */
  readonly fuelCapacity: number
}

/** What modules keep of a ship; it never changes. */
export interface ModuleRows {
  /** ids of the modules that run here */
  readonly ids: readonly string[]
  /** whether the next full second can change it */
  readonly isBeating: boolean
  /** that the ship has by all of them */
  readonly load: Load
  /** what the pilot sees of a module that runs here */
  valuesOf(id: string): ModuleValues
  /** lattice index of the last second at which it took from rows that ships share */
  claimedAt(id: string): number
  /**
   * What they keep after a full second.
   *
   * @param index  of it, on the lattice
   */
  after(ship: ModuleShip, index: number): { readonly rows: ModuleRows; readonly isLoaded: boolean }
}

/** Rows of the server, at a lattice index. */
export interface SentRows {
  readonly index: number
  readonly rows: ModuleRows
}

/** The game's own modules, to run for one's own ship: `flownModules` of `@orrery/module/flown`. */
export interface FlownModules {
  /** of those that run in the present star system */
  readonly ids: readonly string[]
  /** All may run again: another star system may have other versions. */
  enter(): void
  /** Rows as the server has them. */
  rows(sent: readonly OwnModuleRow[]): ModuleRows
}

/** What a module keeps of one's own ship, run here. */
export interface OwnModule {
  readonly values: ModuleValues
  /** false while it depends on what other ships took, which the server has not confirmed */
  readonly isSettled: boolean
}
