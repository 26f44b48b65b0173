import {
  CATALOG_OBJECTS,
  STAR_SYSTEMS,
  checkpointAtOrBefore,
  parseCheckpoints,
} from '@orrery/catalog'
import {
  type GameClock,
  type SystemSetup,
  type WallClock,
  type World,
  type WorldCommand,
  type WorldImage,
  applyCommand,
  createGameClock,
  createWorld,
  imageClock,
  publishedUtc,
  restoreWorld,
  startNode,
} from '@orrery/engine'
import { PHYSICS, latticeFromUtc, spheresOfInfluence } from '@orrery/sim'
import type { Account, NewSnapshot, Snapshot, Snapshots } from '@orrery/store'
import { readFile } from 'node:fs/promises'

/** A world that is ready to tick, new or as it was stored. */
export interface OpenedWorld {
  readonly world: World
  readonly gameClock: GameClock
  readonly tick: number
}

/** The ship slots a world has, at least. */
interface Room {
  readonly shipsMax: number
}

/**
 * Rebuilds a stored world.
 *
 * @throws {EngineError} 'ERR_IMAGE' when it does not fit this program
 */
export async function openStored(
  stored: Pick<Snapshot, 'lattice' | 'header' | 'bytes'>,
  { shipsMax }: Room,
): Promise<OpenedWorld> {
  const systems = await systemSetups(stored.lattice)
  return restoreWorld(imageOf(stored), { systems, shipsMax, ...(await kernels()) })
}

/**
 * A new world with the catalog's stations and gates. It begins now, since its ephemeris may have
 * taken seconds to make.
 */
export function begun(made: World, clock: WallClock): OpenedWorld {
  const index = latticeFromUtc(clock.utcMs())
  const world = { ...made, index, settled: index, since: index }
  for (const command of CATALOG_OBJECTS) applyCommand(world, command)
  return { world, gameClock: createGameClock(index), tick: 0 }
}

/** Stores a world; returns the snapshot's id. */
export function storeWorld(
  snapshots: Pick<Snapshots, 'store'>,
  { header, bytes }: WorldImage,
  { era, kind, durable }: Pick<NewSnapshot, 'era' | 'kind' | 'durable'>,
): Promise<number> {
  return snapshots.store({
    era,
    kind,
    ...(durable && { durable }),
    tick: header.tick,
    lattice: header.index,
    sequence: header.sequence,
    physics: PHYSICS,
    gameTime: new Date(publishedUtc(imageClock(header))),
    header: JSON.parse(JSON.stringify(header)),
    bytes,
  })
}

function imageOf({ header, bytes }: Pick<Snapshot, 'header' | 'bytes'>): WorldImage {
  return { header: header as unknown as WorldImage['header'], bytes }
}

/** A world without ships at the present moment: up to 24 days of ephemeris, half a second. */
export async function newWorld(
  clock: WallClock,
  { seed, shipsMax }: Room & { readonly seed: string },
): Promise<World> {
  const index = latticeFromUtc(clock.utcMs())
  const systems = await systemSetups(index)
  return createWorld({ systems, index, seed, shipsMax, ...(await kernels()) })
}

/** The kernels in WebAssembly. */
async function kernels(): Promise<{ kernel: Uint8Array; massiveKernel: Uint8Array }> {
  const [kernel, massiveKernel] = await Promise.all([
    readFile(new URL(import.meta.resolve('@orrery/sim/kernel.wasm'))),
    readFile(new URL(import.meta.resolve('@orrery/sim/massive.wasm'))),
  ])
  return { kernel, massiveKernel }
}

/** All star systems, their massive bodies at the checkpoints before a lattice index. */
function systemSetups(index: number): Promise<SystemSetup[]> {
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

/**
 * The commands that give every account with a ship its ship, and take ships without an account out
 * of a world.
 *
 * @param names  of ships that are created again; by default the owner's
 */
export function reconciliation(
  { roster }: World,
  accounts: readonly Account[],
  names: ReadonlyMap<string, string> = new Map(),
): WorldCommand[] {
  const owned = new Map<string, string>()
  for (const { shipId, username } of accounts) {
    if (shipId !== null) owned.set(shipId, names.get(shipId) ?? username)
  }
  const spare = [...roster.byId.keys()].filter((shipId) => !owned.has(shipId))
  const missing = [...owned].filter(([shipId]) => !roster.byId.has(shipId))
  return [
    ...spare.map((shipId) => ({ kind: 'remove_ship', shipId }) as const),
    ...missing.map(([shipId, name]) => ({ kind: 'create_ship', shipId, name }) as const),
  ]
}
