import type { Preview } from '../../src/rendering/preview.ts'
import { read } from '../kit/api.ts'
import { button, element, failure } from '../kit/element.ts'
import { picture } from './picture.ts'
import type { SourceInput } from './source-input.ts'

/** After the last key; as long as the last preview took, within these bounds. */
const WAIT_MS = 400
const WAIT_MS_MAX = 5000

export interface Written {
  readonly engine: string
  readonly source: string
}

export interface LivePreview {
  readonly part: HTMLElement
  /** draws what is written now, in a while; ends what is being drawn */
  readonly changed: () => void
}

/** Draws a source while it is written, one request at a time. */
export function livePreview(
  path: string,
  source: SourceInput,
  written: () => Written,
): LivePreview {
  const state = element('p', { className: 'pale', ariaLive: 'polite' })
  const place = element('div', {})
  const notes = element('ul', { className: 'notes' })
  const part = element('div', { className: 'preview', role: 'group', ariaLabel: 'Preview' })
  part.append(state, notes, place)
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: AbortController | undefined
  let wait = WAIT_MS
  const show = ({ svg, pages, notes: said, faults }: Preview): void => {
    source.mark(faults.flatMap(({ line }) => line ?? []))
    const lines = faults.map((fault) => faultLine(fault, source))
    notes.replaceChildren(...lines, ...said.map((note) => element('li', {}, note)))
    place.classList.toggle('stale', svg === null)
    if (svg === null) {
      const isOld = place.childElementCount > 0
      state.textContent = isOld ? 'Not drawn; the picture is the last one that was.' : 'Not drawn.'
    } else {
      place.replaceChildren(picture(new Blob([svg], { type: 'image/svg+xml' }), 'Preview'))
      state.textContent = pages > 1 ? `Drawn: the first of ${pages} pages.` : 'Drawn.'
    }
  }
  const draw = async (): Promise<void> => {
    const { engine, source: source_code } = written()
    if (!part.isConnected) return
    const controller = new AbortController()
    running = controller
    const { signal } = controller
    const start = performance.now()
    state.textContent = 'Being drawn.'
    try {
      const request = { method: 'POST', body: { engine, source_code }, signal } as const
      show(await read<Preview>(`${path}/artifacts/preview`, request))
    } catch (error) {
      if (!signal.aborted) state.replaceChildren(failure(error))
    }
    wait = Math.min(WAIT_MS_MAX, Math.max(WAIT_MS, performance.now() - start))
  }
  const stop = (): void => {
    clearTimeout(timer)
    running?.abort()
  }
  addEventListener('hashchange', stop, { once: true })
  const changed = (): void => {
    stop()
    if (written().source.trim() === '') state.textContent = 'Nothing is written yet.'
    else timer = setTimeout(() => void draw(), wait)
  }
  return { part, changed }
}

/** A fault; where its line is known, a button that leads there. */
function faultLine({ line, message }: Preview['faults'][number], source: SourceInput): Node {
  const text = element('span', { className: 'bad text' }, message)
  if (line === null) return element('li', {}, text)
  return element(
    'li',
    {},
    button(`Line ${line}`, () => source.goTo(line)),
    ' ',
    text,
  )
}
