import { bodyState } from '../ephemeris/ephemeris.ts'
import { createStateVector } from '../math/state-vector.ts'
import { isRail, railRowState } from '../rails/rail-table.ts'
import { extrapolateTarget } from '../ships/sighting.ts'
import { TARGETS } from './activity.ts'
import type { Guide } from './guide.ts'
import { PLAN } from './plan.ts'

const BODY = TARGETS.indexOf('body')
const RAIL = TARGETS.indexOf('rail')
const SHIP = TARGETS.indexOf('ship')

const sighted = new Float64Array(6)

/** Writes where a plan's target is, as far as its ship knows. */
export function locateTarget(guide: Guide): void {
  const { row, target } = guide
  guide.targetKnown = false
  guide.targetLost = false
  guide.targetReference = -1
  target.r.fill(0)
  target.v.fill(0)
  if (row[PLAN.targetKind] === BODY) locateBody(guide)
  else if (row[PLAN.targetKind] === RAIL) locateRail(guide)
  else if (row[PLAN.targetKind] === SHIP) locateShip(guide)
}

function locateBody(guide: Guide): void {
  const { state, row, reference, n, target } = guide
  const body = row[PLAN.target]
  if (body !== reference) bodyState(target, state.ephemeris, body, reference, n, 0)
  guide.targetKnown = true
}

const parentState = createStateVector()

function locateRail(guide: Guide): void {
  const { state, row, reference, n, target } = guide
  guide.targetLost = !isRail(state.rails, row[PLAN.target])
  if (guide.targetLost) return
  const parent = railRowState(target, state, row[PLAN.target], n)
  guide.targetReference = parent
  if (parent !== reference) {
    bodyState(parentState, state.ephemeris, parent, reference, n, 0)
    for (let axis = 0; axis < 3; axis++) {
      target.r[axis] += parentState.r[axis]
      target.v[axis] += parentState.v[axis]
    }
  }
  guide.targetKnown = true
}

function locateShip(guide: Guide): void {
  const { state, slot, reference, n, r, v, target } = guide
  const { ships, sightings } = state
  const sighting = ships.sighting[slot]
  guide.targetLost = sighting < 0 || sightings.watched[sighting] < 0
  if (guide.targetLost || sightings.sightedAt[sighting] < 0) return
  guide.targetReference = sightings.sightedReference[sighting]
  extrapolateTarget(sighted, state, slot, reference, n)
  for (let axis = 0; axis < 3; axis++) {
    target.r[axis] = r[axis] + sighted[axis]
    target.v[axis] = v[axis] + sighted[3 + axis]
  }
  guide.targetKnown = true
}
