import { button, failure } from './element.ts'

/** The last load of each place. */
const loads = new WeakMap<HTMLElement, () => Promise<Node>>()

/**
 * Puts into a place what is loaded; a failure is shown, with a button that tries again. A later
 * load of the same place counts, also when it is faster.
 */
export async function fill(place: HTMLElement, load: () => Promise<Node>): Promise<void> {
  loads.set(place, load)
  const content = await load().then(
    (node) => [node],
    (error: unknown) => {
      const again = button('Try again', () => {
        again.disabled = true
        void fill(place, load)
      })
      return [failure(error), again]
    },
  )
  if (loads.get(place) === load) place.replaceChildren(...content)
}
