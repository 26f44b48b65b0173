import type { ShipColumns } from '../../state/state.ts'
import { ACTIVITIES, type Activity, PHASES, type Phase } from '../../state/activity.ts'
import { PLAN } from '../../state/plan.ts'
import { PLAN_DOUBLES } from '../../state/plan-size.ts'
import { BURNS, MEET, MEMORY } from '../../state/plan-memory.ts'
import { CAPTURE, SEARCH } from './transfer.ts'

/** What a plan reckons with; null where it does not know. */
export interface Outlook {
  /** lattice index at which the next burn begins, or its middle before that is known */
  readonly nextBurnAt: number | null
  /** lattice index at which the ship arrives, its only burn has its middle, or its last one ends */
  readonly arrivesAt: number | null
  /** of the way that was found, from its departure on [m/s] */
  readonly deltaV: number | null
}

const UNKNOWN: Outlook = { nextBurnAt: null, arrivesAt: null, deltaV: null }

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
  if (MEETING.has(name)) {
    const begin = phase === 'turning' ? row[PLAN.wake] : row[MEET.depart]
    return {
      nextBurnAt: isAhead ? begin : null,
      arrivesAt: row[MEET.arrive],
      deltaV: row[MEET.deltaV],
    }
  }
  if (name === 'transfer') return transferOutlook(row, isAhead)
  if (name === 'plan') {
    const begin = isAhead ? row[BURNS.startAt] : null
    return { nextBurnAt: begin, arrivesAt: row[BURNS.endAt], deltaV: row[BURNS.deltaV] }
  }
  const burnAt = isAhead ? burnBegin(row) : null
  return { ...UNKNOWN, nextBurnAt: burnAt, arrivesAt: name === 'circularize' ? burnAt : null }
}

function transferOutlook(row: Float64Array, isAhead: boolean): Outlook {
  // During its search, a transfer waits without a scheduled burn.
  const begin = row[MEMORY.part] === SEARCH ? row[MEMORY.departAt] : burnBegin(row)
  const arrives = isAhead && row[MEMORY.part] === CAPTURE ? begin : row[MEMORY.arriveAt]
  return {
    nextBurnAt: isAhead ? begin : null,
    arrivesAt: arrives > 0 ? arrives : null,
    deltaV: row[MEMORY.arriveAt] > 0 ? row[MEMORY.deltaV] : null,
  }
}

/** The begin of the scheduled burn; its middle while the begin is that of the burn before. */
function burnBegin(row: Float64Array): number {
  const begin = row[MEMORY.startAt]
  return begin > row[PLAN.ranAt] ? begin : row[MEMORY.burnAt]
}
