import {
  type CopiedShip,
  type Ephemeris,
  type ForecastTask,
  type Integration,
  NODE_QUANTA,
  type Prediction,
  type Stage,
  type StagePlace,
  WaitingShips,
  attachEphemeris,
  createIntegration,
  createRails,
  createStage,
  enterStage,
  ephemerisLength,
  extendEphemeris,
  roomOf,
  slicedForecast,
  writeRail,
} from '@orrery/sim'
import { ForecastArcs } from './forecast-arcs.ts'
import { type ForecastPlace, earliestOf } from './forecast-place.ts'
import { ShipStage } from '../pilot/ship-stage.ts'

/** A forecast that is asked for; without ships only the massive bodies are to be made ready. */
export interface ForecastOrder extends Omit<ForecastTask, 'place'> {
  readonly place: ForecastPlace
  /** number of its draft, which rises: of one draft only the last order is another */
  readonly draft?: number | undefined
}

/**
 * What a ship will fly, with each of its steps; of a draft it may begin where that begins to differ
 * from those before.
 */
export interface FlownAhead extends Prediction {
  /** see arc.ts */
  readonly arcs: Float64Array<ArrayBuffer>
}

/** Nodes that are kept: 16 days, and what a forecast reads beyond its ends. */
const HORIZON_NODES = 5400
const NODES = HORIZON_NODES + 130

/** Nodes before the index that open steps may read, and beyond the end. */
const PAST_NODES = 2
const BEYOND_NODES = 3

/** Nodes made at a time while nothing is asked: some ten milliseconds. */
const SLICE_NODES = 64

/** What drafts share. */
interface Draft {
  readonly number: number
  readonly place: StagePlace
  readonly ships: WaitingShips
  /** on which they are flown; undefined while one is */
  stage: Stage | undefined
}

/** Flies on the ships of a stage, and keeps the steps of the first. */
function* flownOn(
  stage: Stage,
  task: ForecastTask,
  onStep: (slot: number) => void,
): Generator<void, FlownAhead> {
  const arcs = new ForecastArcs()
  const flown = yield* slicedForecast(stage, task, (_, slot) => {
    arcs.add(stage, slot)
    onStep(slot)
  })
  return { ...flown, arcs: arcs.values() }
}

/** Flies a draft from where it may differ from others on; undefined where that is at the start. */
function* flownLater(
  draft: Draft,
  task: Omit<ForecastTask, 'place'>,
): Generator<void, FlownAhead | undefined> {
  const { place, ships } = draft
  const stage = draft.stage ?? createStage(place, roomOf(task.copies))
  draft.stage = undefined
  try {
    const index = ships.enter(stage, task)
    if (index === undefined) return undefined
    return yield* flownOn(stage, { ...task, index, place }, () => undefined)
  } finally {
    draft.stage = stage
  }
}

/** A ship at an index where its step may have ended: it coasts until then. */
function caughtUp(place: StagePlace, ship: CopiedShip, index: number): CopiedShip {
  const stage = new ShipStage(place, ship)
  stage.enter(ship, Math.min(ship.columns['stepEnd'][0] - 1, index))
  stage.flyTo(index, [])
  return { ...stage.copied(), shipId: ship.shipId, orders: ship.orders }
}

/** Flies ships ahead, among massive bodies that it integrates once and keeps. */
export class Forecaster {
  #entered = NaN
  #ephemeris: Ephemeris | undefined
  #integration: Integration | undefined
  /** node up to which the bodies are made ready while nothing is asked */
  #horizon = -Infinity
  #draft: Draft | undefined;

  /**
   * Flies in slices of some milliseconds.
   *
   * @throws {SimError} when the star system or the state of its bodies cannot be
   */
  *forecast(order: ForecastOrder): Generator<void, FlownAhead> {
    const { place, draft: number = 0, ...task } = order
    const ephemeris = this.enter(place, earliestOf(task))
    this.#extend(Math.floor(task.until / NODE_QUANTA) + BEYOND_NODES)
    const draft = this.#draft
    if (draft?.number === number && draft.place.ephemeris === ephemeris) {
      const flown = yield* flownLater(draft, task)
      if (flown) return flown
    }
    const rails = createRails()
    for (const { row, rail } of place.objects) writeRail(rails, row, rail)
    const territory = { home: place.home, spheres: Float64Array.from(place.spheres) }
    const stagePlace = { ephemeris, rails, territory, classes: [...place.classes] }
    const copies = task.copies.map((copy) => caughtUp(stagePlace, copy, task.index))
    const stage = createStage(stagePlace, roomOf(copies))
    enterStage(stage, copies, task.index)
    // Later ones are joined to the first of their number.
    const isFirst = number > (draft?.number ?? 0)
    const ships = new WaitingShips(copies[0])
    const flown = yield* flownOn(stage, { ...task, copies, place: stagePlace }, (slot) => {
      if (isFirst) ships.follow(stage, slot)
    })
    if (isFirst) this.#draft = { number, place: stagePlace, ships, stage }
    return flown
  }

  /** Takes up the massive bodies from an index on, unless they are known around it. */
  enter({ entered, start, system }: ForecastPlace, index: number): Ephemeris {
    const node = Math.floor(index / NODE_QUANTA)
    this.#horizon = node + HORIZON_NODES
    const span = this.#ephemeris?.span ?? [Infinity, -Infinity]
    const isKnown = span[0] <= Math.max(node - PAST_NODES, start.node) && span[1] >= start.node
    if (!this.#ephemeris || !isKnown || entered !== this.#entered) {
      const nodes = new Float64Array(ephemerisLength(system, NODES))
      this.#ephemeris = attachEphemeris(system, nodes, new Float64Array(2))
      this.#integration = createIntegration(system, start)
      this.#entered = entered
    }
    return this.#ephemeris
  }

  /** Makes the massive bodies of a few nodes; false when as far as can be asked for. */
  prepare(): boolean {
    const node = this.#integration?.head.node ?? Infinity
    if (node >= this.#horizon) return false
    this.#extend(Math.min(node + SLICE_NODES, this.#horizon))
    return true
  }

  #extend(node: number): void {
    extendEphemeris(this.#integration!, this.#ephemeris!, node)
  }
}
