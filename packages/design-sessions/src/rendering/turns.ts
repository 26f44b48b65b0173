/** Lets so many work at a time; the others wait in line. */
export function turns(places: number): (work: () => Promise<void>) => Promise<void> {
  const line: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => line.push(resolve))
    try {
      await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else free++
    }
  }
}
