import {
  BEAT_QUANTA,
  type CopiedShip,
  FROZEN,
  PLAN,
  PLAN_DOUBLES,
  type StagePlace,
  advanceChunk,
  isDocked,
  loadInFlight,
  segmentFraction,
  segmentFuel,
  shipClassOf,
} from '@orrery/sim'
import type { ModuleRows, ModuleShip } from './flown-modules.ts'
import { ShipStage } from './ship-stage.ts'

/** What a ship flies among, with the stations that modules see. */
export interface ModulePlace extends StagePlace {
  /** id of the station on a row of the table of rails; null where no station is */
  readonly stationOn?: (rail: number) => string | null
}

/** A ship that flies alone, and whose modules run at full seconds as on the server. */
export class ModuleStage extends ShipStage {
  readonly #place: ModulePlace
  #rows: ModuleRows | undefined
  #beat = -Infinity

  constructor(place: ModulePlace, ship: CopiedShip) {
    super(place, ship)
    this.#place = place
  }

  /** What modules keep of it at the index; undefined where none runs. */
  get rows(): ModuleRows | undefined {
    return this.#rows
  }

  /** Lattice index of the last full second that modules have run at. */
  get beat(): number {
    return this.#beat
  }

  override enter(ship: CopiedShip, index: number, rows?: ModuleRows): void {
    super.enter(ship, index)
    this.#rows = rows
    this.#beat = -Infinity
  }

  protected override advance(n: number): void {
    const { flight } = this.stage
    while (this.#rows?.isBeating) {
      const beat = BEAT_QUANTA * (Math.floor(this.index / BEAT_QUANTA) + 1)
      if (beat > n) break
      advanceChunk(flight, 0, beat - 1)
      this.index = beat
      if (flight.state.ships.condition[this.slot] !== FROZEN) this.#run(this.#rows, beat)
    }
    super.advance(n)
  }

  #run(before: ModuleRows, beat: number): void {
    const { rows, isLoaded } = before.after(this.#shipAt(beat), beat)
    this.#rows = rows
    this.#beat = beat
    if (isLoaded) loadInFlight(this.stage.flight, this.slot, beat, rows.load)
  }

  /** The ship at an index that its open step holds. */
  #shipAt(index: number): ModuleShip {
    const { slot } = this
    const { state } = this.stage
    const { ships } = state
    const docked = isDocked(ships, slot)
    const rail = ships.plan[PLAN_DOUBLES * slot + PLAN.target]
    return {
      number: ships.shipNumber[slot],
      docked,
      station: (docked && this.#place.stationOn?.(rail)) || null,
      thrust: ships.thrustLevel[slot],
      fuel: segmentFuel(ships, slot, segmentFraction(ships, slot, index, 0)),
      fuelCapacity: shipClassOf(state, slot).fuelCapacity,
    }
  }
}
