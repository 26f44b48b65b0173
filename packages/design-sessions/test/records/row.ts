// One row of the contract's tables as a case.
import type { Place } from '../ask.ts'

/** What the row says, and how a service is shown to keep it. */
export type Row = readonly [says: string, shown: (place: Place) => Promise<void>]

/** A UUID that nothing has. */
export const NOBODY = '00000000-0000-4000-8000-000000000000'

export const UUID: RegExp = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
export const TIME: RegExp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
