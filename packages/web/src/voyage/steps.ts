/** The steps of the first voyage: what to do, where to look, and by what each is done. */
import { distanceText } from '../quantities/quantities.ts'
import type { Seen } from './seen.ts'

/** Parts of the page that a step points at. */
export type Place =
  | 'navball'
  | 'orbit'
  | 'orders'
  | 'picture'
  | 'places'
  | 'ship'
  | 'steering'
  | 'target'
  | 'throttle'

export interface Step {
  readonly id: string
  /** where to look */
  readonly places: readonly Place[]
  /**
   * What to do.
   *
   * @param key  the name of the key that does an action
   * @param before  what was seen when the step began
   */
  readonly words: (key: (action: string) => string, before: Seen) => string
  readonly isDone: (before: Seen, now: Seen) => boolean
  /** what it has come to */
  readonly done: string
}

/** [rad] */
const TURNED = 0.5
const AIMED = 0.09
const NEARLY_AIMED = 0.2

/** By how much the orbit is raised, and by how much its mean one at least [m]. */
const RAISE = 300_000
const RAISE_MIN = 200_000

/** Between the apsides of a mean orbit that is round [m]. */
const ROUND = 10_000

/** Of a ship beside its target [m], [m/s]. */
const BESIDE = 200
const STILL = 0.5

const FULL = 0.99

export const STEPS: readonly Step[] = [
  {
    id: 'look',
    places: ['picture'],
    words: (key) =>
      `Look around: drag the picture, or press ${key('view.left')} and ${key('view.right')} ` +
      'while it has the focus.',
    isDone: (before, now) =>
      Math.abs(now.yaw - before.yaw) > TURNED || Math.abs(now.pitch - before.pitch) > TURNED,
    done: 'The ship is seen from another side.',
  },
  {
    id: 'point',
    places: ['steering', 'navball'],
    words: (key) =>
      `Point radially out, with ${key('flight.radial_out')} or under Steering: the nose turns ` +
      'up, as the ball shows.',
    isDone: (_, { offVertical }) => offVertical < AIMED,
    done: 'The nose points up.',
  },
  {
    id: 'burn',
    places: ['steering', 'throttle'],
    words: (key) =>
      `Point prograde, with ${key('flight.prograde')}, and when the nose is there open the ` +
      `throttle, with ${key('flight.full')}.`,
    isDone: (_, { offPrograde, thrust }) => offPrograde < NEARLY_AIMED && thrust > 0,
    done: 'The engine burns.',
  },
  {
    id: 'raise',
    places: ['orbit', 'throttle'],
    words: (key, { apoapsis }) =>
      `When the apoapsis, the highest point of the orbit, is at ` +
      `${distanceText(apoapsis + RAISE)}, cut the engine, with ${key('flight.cut')}.`,
    isDone: (before, { meanApoapsis, thrust }) =>
      thrust === 0 && meanApoapsis > before.meanApoapsis + RAISE_MIN,
    done: 'The orbit is higher on one side.',
  },
  {
    id: 'circularize',
    places: ['orders'],
    words: () =>
      'Under Orders start the maneuver Circularize: at the apoapsis, within one revolution, the ' +
      'autopilot makes the orbit round.',
    isDone: (_, { meanApoapsis, meanPeriapsis }) => meanApoapsis - meanPeriapsis < ROUND,
    done: 'The orbit is round.',
  },
  {
    id: 'target',
    places: ['places', 'target'],
    words: (key) =>
      `Look at Earth Station, which is under Places (${key('frame.places')}), and make it the ` +
      `target, with ${key('flight.choose')}.`,
    isDone: (_, { hasStation }) => hasStation,
    done: 'The station is the target.',
  },
  {
    id: 'rendezvous',
    places: ['target'],
    words: () =>
      'Under the target’s name start a Rendezvous: within a day the autopilot brings the ship ' +
      'to rest beside the station.',
    isDone: (_, { hasStation, clearance, relativeSpeed, isDocked }) =>
      isDocked || (hasStation && clearance < BESIDE && relativeSpeed < STILL),
    done: 'The ship is beside the station.',
  },
  {
    id: 'dock',
    places: ['orders', 'target'],
    words: () => 'Dock at the station, by the button under its name or by Dock under Orders.',
    isDone: (_, { isDocked }) => isDocked,
    done: 'The ship is docked.',
  },
  {
    id: 'refuel',
    places: ['ship'],
    words: () => 'The station fills the tanks: look at Fuel under Ship until it is full.',
    isDone: (_, { fuelShare }) => fuelShare > FULL,
    done: 'The tanks are full.',
  },
  {
    id: 'moon',
    places: ['orders'],
    words: () =>
      'Undock by Dock under Orders, then start the maneuver Transfer to the Moon: it leaves when ' +
      'that costs least, and ends in an orbit there.',
    isDone: (_, { body }) => body === 'Moon',
    done: 'The Moon holds the ship.',
  },
]
