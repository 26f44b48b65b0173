import { errorText } from '@orrery/http'
import { ROOT } from '@orrery/http/bundle'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { CARRIED_MESSAGES } from './carried-message.ts'

/** What a carried core is. */
export interface CarriedFile {
  readonly physics: number
  readonly release: string
  readonly messages: typeof CARRIED_MESSAGES
}

/** Where a release has the core of the one before. */
export const CARRIED_DIRECTORY: string = join(ROOT, 'packages/gateway/carried-core')

/** Of such a directory: the program, and what it is. */
export const CARRIED_PROGRAM = 'carried-process.mjs'
export const CARRIED_FILE = 'core.json'

const carriedFile: v.GenericSchema<unknown, CarriedFile> = v.object({
  physics: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  release: v.string(),
  messages: v.literal(CARRIED_MESSAGES, 'Expected the messages of this release'),
})

/** The same as this release writes it. */
export function carriedFileOf(physics: number, release: string): CarriedFile {
  return { physics, release, messages: CARRIED_MESSAGES }
}

/** What core a directory has. @throws {Error} where it has none that this release can use */
export async function readCarriedFile(directory: string): Promise<CarriedFile> {
  try {
    const text = await readFile(join(directory, CARRIED_FILE), 'utf8')
    return v.parse(carriedFile, JSON.parse(text))
  } catch (cause) {
    const message = `${directory} has no core that can be used: ${errorText(cause)}`
    throw new Error(message, { cause })
  }
}
