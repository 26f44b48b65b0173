import { placeState } from '../rails/place.ts'
import { extrapolateTarget } from '../ships/sighting.ts'
import { TARGETS } from '../state/activity.ts'
import type { Guide } from '../guidance/guide.ts'
import { PLAN } from '../state/plan.ts'

const RAIL = TARGETS.indexOf('rail')
const SHIP = TARGETS.indexOf('ship')

const sighted = new Float64Array(6)

/** Writes where a plan's target is, as far as its ship knows. */
export function locateTarget(guide: Guide): void {
  const { state, row, reference, n, target } = guide
  const kind = row[PLAN.targetKind]
  const body = placeState(target, state, kind, row[PLAN.target], reference, n)
  guide.targetKnown = body >= 0
  guide.targetLost = kind === RAIL && body < 0
  guide.targetReference = kind === RAIL ? body : -1
  if (kind === SHIP) locateShip(guide)
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
