import {
  BURN_FRAMES,
  BURN_POINTINGS,
  type BurnNode,
  type FrameBurn,
  NODES_MAX,
  type PointedBurn,
} from '@orrery/sim'
import * as v from 'valibot'

const real = v.pipe(v.number(), v.finite())
const positive = v.pipe(real, v.gtValue(0))
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const timed = {
  index,
  anchor: v.picklist(['start', 'center']),
  throttle: v.pipe(positive, v.maxValue(1)),
}

const frameBurn: v.GenericSchema<unknown, FrameBurn> = v.strictObject({
  ...timed,
  frame: v.picklist(BURN_FRAMES),
  body: v.exactOptional(index),
  vector: v.pipe(
    v.strictTuple([real, real, real]),
    v.check(([x, y, z]) => Math.hypot(x, y, z) > 0, 'Expected a vector that is not zero'),
  ),
})

const pointedBurn: v.GenericSchema<unknown, PointedBurn> = v.pipe(
  v.strictObject({
    ...timed,
    pointing: v.picklist(BURN_POINTINGS),
    deltaV: v.exactOptional(positive),
    seconds: v.exactOptional(positive),
  }),
  v.check(
    ({ deltaV, seconds }) => (deltaV === undefined) !== (seconds === undefined),
    'Expected a Δv or a duration',
  ),
)

/** The burns of a plan in a journal or an image. */
export const burnNodes: v.GenericSchema<unknown, BurnNode[]> = v.pipe(
  v.array(v.union([frameBurn, pointedBurn])),
  v.minLength(1),
  v.maxLength(NODES_MAX),
)
