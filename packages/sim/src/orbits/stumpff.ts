/** Quarterings of an argument: enough for any below 4^40. */
const QUARTERINGS_MAX = 40

/**
 * out = the Stumpff functions c0 to c3: c_k(x) = Σ (-x)^i / (2i + k)!. For x > 0, c0 is cos √x and
 * c1 is sin √x / √x; for x < 0 the hyperbolic ones. Within 1e-15 for x up to (2π)².
 *
 * @source Danby, Fundamentals of Celestial Mechanics, 1988, section 6.9
 */
export function stumpff(out: Float64Array, x: number): void {
  let small = x
  let quarterings = 0
  while (Math.abs(small) > 1 && quarterings < QUARTERINGS_MAX) {
    small *= 0.25
    quarterings++
  }
  let c2 = seriesOfTwo(small)
  let c3 = seriesOfThree(small)
  for (; quarterings > 0; quarterings--) {
    const c1 = 1 - small * c3
    c3 = 0.25 * (c2 + (1 - small * c2) * c3)
    c2 = 0.5 * c1 * c1
    small *= 4
  }
  out[0] = 1 - x * c2
  out[1] = 1 - x * c3
  out[2] = c2
  out[3] = c3
}

function seriesOfTwo(x: number): number {
  let tail = 1 - x * (1 / 306)
  tail = 1 - x * (1 / 240) * tail
  tail = 1 - x * (1 / 182) * tail
  tail = 1 - x * (1 / 132) * tail
  tail = 1 - x * (1 / 90) * tail
  tail = 1 - x * (1 / 56) * tail
  tail = 1 - x * (1 / 30) * tail
  return 0.5 - x * (1 / 24) * tail
}

function seriesOfThree(x: number): number {
  let tail = 1 - x * (1 / 342)
  tail = 1 - x * (1 / 272) * tail
  tail = 1 - x * (1 / 210) * tail
  tail = 1 - x * (1 / 156) * tail
  tail = 1 - x * (1 / 110) * tail
  tail = 1 - x * (1 / 72) * tail
  tail = 1 - x * (1 / 42) * tail
  return 1 / 6 - x * (1 / 120) * tail
}
