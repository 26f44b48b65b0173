/** A world in Node whose ships obey a script, and what a server would send of them. */
import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  type RosterEntry,
  type World,
  addShip,
  applyCommand,
  createWorld,
  massiveAnchor,
  shipSeed,
} from '@orrery/engine/testing'
import { type BlockName, createBlock, frameHeader } from '@orrery/protocol'
import {
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  createStateVector,
  extendEphemeris,
  flyTo,
  launch,
  placeOnSpawnOrbit,
  railState,
  shipCheck,
  spheresOfInfluence,
  takeEvents,
  writeOrders,
  writtenOrder,
} from '@orrery/sim'
import { progress } from '@orrery/testkit/progress'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type ScriptedOrder, isVisitor, rulesOf, scriptedOrders } from './script.ts'

/** What the flights of all ships share, as JSON. */
export interface FlownPlace {
  readonly system: typeof solSystem
  readonly home: number
  readonly spheres: readonly number[]
  /** a frame with the anchor of the massive bodies, Base64 */
  readonly anchor: string
  readonly rails: readonly { readonly row: number; readonly id: string; readonly rail: Rail }[]
  /** index of the first state, and of the checks to come: one each 64 s */
  readonly begin: number
  readonly checks: number
}

/** One ship of the world as its pilot's client flies it. */
export interface FlownShip {
  /** a frame with its seed, Base64 */
  readonly seed: string
  readonly orders: readonly ScriptedOrder[]
  /** starts of the steps that are checked [quanta] */
  readonly starts: readonly number[]
  /** two words of each check */
  readonly words: readonly number[]
}

type Rail = Parameters<typeof railState>[2]

/** A checkpoint's node, in 2030, and the first index that is clear of it. */
const CHECKPOINT_NODE = 8192 * 451
const BEGIN = (CHECKPOINT_NODE + 3) * NODE_QUANTA

/** Between two checks [quanta]: 64 s. */
const CHECK_QUANTA = 64 * QUANTA_PER_SECOND

const STATION = 'station'
const ABROAD = ['Moon', 'Mars', 'Jupiter', 'Io', 'Saturn', 'Pluto']

/** Flies ships for a while by the kernels in WebAssembly, and checks them each 64 s. */
export async function flownWorld(
  shipCount: number,
  seconds: number,
): Promise<{ readonly place: FlownPlace; readonly ships: readonly FlownShip[] }> {
  const world = await scriptedWorld(shipCount)
  const entries = [...world.roster.byId.values()]
  const checks = Math.floor((seconds * QUANTA_PER_SECOND) / CHECK_QUANTA)
  const place = placeOf(world, checks)
  const ships = entries.map((entry, i) => {
    const orders = scriptedOrders(i, BEGIN, seconds, STATION)
    return {
      entry,
      seed: seedOf(world, entry),
      orders,
      starts: [] as number[],
      words: [] as number[],
    }
  })
  const check = new Uint32Array(2)
  for (let i = 1; i <= checks; i++) {
    progress.at('checks of the world', i, checks)
    fly(world, ships, BEGIN + i * CHECK_QUANTA)
    for (const { entry, starts, words } of ships) {
      shipCheck(check, world.state, entry.slot)
      starts.push(world.state.ships.stepStart[entry.slot])
      words.push(...check)
    }
  }
  return {
    place,
    ships: ships.map(({ orders, seed, starts, words }) => ({ orders, seed, starts, words })),
  }
}

async function scriptedWorld(shipCount: number): Promise<World> {
  const [checkpoints, kernel, massiveKernel] = await Promise.all(
    [checkpointsUrl.href, ...['kernel', 'massive'].map(wasmUrl)].map((url) =>
      readFile(fileURLToPath(url)),
    ),
  )
  const world = createWorld({
    system: {
      system: solSystem,
      territory: {
        home: bodyIndex(solSystem, 'Earth'),
        spheres: spheresOfInfluence(solSystem, solStateJ2000()),
      },
      start: checkpointAtOrBefore(parseCheckpoints(checkpoints), CHECKPOINT_NODE),
    },
    index: BEGIN,
    seed: 'flown',
    shipsMax: shipCount,
    kernel,
    massiveKernel,
  })
  applyCommand(world, {
    kind: 'create_station',
    stationId: STATION,
    name: 'Station',
    parentBody: 'Earth',
    placement: { kind: 'orbit', altitude: 420_000 },
  })
  for (let i = 0; i < shipCount; i++) place(world, addShip(world, `ship-${i}`, `Ship ${i}`), i)
  return world
}

function wasmUrl(name: string): string {
  return import.meta.resolve(`@orrery/sim/${name}.wasm`)
}

/** Most ships circle the Earth, some another body, some begin beside the station. */
function place(world: World, { shipId, slot }: RosterEntry, i: number): void {
  const { ships, ephemeris } = world.state
  const rules = rulesOf(i)
  if (rules.length > 0) applyCommand(world, { kind: 'set_rules', shipId, rules })
  if (isVisitor(i)) {
    const { rail } = world.stations.get(STATION)!
    const at = createStateVector()
    railState(at, ephemeris, rail, world.index, 0)
    ships.position.set([at.r[0] + 20, at.r[1] - 30, at.r[2]], 3 * slot)
    ships.velocity.set([at.v[0] + 0.01, at.v[1], at.v[2]], 3 * slot)
    launch(world.flight, slot, world.index)
  } else if (i % 4 === 3) {
    const body = bodyIndex(solSystem, ABROAD[i % ABROAD.length])
    placeOnSpawnOrbit(world.state, slot, body, world.index)
    ships.reference[slot] = body
    launch(world.flight, slot, world.index)
  }
}

function placeOf(world: World, checks: number): FlownPlace {
  const { home, spheres } = world.flight.territory
  return {
    system: solSystem,
    home,
    // JSON has no infinity.
    spheres: Array.from(spheres, (radius) => Math.min(radius, Number.MAX_VALUE)),
    anchor: frame([['anchor', massiveAnchor(world)]]),
    rails: [...world.stations].map(([id, { rail, row }]) => ({ id, rail, row })),
    begin: BEGIN,
    checks,
  }
}

function seedOf(world: World, entry: RosterEntry): string {
  return frame(Object.entries(shipSeed(world, entry)) as [BlockName, Table][])
}

type Columns = Readonly<Record<string, Float64Array>>

interface Table {
  readonly count: number
  readonly columns: object
}

/** A frame of tables, as a server writes it. */
function frame(tables: readonly (readonly [BlockName, Table])[]): string {
  const blocks = tables.map(([name, { count, columns }]) => {
    const block = createBlock(name, count)
    const views = block.columns as unknown as Columns
    for (const [column, view] of Object.entries(views)) {
      view.set((columns as Columns)[column].subarray(0, view.length))
    }
    return block.bytes
  })
  return Buffer.concat([frameHeader(1, BEGIN, blocks.length), ...blocks]).toString('base64')
}

/** Flies on to an index, by the orders that act until then. */
function fly(
  world: World,
  ships: readonly { readonly entry: RosterEntry; readonly orders: readonly ScriptedOrder[] }[],
  to: number,
): void {
  const { flight, index, integration, state } = world
  const places = {
    slotOf: () => -1,
    railOf: (id: string) => world.stations.get(id)?.row ?? -1,
  }
  const due = ships.flatMap(({ entry, orders }) => {
    const acting = orders.filter((order) => order.index > index && order.index <= to)
    if (acting.length === 0) return []
    const rows = acting.map(({ index: at, control }, sequence) => {
      return { index: at, sequence, order: writtenOrder(control, places) }
    })
    return [{ slot: entry.slot, orders: rows }]
  })
  extendEphemeris(
    integration,
    state.ephemeris,
    Math.max(integration.head.node, Math.floor(to / NODE_QUANTA) + 3),
  )
  writeOrders(state, due)
  flyTo(flight, { state, since: 0 }, index, to, () => undefined)
  takeEvents(state)
  world.index = world.settled = to
}
