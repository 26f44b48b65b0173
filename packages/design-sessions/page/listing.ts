import { readPage, type Sent } from './api.ts'
import { button, element } from './element.ts'

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
    if (next === undefined) return
    const more = button('Show more', () => {
      more.remove()
      void load(next)
    })
    list.append(more)
  }
  await load(path)
  if (list.childElementCount === 0) list.append(element('p', { className: 'pale' }, nothing))
  return list
}
