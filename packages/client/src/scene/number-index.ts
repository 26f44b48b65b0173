/** Half of the places are free at least, so that searches stay short. */
const LOAD_MAX = 0.5

/** Rows by ship number, without an object per ship. */
export interface NumberIndex {
  /** the row of a number; -1 when it has none */
  row(number: number): number
  /** gives a number a row, in the place of any it had */
  put(number: number, row: number): void
  remove(number: number): void
}

/** Open addressing with linear probing; a removal moves later entries back. */
export function createNumberIndex(): NumberIndex {
  let places = 64
  let numbers = new Uint32Array(places)
  let rows = new Int32Array(places).fill(-1)
  let count = 0
  const home = (number: number): number => (Math.imul(number, 0x9e3779b1) >>> 7) & (places - 1)
  const placeOf = (number: number): number => {
    let place = home(number)
    while (rows[place] >= 0 && numbers[place] !== number) place = (place + 1) & (places - 1)
    return place
  }
  const put = (number: number, row: number): void => {
    const place = placeOf(number)
    if (rows[place] < 0) count++
    numbers[place] = number
    rows[place] = row
  }
  const grow = (): void => {
    const [oldNumbers, oldRows] = [numbers, rows]
    places *= 2
    numbers = new Uint32Array(places)
    rows = new Int32Array(places).fill(-1)
    count = 0
    for (let i = 0; i < oldRows.length; i++) if (oldRows[i] >= 0) put(oldNumbers[i], oldRows[i])
  }
  return {
    row: (number) => rows[placeOf(number)],
    put: (number, row) => {
      if (count >= LOAD_MAX * places) grow()
      put(number, row)
    },
    remove: (number) => {
      let free = placeOf(number)
      if (rows[free] < 0) return
      count--
      rows[free] = -1
      for (let i = (free + 1) & (places - 1); rows[i] >= 0; i = (i + 1) & (places - 1)) {
        const passed = (i - home(numbers[i])) & (places - 1)
        if (passed < ((i - free) & (places - 1))) continue
        numbers[free] = numbers[i]
        rows[free] = rows[i]
        rows[i] = -1
        free = i
      }
    },
  }
}
