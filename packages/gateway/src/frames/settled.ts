import type { Engine } from '@orrery/engine'

/** Runs a read of the world at once if no tick runs; false when one does. */
export function nowIfSettled(
  engine: Pick<Engine, 'whenSettled'>,
  act: () => void,
  onError: (error: unknown) => void,
): boolean {
  let isNow = true
  let isDone = false
  engine
    .whenSettled(() => {
      if (!isNow) return
      isDone = true
      act()
    })
    .catch(onError)
  isNow = false
  return isDone
}
