/** Places in a burn of a plan, eight doubles each in `burnNodes` and `orderBurnNodes`. */
export const NODE = {
  /** lattice index of its start or its center */
  index: 0,
  /** 1: its center, 0: its start */
  centered: 1,
  /** throttle, above 0 to 1 */
  throttle: 2,
  /** code of a pointing, or `FRAME_CODE` and the place of a frame in `BURN_FRAMES` */
  aim: 3,
  /** body index whose frame it is; -1 for the reference body */
  body: 4,
  /** Δv along the axes of the frame [m/s], three values; in a pointing: */
  vector: 5,
  /** along the nose [m/s], 0 with a duration */
  deltaV: 5,
  /** duration [s], 0 with a Δv */
  seconds: 6,
} as const

/**
 * Frames of a Δv; axes x, y, z.
 *
 * - `inertial`: those of ICRF
 * - `prograde`: along the velocity, along the normal of the orbit, outwards across both
 * - `radial`: along the position, forwards across it in the plane of the orbit, along its normal
 */
export const BURN_FRAMES = ['inertial', 'prograde', 'radial'] as const

export type BurnFrame = (typeof BURN_FRAMES)[number]

/** Above every pointing. */
export const FRAME_CODE = 64
