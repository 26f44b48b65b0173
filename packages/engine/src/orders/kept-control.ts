import { type Control, POINTINGS } from '@orrery/sim'
import * as v from 'valibot'
import { maneuverOrder } from './maneuver-order.ts'

const text = v.pipe(v.string(), v.nonEmpty())
const real = v.pipe(v.number(), v.finite())
const shipNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

/** A control command in a journal or an image. */
export const keptControl: v.GenericSchema<unknown, Control> = v.strictObject({
  thrustLevel: v.exactOptional(real),
  deltaV: v.exactOptional(real),
  seconds: v.exactOptional(real),
  attitude: v.exactOptional(v.strictTuple([real, real, real, real])),
  pointing: v.exactOptional(v.picklist(POINTINGS)),
  target: v.exactOptional(shipNumber),
  body: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  stationId: v.exactOptional(text),
  jumpgateId: v.exactOptional(text),
  angularRate: v.exactOptional(v.strictTuple([real, real, real])),
  unloading: v.exactOptional(v.boolean()),
  abort: v.exactOptional(v.literal(true)),
  undock: v.exactOptional(v.literal(true)),
  maneuver: v.exactOptional(maneuverOrder),
})
