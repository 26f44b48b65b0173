import { CHUNK_SLOTS, type Column, POINTINGS, SHIP_COLUMNS, SIGHTING_COLUMNS } from '@orrery/sim'
import * as v from 'valibot'
import { EngineError } from './engine-error.ts'
import type { Jumpgate } from './jumpgates.ts'
import { MANEUVER_LEVELS, type StoredManeuvers } from './maneuver-log.ts'
import type { Station } from './stations.ts'

export const FORMAT = 2

/** What people can read of a stored world. */
export interface ImageHeader {
  readonly format: number
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
  readonly ships: readonly { shipId: string; number: number; slot: number; name: string }[]
  /** none in images that were made before there were any */
  readonly stations?: readonly Station[]
  readonly jumpgates?: readonly Jumpgate[]
  readonly pending: number
  /** left out of images that are older than maneuvers */
  readonly maneuvers?: StoredManeuvers
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

const real = v.pipe(v.number(), v.finite())
const orbit = v.object({
  kind: v.literal('orbit'),
  parent: count,
  radius: v.pipe(real, v.minValue(1)),
  pole: v.tuple([real, real, real]),
  rate: v.pipe(count, v.minValue(1)),
  epoch: whole,
})
const lagrangePoint = v.object({
  kind: v.literal('lagrange'),
  parent: count,
  secondary: count,
  point: v.picklist([1, 2, 3, 4, 5]),
})

const imageHeader = v.object({
  format: v.literal(FORMAT),
  seed: v.string(),
  index: whole,
  settled: v.exactOptional(whole),
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
  pending: count,
  maneuvers: v.exactOptional(
    v.object({
      level: v.picklist(MANEUVER_LEVELS),
      debugged: v.array(count),
      open: v.array(
        v.object({
          ship: count,
          pointing: v.nullable(v.picklist(POINTINGS)),
          attitude: v.nullable(v.tuple([v.number(), v.number(), v.number(), v.number()])),
          target: v.nullable(count),
          targetId: v.nullable(v.string()),
          since: whole,
          phase: v.picklist(['seeking', 'turning']),
        }),
      ),
    }),
  ),
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
  for (const object of [...(header.stations ?? []), ...(header.jumpgates ?? [])]) {
    assertKnownBodies(object, header.systems)
  }
}

function assertKnownBodies(
  { name, system, rail }: Station | Jumpgate,
  systems: ImageHeader['systems'],
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
