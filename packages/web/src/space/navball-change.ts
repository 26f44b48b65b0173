/** Whether a navball has to be drawn again. */
import { MARKS, type NavballModel } from './navball-model.ts'

/** Of the radius: less is not seen. */
const CHANGE = 0.002

export interface NavballChange {
  /** Whether a model would give another picture than the last one noted, and notes it then. */
  note(model: NavballModel): boolean
  /** The next model gives another picture. */
  forget(): void
}

export function createNavballChange(): NavballChange {
  const noted = new Float64Array(3 * (3 + MARKS.length)).fill(Infinity)
  return {
    note: (model) => {
      const shown = [model.up, model.north, model.east, ...MARKS.map((mark) => model.marks[mark])]
      const isOther = shown.some((direction, i) =>
        direction.some((value, k) => !isSame(value, noted[3 * i + k])),
      )
      if (isOther) for (const [i, direction] of shown.entries()) noted.set(direction, 3 * i)
      return isOther
    },
    forget: () => void noted.fill(Infinity),
  }
}

/** A mark of which nothing is known is NaN. */
function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < CHANGE || (Number.isNaN(a) && Number.isNaN(b))
}
