import type { RailedObject } from '@orrery/protocol'
import { type ShipClass, type StarSystem, type StateVector, createStateVector } from '@orrery/sim'

/** A ship in view. */
export interface Ship {
  /** never reused */
  readonly number: number
  readonly id: string
  readonly name: string
  /** name of its class */
  readonly shipClass: string
}

/** A ship at one moment, to be written into: `r` and `v` from the centre of `body`. */
export interface ShipSample extends StateVector {
  /** name of the reference body, and its index in the star system */
  body: string
  reference: number
  /** w x y z, body axes to inertial ones */
  readonly attitude: Float64Array
  /** body axes [rad/s] */
  readonly rate: Float64Array
  /** momentum of the wheels, 0 to 1 of their capacity */
  readonly wheels: Float64Array
  /** 0 to 1 */
  thrustLevel: number
  /** [kg] */
  fuel: number
  /** that a game's modules load, of the ship that is flown here; 0 of others [kg] */
  payload: number
  /** part of its thrust that they leave it, 0 to 1; 1 of others */
  thrustLimit: number
  isFrozen: boolean
}

/** A sample to be written into; throttle and fuel are NaN where they are not known. */
export function createShipSample(): ShipSample {
  return {
    ...createStateVector(),
    body: '',
    reference: -1,
    attitude: Float64Array.of(1, 0, 0, 0),
    rate: new Float64Array(3),
    wheels: new Float64Array(3),
    // A number that is no integer: so engines keep it in its place from the start.
    thrustLevel: NaN,
    fuel: NaN,
    payload: 0,
    thrustLimit: 1,
    isFrozen: false,
  }
}

/** How much of what there is to be seen has come. */
export interface Completeness {
  /** ships that are known here */
  readonly known: number
  /** ships in view, as the server counts them */
  readonly inView: number
  /** ships of which something new waits for the receiver's budget */
  readonly waiting: number
}

/** A Lagrange point of a body and the one that it circles. */
export interface LagrangePlace {
  /** name of the smaller of the two */
  readonly secondary: string
  readonly point: 1 | 2 | 3 | 4 | 5
}

/** What happens to the ships in view: those that it happened to in one message. */
export interface WorldEvents {
  readonly joined: readonly Ship[]
  readonly left: readonly Ship[]
  readonly named: readonly Ship[]
  /** another trajectory or attitude than was to be expected */
  readonly changed: readonly Ship[]
  /** another star system, or the same in another era: what was known is void */
  readonly system: StarSystem
  /** all stations and gates there are now */
  readonly objects: readonly RailedObject[]
}

/**
 * What is known of a star system, at any time near the present. Times are lattice indices, need
 * not be whole; a center is the name of a body, or the system's barycentre when left out. What is
 * not known writes nothing and returns false. To evaluate ships allocates nothing.
 */
export interface World {
  /** undefined before it has come */
  readonly system: StarSystem | undefined
  /** that ships may be of; none where only ticks come */
  readonly classes: readonly ShipClass[]
  /** in an order that changes as ships leave */
  ships(): readonly Ship[]
  ship(id: string): Ship | undefined
  /** writes a ship's state relative to its reference body, which it names */
  shipAt(out: ShipSample, id: string, time: number): boolean
  positionAt(out: StateVector, id: string, time: number, center?: string): boolean
  /**
   * Writes the positions of all ships in the order of `ships`, NaN where one is not known; returns
   * their count, of which as many are written as there is room for.
   *
   * @param out  triples [m]
   */
  positionsAt(out: Float64Array, time: number, center?: string): number
  /**
   * Writes the states of some ships, NaN where one is not known.
   *
   * @param out      position [m] and velocity [m/s]: six doubles for each index
   * @param indices  in the order of `ships`
   */
  statesAt(out: Float64Array, indices: Uint32Array, time: number, center?: string): void
  bodyAt(out: StateVector, name: string, time: number, center?: string): boolean
  objects(): readonly RailedObject[]
  /** rows of a game's modules that orders name like stations; none where only ticks come */
  rows(): readonly Pick<RailedObject, 'id' | 'name' | 'row' | 'rail'>[]
  /** the state of a station or gate */
  objectAt(out: StateVector, id: string, time: number, center?: string): boolean
  /** the state of a Lagrange point of a body and its parent */
  lagrangeAt(out: StateVector, place: LagrangePlace, time: number, center?: string): boolean
  completeness(): Completeness
  /** calls back at each event of a kind; returns how to stop */
  on<Kind extends keyof WorldEvents>(
    kind: Kind,
    listener: (event: WorldEvents[Kind]) => void,
  ): () => void
}
