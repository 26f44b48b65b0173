import { CHUNK_SLOTS, type Column, SHIP_COLUMNS, SIGHTING_COLUMNS } from '@orrery/sim'
import * as v from 'valibot'
import { EngineError } from './engine-error.ts'

export const FORMAT = 2

/** What people can read of a stored world. */
export interface ImageHeader {
  readonly format: number
  readonly seed: string
  readonly index: number
  readonly tick: number
  /** carried part of a quantum, numerator and denominator in decimal */
  readonly remainder: readonly [string, string]
  readonly sequence: number
  readonly nextNumber: number
  readonly columns: readonly Column[]
  readonly sightingColumns: readonly Column[]
  /** rows of the sighting table, from the first */
  readonly sightings: number
  /** system of each used chunk, -1 when empty */
  readonly chunkSystems: readonly number[]
  readonly systems: readonly { id: string; bodies: number; node: number }[]
  readonly ships: readonly { shipId: string; number: number; slot: number; name: string }[]
  readonly pending: number
}

const whole = v.pipe(v.number(), v.safeInteger())
const count = v.pipe(whole, v.minValue(0))
const digits = v.pipe(v.string(), v.digits())
const columns = v.array(
  v.object({
    name: v.string(),
    type: v.picklist(['f64', 'f32', 'i32', 'u32', 'u8']),
    components: v.pipe(count, v.minValue(1)),
    unit: v.string(),
  }),
)

const imageHeader = v.object({
  format: v.literal(FORMAT),
  seed: v.string(),
  index: whole,
  tick: count,
  remainder: v.tuple([digits, v.pipe(digits, v.notValue('0'))]),
  sequence: count,
  nextNumber: count,
  columns,
  sightingColumns: columns,
  sightings: count,
  chunkSystems: v.array(v.pipe(whole, v.minValue(-1))),
  systems: v.pipe(
    v.array(v.object({ id: v.string(), bodies: count, node: whole })),
    v.minLength(1),
  ),
  ships: v.array(v.object({ shipId: v.string(), number: count, slot: count, name: v.string() })),
  pending: count,
})

/**
 * Checks that a header is whole and fits this program's columns, by names that both know.
 *
 * @throws {EngineError} 'ERR_IMAGE' saying what is wrong
 */
export function assertSoundHeader(header: ImageHeader): void {
  const parsed = v.safeParse(imageHeader, header, { abortEarly: true })
  if (!parsed.success) {
    const [issue] = parsed.issues
    const place = v.getDotPath(issue) ?? 'itself'
    throw new EngineError('ERR_IMAGE', `The image header is broken at ${place}: ${issue.message}.`)
  }
  assertSameColumns(header.columns, SHIP_COLUMNS)
  assertSameColumns(header.sightingColumns, SIGHTING_COLUMNS)
  const slots = header.chunkSystems.length * CHUNK_SLOTS
  const stray = header.ships.find(({ slot }) => slot >= slots)
  if (stray) {
    throw new EngineError('ERR_IMAGE', `Ship ${stray.shipId} has slot ${stray.slot} of ${slots}.`)
  }
}

function assertSameColumns(theirs: readonly Column[], ours: readonly Column[]): void {
  for (const { name, type, components } of theirs) {
    const own = ours.find((column) => column.name === name)
    if (!own || (own.type === type && own.components === components)) continue
    throw new EngineError(
      'ERR_IMAGE',
      `Image column ${name} is ${components} ${type} when ${own.components} ${own.type} is known.`,
    )
  }
}
