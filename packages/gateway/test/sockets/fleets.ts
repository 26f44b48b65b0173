// Ships in the form of the engine, laid out by hand.
import type { Fleet, PilotView, ShipView, Sky } from '@orrery/engine/testing'
import { randomUUID } from 'node:crypto'

export function shipView(changes: Partial<ShipView> = {}): ShipView {
  return {
    shipId: randomUUID(),
    name: 'Ida',
    systemId: 'sol',
    shipClass: 'courier',
    referenceBody: 'Earth',
    position: [1, 2, 3],
    velocity: [4, 5, 6],
    relativePosition: [7, 8, 9],
    relativeVelocity: [10, 11, 12],
    attitude: [1, 0, 0, 0],
    angularVelocity: [0.1, 0.2, 0.3],
    thrustLevel: 0.5,
    fuel: 9000,
    fuelCapacity: 10_000,
    mass: 29_000,
    deltaV: 4500,
    wheelSaturation: [0, 0.5, 1],
    frozen: false,
    ...changes,
  }
}

const OPEN: PilotView['orbit'] = {
  plane: 'equator',
  semiMajorAxis: -7e6,
  eccentricity: 1.25,
  inclination: 0.5,
  ascendingNode: null,
  argumentOfPeriapsis: 3,
  trueAnomaly: 1,
  altitude: 5e5,
  periapsisAltitude: 4e5,
  apoapsisAltitude: null,
  period: null,
  timeToPeriapsis: null,
  timeToApoapsis: null,
}

/** What every pilot sees. */
export const PILOT_VIEW: PilotView = {
  maneuver: null,
  lastManeuver: null,
  dockedAt: null,
  steering: { pointing: 'hold', mode: 'locked', wheelUnloading: true, burnDeltaV: null },
  orbit: OPEN,
  meanOrbit: OPEN,
}

/** Ships on the sky; `viewed` is called for each whole ship that is read. */
export function skyWith(
  views: readonly ShipView[],
  viewed: (shipId: string) => void = () => {},
): Sky {
  const fleets = new Map<string, Fleet>()
  for (const systemId of new Set(['sol', 'alpha', ...views.map((ship) => ship.systemId)])) {
    const ships = views.filter((ship) => ship.systemId === systemId)
    const indices = new Map(ships.map(({ shipId }, index) => [shipId, index]))
    fleets.set(systemId, {
      systemId,
      index: 7,
      ships: ships.map(({ shipId, name }, slot) => ({ shipId, name, slot, number: slot + 1 })),
      indexOf: (shipId) => indices.get(shipId) ?? -1,
      positions: () => Float64Array.from(ships.flatMap(({ position }) => position)),
      view: (index) => {
        viewed(ships[index].shipId)
        return ships[index]
      },
      pilotView: () => PILOT_VIEW,
    })
  }
  return {
    index: 7,
    offset: 0.25,
    fleets,
    fleetOf: (shipId) => [...fleets.values()].find((fleet) => fleet.indexOf(shipId) >= 0),
  }
}
