import { readPage, type Sent } from './api.ts'
import { button, element, failure } from './element.ts'

/** A list that loads more on demand. */
export async function listing<Row>(
  path: string,
  shown: (row: Sent<Row>) => Node,
  nothing: string,
): Promise<HTMLElement> {
  const list = element('div', {})
  const load = async (from: string): Promise<void> => {
    const { rows, next } = await readPage<Row>(from)
    list.append(...rows.map(shown))
    if (next !== undefined) list.append(more(next))
  }
  const more = (next: string): HTMLElement => {
    const state = element('div', {})
    const place = element('div', {}, state)
    const onMore = async (): Promise<void> => {
      show.disabled = true
      try {
        await load(next)
        place.remove()
      } catch (error) {
        state.replaceChildren(failure(error))
        show.disabled = false
      }
    }
    const show = button('Show more', () => void onMore())
    place.append(show)
    return place
  }
  await load(path)
  if (list.childElementCount === 0)
    list.append(element('p', { className: 'pale nothing' }, nothing))
  return list
}
