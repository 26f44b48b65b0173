import type { Thing } from '../readings/thing.ts'
import { vector, type Vector } from '@orrery/page-kit'
import type { Stage } from './stage.ts'

const place = { body: 0, offset: vector() }

/** Writes where a thing is from the camera [m]; false when that is not known. */
export function seenFrom(stage: Stage, out: Vector, thing: Thing): boolean {
  const { frame } = stage
  if (!frame || !stage.placeOf(place, thing)) return false
  frame.surroundings.chain.difference(out, frame.camera, place)
  return true
}
