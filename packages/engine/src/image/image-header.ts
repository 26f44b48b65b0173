import { type Column, PHYSICS, SHIP_COLUMNS, SIGHTING_COLUMNS } from '@orrery/sim'
import * as v from 'valibot'
import { EngineError } from '../engine-error.ts'
import { count, whole } from './image-schema.ts'
import type { Jumpgate, Station } from '../world/rail-objects.ts'

export const FORMAT = 3

/** What people can read of a stored world, whatever the format of its image. */
export interface ImageHead {
  /** missing in images that were made before it was counted: 1 */
  readonly physics?: number
  readonly seed: string
  readonly index: number
  /** lattice index that ships may have come to, when a tick from `index` on has broken */
  readonly settled?: number
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
  /** none in images that were made before there were any */
  readonly stations?: readonly Station[]
  readonly jumpgates?: readonly Jumpgate[]
}

/** The header of an image of the present format; single ships stand in its bytes. */
export interface ImageHeader extends ImageHead {
  readonly format: typeof FORMAT
  readonly ships: number
  /** control commands that wait */
  readonly pending: number
  /** bytes of what is kept as text */
  readonly text: number
}

const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const digits = v.pipe(v.string(), v.digits())
const columns = v.array(
  v.object({
    name: v.string(),
    type: v.picklist(['f64', 'f32', 'i32', 'u32', 'u8']),
    components: positive,
    unit: v.string(),
  }),
)

const real = v.pipe(v.number(), v.finite())
const orbit = v.object({
  kind: v.literal('orbit'),
  parent: count,
  radius: v.pipe(real, v.minValue(1)),
  pole: v.tuple([real, real, real]),
  rate: positive,
  epoch: whole,
})
const lagrangePoint = v.object({
  kind: v.literal('lagrange'),
  parent: count,
  secondary: count,
  point: v.picklist([1, 2, 3, 4, 5]),
})

export const imageHead: v.GenericSchema<unknown, ImageHead> = v.object({
  physics: v.exactOptional(
    v.pipe(positive, v.maxValue(PHYSICS, `Expected at most physics ${PHYSICS}`)),
  ),
  seed: v.string(),
  index: whole,
  settled: v.exactOptional(whole),
  tick: count,
  remainder: v.tuple([
    digits,
    v.pipe(
      digits,
      v.check((text) => BigInt(text) > 0n, 'Expected a denominator above 0'),
    ),
  ]),
  sequence: count,
  nextNumber: count,
  columns,
  sightingColumns: columns,
  sightings: count,
  chunkSystems: v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(-1))),
  systems: v.pipe(
    v.array(v.object({ id: v.string(), bodies: count, node: whole })),
    v.minLength(1),
  ),
  stations: v.exactOptional(
    v.array(
      v.object({
        stationId: v.string(),
        name: v.string(),
        system: count,
        rail: v.variant('kind', [orbit, lagrangePoint]),
      }),
    ),
  ),
  jumpgates: v.exactOptional(
    v.array(
      v.object({ jumpgateId: v.string(), name: v.string(), system: count, rail: lagrangePoint }),
    ),
  ),
})

export const imageHeader: v.GenericSchema<unknown, ImageHeader> = v.intersect([
  imageHead,
  v.object({ format: v.literal(FORMAT), ships: count, pending: count, text: count }),
])

/**
 * Checks that a head fits this program's columns, by names that both know, and itself.
 *
 * @throws {EngineError} 'ERR_IMAGE' saying what is wrong
 */
export function assertFits({ chunkSystems, ...head }: ImageHead): void {
  assertSameColumns(head.columns, SHIP_COLUMNS)
  assertSameColumns(head.sightingColumns, SIGHTING_COLUMNS)
  const stray = chunkSystems.find((system) => system >= head.systems.length)
  if (stray !== undefined) {
    throw new EngineError(
      'ERR_IMAGE',
      `The image has ships in system ${stray} of ${head.systems.length}.`,
    )
  }
  for (const object of [...(head.stations ?? []), ...(head.jumpgates ?? [])]) {
    assertKnownBodies(object, head.systems)
  }
}

function assertKnownBodies(
  { name, system, rail }: Station | Jumpgate,
  systems: ImageHead['systems'],
): void {
  const last = rail.kind === 'orbit' ? rail.parent : Math.max(rail.parent, rail.secondary)
  if (system < systems.length && last < systems[system].bodies) return
  throw new EngineError('ERR_IMAGE', `${name} is at body ${last} of system ${system}.`)
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
