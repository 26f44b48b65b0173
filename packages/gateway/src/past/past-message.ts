import type { PastReading } from '@orrery/game'

/** Begins a flight; the first message to its process. */
export interface PastBeginning {
  readonly kind: 'begin'
  readonly databaseUrl: string | undefined
  readonly directory: string
  readonly shipsMax: number
  readonly moduleFiles: readonly string[]
  readonly systemId: string
  /** resident memory at which it gives up */
  readonly bytesMax: number
}

/** Asks what was to be seen at a past moment. */
export interface PastQuestion {
  readonly kind: 'look'
  readonly id: number
  /** lattice index */
  readonly index: number
  /** who looks; undefined for an admin */
  readonly shipId: string | undefined
}

/** What a flight's process says. */
export type PastAnswer =
  | { readonly kind: 'stride'; readonly reading: PastReading }
  | {
      readonly kind: 'seen'
      readonly id: number
      readonly reading: PastReading
      /** a `PastSkyResponse` as JSON in UTF-8 */
      readonly sky: Uint8Array<ArrayBuffer>
    }
  | {
      readonly kind: 'refused'
      readonly id: number
      readonly code: string
      readonly message: string
      readonly status: number
    }

/** Why a flight gives up that needs more than it may have. */
export function memoryText({ bytesMax }: Pick<PastBeginning, 'bytesMax'>): string {
  return `The flight needs more than ${Math.round(bytesMax / 1e6)} MB of memory`
}
