import { type Column, PHYSICS, SHIP_COLUMNS, SIGHTING_COLUMNS, type ShipClass } from '@orrery/sim'
import * as v from 'valibot'
import { EngineError } from '../engine-error.ts'
import { moduleBody } from '../orders/module-body.ts'
import { count, whole } from './image-schema.ts'
import type { Jumpgate, Station } from '../world/rail-objects.ts'
import type { StoredRailed } from '../objects/rails.ts'
import type { StoredModule } from '../world/world-modules.ts'
import { shipClassesSchema } from '../world/ship-classes.ts'

export const FORMAT = 4

/** The readable part of a stored star system. */
export interface ImageHeader {
  readonly format: typeof FORMAT
  readonly physics: number
  /** older one that its journal is still of; absent else */
  readonly before?: number
  readonly seed: string
  readonly index: number
  /** lattice index that ships may have reached, when a tick after `index` has broken */
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
  /** chunks up to the last with ships */
  /** parts of a system with slots of their own; absent before physics 5 */
  readonly shards?: 1
  readonly chunks: number
  /** hulls that turn to a commanded attitude */
  readonly commanded: number
  /** ships whose autopilot flies; absent before there was one */
  readonly plans?: number
  /** ships whose autopilot flies timed burns; absent before it could */
  readonly timed?: number
  /** absent where all are the default one */
  readonly classes?: readonly ShipClass[]
  /** ships that are not of the first class; absent where there are none */
  readonly classed?: number
  /** node of its massive bodies */
  readonly system: { readonly id: string; readonly bodies: number; readonly node: number }
  /** absent without any */
  readonly modules?: readonly StoredModule[]
  readonly stations: readonly StoredRailed<Station>[]
  readonly jumpgates: readonly StoredRailed<Jumpgate>[]
  /** number of ships; their names are in the text */
  readonly ships: number
  /** number of control commands that wait */
  readonly pending: number
  /** length of the text [bytes] */
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

const dueEvent = v.object({
  name: v.string(),
  shipNumber: positive,
  index: whole,
  beat: whole,
  data: moduleBody,
})

const dueCommand = v.object({
  shipNumber: positive,
  ruleId: v.string(),
  index: whole,
  beat: whole,
  command: v.string(),
  body: moduleBody,
})

const storedModule: v.GenericSchema<unknown, StoredModule> = v.object({
  id: v.string(),
  version: whole,
  stopped: v.exactOptional(v.object({ index: whole, reason: v.string() })),
  beat: v.exactOptional(whole),
  due: v.exactOptional(v.array(dueEvent)),
  ordered: v.exactOptional(v.array(dueCommand)),
  columns: v.array(v.string()),
  ships: count,
  tables: v.array(
    v.object({ name: v.string(), columns: v.array(v.string()), rows: count, nextId: count }),
  ),
})

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

export const imageHeader: v.GenericSchema<unknown, ImageHeader> = v.object({
  format: v.literal(FORMAT),
  physics: v.pipe(positive, v.maxValue(PHYSICS, `Expected at most physics ${PHYSICS}`)),
  before: v.exactOptional(positive),
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
  shards: v.exactOptional(v.literal(1, 'This release flies a system in one shard')),
  chunks: count,
  commanded: count,
  plans: v.exactOptional(count),
  timed: v.exactOptional(count),
  classes: v.exactOptional(shipClassesSchema),
  classed: v.exactOptional(count),
  system: v.object({ id: v.string(), bodies: count, node: whole }),
  modules: v.exactOptional(v.array(storedModule)),
  stations: v.array(
    v.object({
      row: v.exactOptional(count),
      stationId: v.string(),
      name: v.string(),
      rail: v.variant('kind', [orbit, lagrangePoint]),
    }),
  ),
  jumpgates: v.array(
    v.object({
      row: v.exactOptional(count),
      jumpgateId: v.string(),
      name: v.string(),
      rail: lagrangePoint,
      pairedWith: v.exactOptional(v.string()),
    }),
  ),
  ships: count,
  pending: count,
  text: count,
})

/**
 * Checks that a header is consistent, and that columns known by name have this program's types.
 *
 * @throws {EngineError} 'ERR_IMAGE' saying what is wrong
 */
export function assertFits(head: ImageHeader): void {
  assertSameColumns(head.columns, SHIP_COLUMNS)
  assertSameColumns(head.sightingColumns, SIGHTING_COLUMNS)
  for (const object of [...head.stations, ...head.jumpgates]) {
    assertKnownBodies(object, head.system)
  }
}

function assertKnownBodies(
  { name, rail }: Pick<Station, 'name' | 'rail'>,
  { id, bodies }: ImageHeader['system'],
): void {
  const last = rail.kind === 'orbit' ? rail.parent : Math.max(rail.parent, rail.secondary)
  if (last < bodies) return
  throw new EngineError('ERR_IMAGE', `${name} is at body ${last} of ${bodies} of ${id}.`)
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
