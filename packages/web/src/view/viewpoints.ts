/** From where a body is worth seeing. */
import { cross, dot, normalize, rotate, vector, type Vector } from '@orrery/page-kit'
import { ECLIPTIC } from './view-axes.ts'

/** Between the directions to the star and to the camera: most is lit, and the night shows [rad]. */
const SIDE_LIGHT = 0.75

const ELEVATION = 0.22

/** A direction from a body in which most of it is lit. */
export function litDirection(toStar: Vector): Vector {
  const { pole } = ECLIPTIC
  const turned = rotate(vector(), normalize(vector(), toStar), pole, SIDE_LIGHT)
  const axis = normalize(vector(), cross(vector(), turned, pole))
  return rotate(vector(), turned, axis, ELEVATION)
}

/** Directions that are tried around the moon. */
const TRIALS = 72

/** Wanted cosine of the angle to the star, and the least: beyond it too little is lit. */
const LIT_WANTED = 0.55
const LIT_MIN = -0.05

/** Largest sine of the height above the ecliptic: the moon is beside the body, not above it. */
const HEIGHT_MAX = 0.35

/**
 * A direction from a body in which its moon is seen beside it, lit from the side where that can be.
 *
 * @param beside  angle between body and moon as seen from far [rad]
 */
export function directionWithMoon(toStar: Vector, toMoon: Vector, beside: number): Vector {
  const star = normalize(vector(), toStar)
  const moon = normalize(vector(), toMoon)
  const away = vector(-moon[0], -moon[1], -moon[2])
  const { pole } = ECLIPTIC
  const side = normalize(vector(), cross(vector(), away, pole))
  const tilted = rotate(vector(), away, side, beside)
  let best = litDirection(toStar)
  let least = LIT_WANTED - LIT_MIN
  for (let i = 0; i < TRIALS; i++) {
    const trial = rotate(vector(), tilted, away, (2 * Math.PI * i) / TRIALS)
    const apart = Math.abs(dot(trial, star) - LIT_WANTED)
    if (apart >= least || Math.abs(dot(trial, pole)) > HEIGHT_MAX) continue
    least = apart
    best = trial
  }
  return best
}
