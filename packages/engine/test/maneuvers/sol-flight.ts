import {
  bodyIndex,
  checkpointAtOrBefore,
  checkpointsUrl,
  parseCheckpoints,
  solStateJ2000,
  solSystem,
} from '@orrery/catalog'
import {
  type ManeuverEvent,
  type ShipNotice,
  type World,
  createReplay,
} from '@orrery/engine/testing'
import {
  type ManeuverOrder,
  NODE_QUANTA,
  QUANTA_PER_SECOND,
  launch,
  spheresOfInfluence,
} from '@orrery/sim'
import { readFile } from 'node:fs/promises'
import { acceptControl } from '../../src/world/intake.ts'
import { addShip } from '../../src/objects/fleet.ts'
import type { RosterEntry } from '../../src/world/roster.ts'
import { createWorld } from '../../src/world/world.ts'
import { wasmKernels } from '../catalog-systems.ts'

const checkpoints = parseCheckpoints(await readFile(checkpointsUrl))

/** A checkpoint's node, in 2030. */
export const CHECKPOINT_NODE: number = 8192 * 451

/** Ships of the solar system that are flown as fast as this thread can. */
export interface SolFlight {
  readonly world: World
  /** all so far */
  readonly events: readonly ManeuverEvent[]
  readonly notices: readonly ShipNotice[]
  /** Places a ship; state relative to a body, [m] and [m/s]. Without one on its spawn orbit. */
  add(name: string, state?: PlacedState): RosterEntry
  /** Orders a maneuver for the next control boundary. */
  order(ship: RosterEntry, order: ManeuverOrder): void
  fly(seconds: number): Promise<void>
  /** Flies until the maneuver under way ends; returns its end, or undefined. */
  flyToEnd(ship: RosterEntry, secondsMax: number): Promise<ManeuverEvent | undefined>
}

export interface PlacedState {
  readonly body: string
  readonly position: readonly number[]
  readonly velocity: readonly number[]
  /** [kg]; a full tank when left out */
  readonly fuel?: number
}

/** @param node  of the massive bodies at the start */
export function solFlight(node: number = CHECKPOINT_NODE, shipsMax = 512): SolFlight {
  const world = createWorld({
    system: {
      system: solSystem,
      territory: {
        home: bodyIndex(solSystem, 'Earth'),
        spheres: spheresOfInfluence(solSystem, solStateJ2000()),
      },
      start: checkpointAtOrBefore(checkpoints, node),
    },
    index: (node + 3) * NODE_QUANTA,
    seed: 'maneuvers',
    shipsMax,
    ...wasmKernels,
  })
  world.maneuvers.level = 'verbose'
  const events: ManeuverEvent[] = []
  const onManeuver = (event: ManeuverEvent): void => void events.push(event)
  const notices: ShipNotice[] = []
  const onEvent = (notice: ShipNotice): void => void notices.push(notice)
  const replay = createReplay({ world, pool: undefined, onManeuver, onEvent })
  const fly = (seconds: number): Promise<void> =>
    replay.flyTo(world.index + seconds * QUANTA_PER_SECOND, 0)
  return {
    world,
    events,
    notices,
    add(name, placed) {
      const entry = addShip(world, name, name)
      const { ships } = world.state
      if (!placed) return entry
      ships.reference[entry.slot] = bodyIndex(solSystem, placed.body)
      ships.position.set(placed.position, 3 * entry.slot)
      ships.velocity.set(placed.velocity, 3 * entry.slot)
      ships.fuel[entry.slot] = placed.fuel ?? world.ship.fuelCapacity
      launch(world.flight, entry.slot, world.index)
      return entry
    },
    order(ship, maneuver) {
      acceptControl(world.intake, ship, { maneuver }, world.index, world.settled)
    },
    fly,
    async flyToEnd(ship, secondsMax) {
      const from = events.length
      const ended = (): ManeuverEvent | undefined =>
        events.slice(from).find(({ shipId, eventType }) => {
          return shipId === ship.shipId && (eventType === 'completed' || eventType === 'failed')
        })
      for (let flown = 0; flown < secondsMax && !ended(); flown += 512) await fly(512)
      return ended()
    },
  }
}
