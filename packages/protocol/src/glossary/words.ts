import { FLIGHT_WORDS } from './flight-words.ts'
import { WORLD_WORDS } from './world-words.ts'

/**
 * What each field of the API and of the socket messages is, by its name; by `owner.name` where a
 * field of one object or schema differs.
 */
export const FIELD_WORDS: Readonly<Record<string, string>> = { ...WORLD_WORDS, ...FLIGHT_WORDS }
