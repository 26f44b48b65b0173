/** The steps of the first voyage: what to do, where to look, and by what each is done. */
import { say } from '../languages/say.ts'
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

/** From its middle [m]; hulls are smaller. */
const STATED_BESIDE = 500

const FULL = 0.99

export const STEPS: readonly Step[] = [
  {
    id: 'look',
    places: ['picture'],
    words: (key) =>
      say('Look around: drag the picture, or press {left} and {right} while it has the focus.', {
        left: key('view.left'),
        right: key('view.right'),
      }),
    isDone: (before, now) =>
      Math.abs(now.yaw - before.yaw) > TURNED || Math.abs(now.pitch - before.pitch) > TURNED,
    done: say('The ship is seen from another side.'),
  },
  {
    id: 'point',
    places: ['steering', 'navball'],
    words: (key) =>
      say(
        'Point radially out, with {key} or under Steering: the nose turns up, as the ball shows.',
        { key: key('flight.radial_out') },
      ),
    isDone: (_, { offVertical }) => offVertical < AIMED,
    done: say('The nose points up.'),
  },
  {
    id: 'burn',
    places: ['steering', 'throttle'],
    words: (key) =>
      say(
        'Point prograde, with {point}, and when the nose is there open the throttle, with {full}.',
        { point: key('flight.prograde'), full: key('flight.full') },
      ),
    isDone: (_, { offPrograde, thrust }) => offPrograde < NEARLY_AIMED && thrust > 0,
    done: say('The engine burns.'),
  },
  {
    id: 'raise',
    places: ['orbit', 'throttle'],
    words: (key, { apoapsis }) =>
      say(
        'When the apoapsis, the highest point of the orbit, is at {height}, cut the engine, ' +
          'with {key}.',
        { height: distanceText(apoapsis + RAISE), key: key('flight.cut') },
      ),
    isDone: (before, { meanApoapsis, thrust }) =>
      thrust === 0 && meanApoapsis > before.meanApoapsis + RAISE_MIN,
    done: say('The orbit is higher on one side.'),
  },
  {
    id: 'circularize',
    places: ['orders'],
    words: () =>
      say(
        'Under Orders start the maneuver Circularize: at the apoapsis, within one revolution, ' +
          'the autopilot makes the orbit round.',
      ),
    isDone: (_, { meanApoapsis, meanPeriapsis }) => meanApoapsis - meanPeriapsis < ROUND,
    done: say('The orbit is round.'),
  },
  {
    id: 'target',
    places: ['places', 'target'],
    words: (key) =>
      say(
        'Look at Earth Station, which is under Places ({places}), and make it the target, with ' +
          '{choose}.',
        { places: key('frame.places'), choose: key('flight.choose') },
      ),
    isDone: (_, { hasStation }) => hasStation,
    done: say('The station is the target.'),
  },
  {
    id: 'rendezvous',
    places: ['target'],
    words: () =>
      say(
        'Under the target’s name start a Rendezvous: within a day the autopilot brings the ship ' +
          'to rest beside the station.',
      ),
    isDone: (_, { hasStation, clearance, relativeSpeed, approach, isDocked }) =>
      isDocked ||
      (hasStation && clearance < BESIDE && relativeSpeed < STILL && !(approach > STATED_BESIDE)),
    done: say('The ship is beside the station.'),
  },
  {
    id: 'dock',
    places: ['orders', 'target'],
    words: () => say('Dock at the station, by the button under its name or by Dock under Orders.'),
    isDone: (_, { isDocked }) => isDocked,
    done: say('The ship is docked.'),
  },
  {
    id: 'refuel',
    places: ['ship'],
    words: () => say('The station fills the tanks: look at Fuel under Ship until it is full.'),
    isDone: (_, { fuelShare }) => fuelShare > FULL,
    done: say('The tanks are full.'),
  },
  {
    id: 'moon',
    places: ['orders'],
    words: () =>
      say(
        'Undock by Dock under Orders, then start the maneuver Transfer to the Moon: it leaves ' +
          'when that costs least, and ends in an orbit there.',
      ),
    isDone: (_, { body }) => body === 'Moon',
    done: say('The Moon holds the ship.'),
  },
]
