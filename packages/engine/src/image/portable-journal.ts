import { PHYSICS } from '@orrery/sim'
import * as v from 'valibot'
import { type FileKind, fileRefusal, packFile, parsedPart, unpackFile } from './checked-file.ts'
import type { KeptCommand } from '../commands/command-row.ts'
import { type EngineError, errorText } from '../engine-error.ts'
import type { UniverseImage } from './universe-image.ts'
import { parseKeptCommand } from '../commands/kept-command.ts'
import type { Rule } from '../orders/rule.ts'
import { enterRoster } from '../world/roster.ts'
import type { World } from '../world/world.ts'

/**
 * One line of a journal that is carried from one machine to another; those of a system in order of
 * sequence.
 */
export type PortableRecord =
  | {
      readonly kind: 'command'
      readonly systemId: string
      readonly sequence: number
      /** lattice index at which it acts */
      readonly index: number
      readonly command: KeptCommand
    }
  | {
      readonly kind: 'clock'
      readonly systemId: string
      /** of the last command before it */
      readonly sequence: number
      /** published lattice index */
      readonly index: number
      /** carried part of a quantum, numerator and denominator in decimal */
      readonly remainder: readonly [string, string]
      readonly tick: number
    }
  | {
      readonly kind: 'digest'
      readonly systemId: string
      readonly index: number
      readonly digest: string
    }

/** A stored span of a universe's life, whole and by itself. */
export interface PortableJournal {
  readonly era: number
  /** the universe that the records begin with */
  readonly image: UniverseImage
  readonly records: Iterable<PortableRecord>
}

const JOURNAL_FILE: FileKind = { name: 'journal', magic: 'orreryJ\n', version: 2 }

const whole = v.pipe(v.number(), v.safeInteger())
const count = v.pipe(whole, v.minValue(0))
const digits = v.pipe(v.string(), v.digits())
const manifest = v.object({
  physics: count,
  era: count,
  imageBytes: count,
  header: v.record(v.string(), v.unknown()),
})
const record = v.variant('kind', [
  v.object({
    kind: v.literal('command'),
    systemId: v.string(),
    sequence: count,
    index: whole,
    command: v.unknown(),
  }),
  v.object({
    kind: v.literal('clock'),
    systemId: v.string(),
    sequence: count,
    index: whole,
    remainder: v.tuple([digits, digits]),
    tick: count,
  }),
  v.object({
    kind: v.literal('digest'),
    systemId: v.string(),
    index: whole,
    digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must be of 32 hexadecimal digits')),
  }),
])

/**
 * Calls every ship of a system `Ship <number>`, and returns what does the same for the commands
 * that follow it: players are named nowhere else. Ids of ships stay, since they decide where ships
 * begin; so do the names of stations and gates, which belong to the place.
 */
export function takeNamesOut(world: World): (command: KeptCommand) => KeptCommand {
  const numbers = new Map<string, number>()
  let { nextNumber } = world.roster
  for (const entry of world.roster.byId.values()) {
    numbers.set(entry.shipId, entry.number)
    enterRoster(world.roster, { ...entry, name: `Ship ${entry.number}` })
  }
  for (const [ship, rules] of world.rules.ofShip) world.rules.ofShip.set(ship, rules.map(unnamed))
  return (command) => {
    if (command.kind === 'set_rules') {
      const rules = command.rules.map((rule) => ('condition' in rule ? unnamed(rule) : rule))
      return { ...command, rules }
    }
    if (command.kind === 'create_ship') numbers.set(command.shipId, nextNumber++)
    if (command.kind === 'arrive_ship') {
      const { shipId, rules } = command.handOff
      numbers.set(shipId, nextNumber++)
      const name = `Ship ${numbers.get(shipId)}`
      const unnamedRules = rules && { rules: rules.map(unnamed) }
      return { ...command, handOff: { ...command.handOff, name, ...unnamedRules } }
    }
    if (command.kind !== 'create_ship' && command.kind !== 'rename_ship') return command
    return { ...command, name: `Ship ${numbers.get(command.shipId)}` }
  }
}

function unnamed(rule: Rule): Rule {
  return { ...rule, name: 'Rule', source: '' }
}

/** A journal as one file: its manifest, the state, and records as lines of JSON. */
export async function packJournal({ era, image, records }: PortableJournal): Promise<Uint8Array> {
  const { header, bytes } = image
  const lines = Array.from(records, (one) => Buffer.from(`${JSON.stringify(one)}\n`))
  return packFile(JOURNAL_FILE, { physics: PHYSICS, era, imageBytes: bytes.length, header }, [
    bytes,
    ...lines,
  ])
}

/**
 * Opens such a file. Its records are read as they are asked for, and may throw, too.
 *
 * @throws {EngineError} 'ERR_FILE' saying what was found and what was expected
 */
export async function unpackJournal(file: Uint8Array): Promise<PortableJournal> {
  const { found, rest } = await unpackFile(JOURNAL_FILE, manifest, file)
  const { physics, era, imageBytes, header } = found
  if (physics !== PHYSICS) {
    throw refused(`it was made by physics ${physics}, and this program has physics ${PHYSICS}`)
  }
  if (imageBytes > rest.length) {
    throw refused(`its state has ${rest.length} bytes of ${imageBytes}`)
  }
  const image = {
    header: header as unknown as UniverseImage['header'],
    bytes: new Uint8Array(rest.subarray(0, imageBytes)),
  }
  return { era, image, records: { [Symbol.iterator]: () => recordsIn(rest, imageBytes) } }
}

function* recordsIn(unpacked: Buffer, begin: number): Generator<PortableRecord, void> {
  let line = 1
  for (let at = begin; at < unpacked.length; line++) {
    const end = unpacked.indexOf('\n', at)
    const name = `its record ${line}`
    if (end < 0) throw refused(`${name} has no end`)
    const one = parsedPart(JOURNAL_FILE, record, unpacked.toString('utf8', at, end), name)
    yield one.kind === 'command' ? { ...one, command: command(one.command, name) } : one
    at = end + 1
  }
}

function command(value: unknown, name: string): KeptCommand {
  try {
    return parseKeptCommand(value)
  } catch (error) {
    throw refused(`${name} is broken: ${errorText(error)}`)
  }
}

function refused(reason: string): EngineError {
  return fileRefusal(JOURNAL_FILE, reason)
}
