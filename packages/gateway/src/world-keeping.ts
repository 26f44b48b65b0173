import { STAR_SYSTEMS, checkpointAtOrBefore, parseCheckpoints } from '@orrery/catalog'
import {
  type GameClock,
  type SystemSetup,
  type WallClock,
  type World,
  type WorldImage,
  addShip,
  createGameClock,
  createWorld,
  removeShip,
  restoreWorld,
  startNode,
} from '@orrery/engine'
import { latticeFromUtc, spheresOfInfluence, utcFromLattice } from '@orrery/sim'
import type { Account, Settings, Snapshot, SnapshotKind, Snapshots } from '@orrery/store'
import { readFile } from 'node:fs/promises'

/** Automatic snapshots that are kept, and as many of clean stops. */
const SNAPSHOTS_KEPT = 2

/** A world that is ready to tick, new or as it was stored. */
export interface OpenedWorld {
  readonly world: World
  readonly gameClock: GameClock
  readonly tick: number
}

/**
 * Opens the newest stored world; without one, makes a new one at the present moment. Then every
 * account with a ship has one, and no ship is without an account.
 *
 * @throws {EngineError} 'ERR_IMAGE' when the stored world does not fit this program
 */
export async function openWorld(options: {
  readonly snapshots: Snapshots
  readonly accounts: readonly Account[]
  readonly settings: Readonly<Settings>
  readonly clock: WallClock
  readonly shipsMax: number
  /** a world made while the database was, to be taken when none is stored */
  readonly prepared: World | undefined
}): Promise<OpenedWorld> {
  const { snapshots, accounts, settings, clock, shipsMax, prepared } = options
  const stored = await snapshots.newest(settings.era)
  const opened = stored
    ? restoreWorld(imageOf(stored), {
        systems: await systemSetups(stored.lattice),
        shipsMax,
        ...(await kernels()),
      })
    : begun(prepared ?? (await newWorld(clock, settings.worldSeed, shipsMax)), clock)
  reconcile(opened.world, accounts)
  return opened
}

/** A new world begins now: its ephemeris took seconds to make, and nobody lives in it yet. */
function begun(world: World, clock: WallClock): OpenedWorld {
  const index = latticeFromUtc(clock.utcMs())
  return { world: { ...world, index, since: index }, gameClock: createGameClock(index), tick: 0 }
}

/** Stores a world and forgets older ones of the same kind. */
export async function storeWorld(
  snapshots: Snapshots,
  image: WorldImage,
  { era, kind }: { readonly era: number; readonly kind: SnapshotKind },
): Promise<void> {
  const { header, bytes } = image
  await snapshots.store({
    era,
    kind,
    tick: header.tick,
    lattice: header.index,
    gameTime: new Date(utcFromLattice(header.index)),
    header: JSON.parse(JSON.stringify(header)),
    bytes,
  })
  await snapshots.prune({ kind, keep: SNAPSHOTS_KEPT })
}

function imageOf({ header, bytes }: Snapshot): WorldImage {
  return { header: header as unknown as WorldImage['header'], bytes }
}

/** A world without ships at the present moment; the cost is the ephemeris to its horizon. */
export async function newWorld(clock: WallClock, seed: string, shipsMax: number): Promise<World> {
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

function reconcile(world: World, accounts: readonly Account[]): void {
  const owned = new Map<string, string>()
  for (const { shipId, username } of accounts) {
    if (shipId !== null) owned.set(shipId, username)
  }
  for (const entry of world.roster.byId.values()) {
    if (!owned.has(entry.shipId)) removeShip(world, entry)
  }
  for (const [shipId, username] of owned) {
    if (!world.roster.byId.has(shipId)) addShip(world, shipId, username)
  }
}
