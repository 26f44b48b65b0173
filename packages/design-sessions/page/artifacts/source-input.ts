import { element } from '../kit/element.ts'
import type { Input } from '../kit/field.ts'

/** A source with the numbers of its lines. */
export interface SourceInput extends Input {
  /** marks lines, from 1 */
  mark(lines: readonly number[]): void
  goTo(line: number): void
}

let sources = 0

export function sourceInput(label: string): SourceInput {
  const id = `source-${(sources += 1)}`
  const area = element('textarea', { id, rows: 16, wrap: 'off', spellcheck: false })
  const numbers = element('div', { className: 'numbers', ariaHidden: 'true' })
  let count = 0
  let marked: ReadonlySet<number> = new Set()
  // Only what is in sight: a source may have a hundred thousand lines.
  const show = (): void => {
    const height = lineHeight(area, count)
    const first = Math.floor(area.scrollTop / height)
    const shown = Math.min(count - first, Math.ceil(area.clientHeight / height) + 1)
    const lines = Array.from({ length: Math.max(0, shown) }, (_, i) => first + i + 1)
    const parts = lines.flatMap((line) => [
      marked.has(line) ? element('mark', {}, String(line)) : String(line),
      '\n',
    ])
    numbers.replaceChildren(...parts)
    numbers.scrollTop = area.scrollTop % height
  }
  const number = (): void => {
    count = area.value.split('\n').length
    show()
  }
  area.addEventListener('input', number)
  area.addEventListener('scroll', show)
  new ResizeObserver(show).observe(area)
  return {
    part: element(
      'div',
      { className: 'field' },
      element('label', { htmlFor: id }, label),
      element('div', { className: 'source' }, numbers, area),
    ),
    get: () => area.value,
    set: (value) => {
      area.value = typeof value === 'string' ? value : ''
      number()
    },
    mark: (lines) => {
      marked = new Set(lines)
      show()
    },
    goTo: (line) => {
      const before = area.value.split('\n').slice(0, line - 1)
      const start = before.reduce((sum, text) => sum + text.length + 1, 0)
      const end = area.value.indexOf('\n', start)
      area.focus()
      area.setSelectionRange(start, end < 0 ? area.value.length : end)
      area.scrollTop = (area.scrollHeight * (line - 3)) / Math.max(1, count)
    },
  }
}

/** The height of a line [px], which may differ from its style by the rounding of lines. */
function lineHeight(area: HTMLTextAreaElement, lines: number): number {
  const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(area)
  if (area.scrollHeight <= area.clientHeight) return Number.parseFloat(lineHeight)
  const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom)
  return (area.scrollHeight - padding) / lines
}
