import type { SearchResult } from '../../src/indexing/knowledge-items.ts'
import { read } from '../kit/api.ts'
import { element, prose } from '../kit/element.ts'
import { fill } from '../kit/loading.ts'

const HITS = 20

/** Above this score a hit is relevant. */
const RELEVANT = 0.5

/** A search in the library and in the files of a version, or in its records. */
export async function search(version: string): Promise<HTMLElement> {
  const query = element('input', { type: 'search', required: true, maxLength: 8192 })
  const own = element('input', { type: 'checkbox' })
  const place = element('div', {})
  const onsubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const source_types = own.checked ? ['decision', 'question', 'document', 'upload'] : null
    const body = { query: query.value, top_k: HITS, version_id: version, source_types }
    void fill(place, async () => {
      const request = { method: 'POST', body } as const
      const { results } = await read<{ results: readonly SearchResult[] }>(
        '/knowledge/search',
        request,
      )
      return found(results)
    })
  }
  const form = element(
    'form',
    { onsubmit, role: 'search' },
    element('p', { className: 'field' }, element('label', {}, 'Words or a question ', query)),
    element('p', {}, element('label', {}, own, ' Only in what this version holds')),
    element('button', {}, 'Search'),
  )
  return element('div', {}, form, place)
}

function found(results: readonly SearchResult[]): Node {
  if (results.length === 0) return prose('Nothing is found.')
  const relevant = results.filter(({ score }) => score > RELEVANT).length
  return element(
    'div',
    {},
    element('p', { ariaLive: 'polite' }, `${results.length} found, ${relevant} of them relevant.`),
    ...results.map(hit),
  )
}

function hit(result: SearchResult): Node {
  const { source_file: file, source_type: type, section, priority, content, score } = result
  const facts = [score.toFixed(2), priority, type.replace('_', ' '), section].filter(Boolean)
  return element(
    'article',
    { ariaLabel: file },
    element('h3', {}, file),
    element('p', { className: 'pale' }, facts.join(', ')),
    prose(content),
    ...(type === 'knowledge_file' ? [wholeFile(file)] : []),
  )
}

/** A file of the library, read when it is opened. */
function wholeFile(path: string): Node {
  const place = element('div', {})
  const details = element('details', {}, element('summary', {}, 'The whole file'), place)
  const load = async (): Promise<Node> => {
    const address = path.split('/').map(encodeURIComponent).join('/')
    return prose((await read<{ content: string }>(`/knowledge/${address}`)).content)
  }
  details.addEventListener('toggle', () => void fill(place, load), { once: true })
  return details
}
