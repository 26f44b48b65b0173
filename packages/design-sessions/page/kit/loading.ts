import { button, failure } from './element.ts'

/** Puts into a place what is loaded; a failure is shown, with a button that tries again. */
export async function fill(place: HTMLElement, load: () => Promise<Node>): Promise<void> {
  try {
    place.replaceChildren(await load())
  } catch (error) {
    const again = button('Try again', () => {
      again.disabled = true
      void fill(place, load)
    })
    place.replaceChildren(failure(error), again)
  }
}
