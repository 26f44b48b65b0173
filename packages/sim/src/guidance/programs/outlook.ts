import type { ShipColumns } from '../../state/state.ts'
import { ACTIVITIES, type Activity, PHASES, type Phase } from '../../state/activity.ts'
import { PLAN } from '../../state/plan.ts'
import { PLAN_DOUBLES } from '../../state/plan-size.ts'
import { QUANTA_PER_SECOND } from '../../lattice.ts'
import { BURNS, COURSE, MEET, MEMORY } from '../../state/plan-memory.ts'
import { LEG, RAISE, TURN_OUT } from './rendezvous.ts'
import { CAPTURE, SEARCH } from './transfer.ts'

/** What a plan reckons with; null where it does not know. */
export interface Outlook {
  /** lattice index at which the next burn begins, or its middle before that is known */
  readonly nextBurnAt: number | null
  /** lattice index at which the ship arrives, its only burn has its middle, or its last one ends */
  readonly arrivesAt: number | null
  /** of the way that was found, from its departure on [m/s] */
  readonly deltaV: number | null
  /** its parts to the next body, and from there on as far as they can be reckoned */
  readonly legs: readonly FlightLeg[]
}

/** A part of a flight. */
export interface FlightLeg {
  /** body indices; -1 to the target itself */
  readonly from: number
  readonly to: number
  /** lattice index */
  readonly arrivesAt: number
  /** [m/s] */
  readonly deltaV: number
}

const UNKNOWN: Outlook = { nextBurnAt: null, arrivesAt: null, deltaV: null, legs: [] }

/** Phases in which a burn is scheduled, and those after the way was found. */
const AHEAD: ReadonlySet<Phase> = new Set(['waiting', 'turning'])
const ON_THE_WAY: ReadonlySet<Phase> = new Set([
  ...AHEAD,
  'burning',
  'trimming',
  'coasting',
  'correcting',
])

/** The activities that meet a target. */
const MEETING: ReadonlySet<Activity> = new Set(['rendezvous', 'hold_station', 'dock'])

/** Reads what the plan of a ship reckons with; changes nothing. */
export function planOutlook({ activity, plan }: ShipColumns, slot: number): Outlook {
  const row = plan.subarray(PLAN_DOUBLES * slot, PLAN_DOUBLES * (slot + 1))
  const name = ACTIVITIES[activity[slot]]
  const phase = PHASES[row[PLAN.phase]]
  if (!ON_THE_WAY.has(phase)) return UNKNOWN
  const isAhead = AHEAD.has(phase)
  const stage = MEETING.has(name) ? row[COURSE.stage] : 0
  if (stage === LEG) return transferOutlook(row, isAhead)
  if (stage === TURN_OUT) {
    const [arrivesAt, deltaV] = [row[MEMORY.arriveAt], row[MEMORY.deltaV]]
    return { nextBurnAt: isAhead ? burnBegin(row) : null, arrivesAt, deltaV, legs: [] }
  }
  if (stage === RAISE) return { ...UNKNOWN, nextBurnAt: isAhead ? burnBegin(row) : null }
  if (MEETING.has(name)) {
    const begin = phase === 'turning' ? row[PLAN.wake] : row[MEET.depart]
    return {
      nextBurnAt: isAhead ? begin : null,
      arrivesAt: row[MEET.arrive],
      deltaV: row[MEET.deltaV],
      legs: [],
    }
  }
  if (name === 'transfer') return transferOutlook(row, isAhead)
  if (name === 'plan') {
    const begin = isAhead ? row[BURNS.startAt] : null
    return { nextBurnAt: begin, arrivesAt: row[BURNS.endAt], deltaV: row[BURNS.deltaV], legs: [] }
  }
  const burnAt = isAhead ? burnBegin(row) : null
  return { ...UNKNOWN, nextBurnAt: burnAt, arrivesAt: name === 'circularize' ? burnAt : null }
}

function transferOutlook(row: Float64Array, isAhead: boolean): Outlook {
  // During its search, a transfer waits without a scheduled burn.
  const begin = row[MEMORY.part] === SEARCH ? row[MEMORY.departAt] : burnBegin(row)
  const arrives = isAhead && row[MEMORY.part] === CAPTURE ? begin : row[MEMORY.arriveAt]
  const nextBurnAt = isAhead ? begin : null
  if (!(row[MEMORY.arriveAt] > 0)) {
    return { ...UNKNOWN, nextBurnAt, arrivesAt: arrives > 0 ? arrives : null }
  }
  const laterDeltaV = row[COURSE.laterDeltaV]
  const end = arrives + Math.floor(row[COURSE.laterSeconds] * QUANTA_PER_SECOND)
  const { [MEMORY.origin]: from, [MEMORY.goal]: to, [MEMORY.deltaV]: deltaV } = row
  const legs: FlightLeg[] = [{ from, to, arrivesAt: arrives, deltaV }]
  if (laterDeltaV > 0) legs.push({ from: to, to: -1, arrivesAt: end, deltaV: laterDeltaV })
  return { nextBurnAt, arrivesAt: end, deltaV: deltaV + laterDeltaV, legs }
}

/** The begin of the scheduled burn; its middle while the begin is that of the burn before. */
function burnBegin(row: Float64Array): number {
  const begin = row[MEMORY.startAt]
  return begin > row[PLAN.ranAt] ? begin : row[MEMORY.burnAt]
}
