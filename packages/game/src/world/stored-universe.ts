import {
  CATALOG_OBJECTS,
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  parseCheckpoints,
} from '@orrery/catalog'
import {
  type EngineOptions,
  type WallClock,
  type Universe,
  type UniverseImage,
  type WorldCommand,
  addedClasses,
  allShips,
  createUniverseInSlices,
  executeCommand,
  imageClock,
  publishedUtc,
  restoreUniverseInSlices,
  shipClassAt,
  startNode,
  universeAt,
} from '@orrery/engine'
import { PHYSICS, type ShipClass, latticeFromUtc, spheresOfInfluence } from '@orrery/sim'
import type { NewSnapshot, ShipOwner, Snapshot, Snapshots } from '@orrery/store'
import { readFile } from 'node:fs/promises'
import type { GameConfig } from '../game-config.ts'

/** A universe that is ready to tick, new or as it was stored. */
export interface OpenedUniverse {
  readonly universe: Universe
  readonly gameClock: EngineOptions['gameClock']
  readonly tick: number
}

/** The ships there may be, and the rules of a game's own. */
type Room = Pick<GameConfig, 'shipsMax' | 'shipClasses' | 'modules'>

/**
 * Rebuilds a stored universe, in slices beside which ticks go on.
 *
 * @param only  the star system to be rebuilt alone; all by default
 * @throws {EngineError} 'ERR_IMAGE' when it does not fit this program
 */
export async function openStored(
  stored: Pick<Snapshot, 'lattice' | 'header' | 'bytes'>,
  { modules, shipsMax }: Room,
  only?: string,
): Promise<OpenedUniverse> {
  const systems = await systemSetups(stored.lattice)
  const room = { systems, shipsMax, modules, only, ...(await kernels()) }
  return restoreUniverseInSlices(stored, room)
}

/**
 * Rebuilds a stored universe to begin an era with, which has the classes and modules that are
 * given, too.
 *
 * @throws {EngineError} 'ERR_IMAGE', 'ERR_SHIP_CLASS' when a class would become another
 */
export async function openAnew(
  stored: Parameters<typeof openStored>[0],
  room: Room,
): Promise<OpenedUniverse> {
  const opened = await openStored(stored, room)
  for (const shipClass of lackingClasses(opened, room)) {
    executeCommand(opened.universe, { kind: 'add_ship_class', shipClass })
  }
  for (const command of [...lackingPhysics(opened), ...lackingModules(opened, room)]) {
    executeCommand(opened.universe, command)
  }
  return opened
}

/**
 * The classes that are given and that a universe lacks.
 *
 * @throws {EngineError} 'ERR_SHIP_CLASS' when one of its own is left out or would become another
 */
export function lackingClasses(
  { universe }: Pick<OpenedUniverse, 'universe'>,
  { shipClasses }: Pick<Room, 'shipClasses'>,
): readonly ShipClass[] {
  return shipClasses ? addedClasses(universe.worlds[0].state.classes, shipClasses) : []
}

/** The command by which journals say that this physics goes on with what an older one flew. */
export function lackingPhysics({ universe }: Pick<OpenedUniverse, 'universe'>): WorldCommand[] {
  const isOlder = universe.worlds.some(({ physicsBefore }) => physicsBefore !== undefined)
  return isOlder ? [{ kind: 'begin_physics', physics: PHYSICS }] : []
}

/** The commands that give a universe the modules that it lacks, or has in older versions. */
export function lackingModules(
  { universe }: Pick<OpenedUniverse, 'universe'>,
  { modules: given }: Pick<Room, 'modules'>,
): WorldCommand[] {
  const lacking = (given?.names ?? []).filter((name) =>
    universe.worlds.some(
      ({ modules }) =>
        !modules?.added.some(({ id, version }) => id === name.id && version >= name.version),
    ),
  )
  return lacking.map(({ id: module, version }) => ({ kind: 'add_module', module, version }))
}

/**
 * A new universe with the catalog's stations and gates, and what is given. It begins now, since
 * its ephemeris may have taken seconds to make.
 */
export function begun(
  made: Universe,
  clock: WallClock,
  given: Pick<Room, 'modules'> = {},
): OpenedUniverse {
  const opened = universeAt(made, latticeFromUtc(clock.utcMs()))
  for (const command of [...CATALOG_OBJECTS, ...lackingModules(opened, given)]) {
    executeCommand(opened.universe, command)
  }
  return opened
}

/** Stores a universe; returns the snapshot's id. */
export function storeUniverse(
  snapshots: Pick<Snapshots, 'store'>,
  { header, bytes }: UniverseImage,
  { era, kind, ...more }: Pick<NewSnapshot, 'era' | 'kind' | 'durable' | 'createdAt'>,
): Promise<number> {
  const [first] = header.worlds
  return snapshots.store({
    era,
    kind,
    ...more,
    tick: first.tick,
    lattice: first.index,
    sequences: sequencesOf(header),
    physics: PHYSICS,
    gameTime: new Date(publishedUtc(imageClock(first))),
    header: JSON.parse(JSON.stringify(header)),
    bytes,
  })
}

/** The last command of each system that is in an image, by its id. */
export function sequencesOf({ worlds }: UniverseImage['header']): Record<string, number> {
  return Object.fromEntries(worlds.map(({ system, sequence }) => [system.id, sequence]))
}

/**
 * A universe without ships at the present moment: up to 24 days of ephemeris, half a second of work
 * in slices, beside which a database is opened, and ticks go on.
 */
export async function newUniverse(
  clock: WallClock,
  { seed, shipsMax, shipClasses: classes, modules }: Room & { readonly seed: string },
): Promise<Universe> {
  const index = latticeFromUtc(clock.utcMs())
  const systems = await systemSetups(index)
  return createUniverseInSlices({
    systems,
    index,
    seed,
    shipsMax,
    classes,
    modules,
    ...(await kernels()),
  })
}

interface Kernels {
  readonly kernel: Uint8Array
  readonly massiveKernel: Uint8Array
}

let read: Promise<Kernels> | undefined

/** The kernels in WebAssembly: the same bytes each time, which are checked and compiled once. */
function kernels(): Promise<Kernels> {
  return (read ??= readKernels())
}

async function readKernels(): Promise<Kernels> {
  const [kernel, massiveKernel] = await Promise.all([
    readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))),
    readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm'))),
  ])
  return { kernel, massiveKernel }
}

/** All star systems, their massive bodies at the checkpoints before a lattice index. */
function systemSetups(
  index: number,
): Promise<Parameters<typeof createUniverseInSlices>[0]['systems']> {
  return Promise.all(
    STAR_SYSTEMS.map(async ({ system, home, startState, checkpointsUrl }) => {
      const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))
      return {
        system,
        territory: { home, spheres: spheresOfInfluence(system, startState()) },
        start: checkpointAtOrBefore(checkpoints, startNode(index)),
      }
    }),
  )
}

/** A ship that is to be created again. */
export interface PresentShip {
  readonly name: string
  readonly shipClass?: string
}

/** The ships of a universe by their ids. */
export function presentShips(universe: Universe): ReadonlyMap<string, PresentShip> {
  const ships = universe.worlds.flatMap((world) =>
    Array.from(world.roster.byId.values(), (entry): [string, PresentShip] => {
      const { name } = shipClassAt(world, entry)
      return [entry.shipId, { name: entry.name, shipClass: name }]
    }),
  )
  return new Map(ships)
}

/**
 * The commands that give every account with a ship its ship, and take ships without an account out.
 * A ship between two systems may go to one of another process.
 *
 * @param present  ships by id, whose names and classes those have that are created again; others
 *   have their owner's name
 */
export function reconciliation(
  universe: Universe,
  accounts: readonly ShipOwner[],
  present: ReadonlyMap<string, PresentShip> = new Map(),
): WorldCommand[] {
  const known = new Set(universe.worlds[0].state.classes.map(({ name }) => name))
  const owned = new Map<string, PresentShip>()
  for (const { shipId, username } of accounts) {
    const { name, shipClass } = present.get(shipId) ?? { name: username }
    const isKnown = shipClass !== undefined && known.has(shipClass)
    owned.set(shipId, { name, ...(isKnown && { shipClass }) })
  }
  const flying = new Set(Array.from(allShips(universe), ({ shipId }) => shipId))
  const spare = [...flying].filter((shipId) => !owned.has(shipId))
  const isThere = (shipId: string): boolean =>
    flying.has(shipId) || universe.worlds.some(({ departed }) => departed.has(shipId))
  const missing = [...owned].filter(([shipId]) => !isThere(shipId))
  return [
    ...spare.map((shipId) => ({ kind: 'remove_ship', shipId }) as const),
    ...missing.map(([shipId, ship]) => ({ kind: 'create_ship', shipId, ...ship }) as const),
  ]
}
