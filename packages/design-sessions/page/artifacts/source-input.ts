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
  let marked: readonly number[] = []
  const number = (): void => {
    const lines = area.value.split('\n').length
    if (lines === count) return
    count = lines
    show()
  }
  const show = (): void => {
    // The text between marks is one node: sources have thousands of lines.
    const parts: (Node | string)[] = []
    let from = 1
    for (const line of marked.filter((one) => one >= 1 && one <= count)) {
      parts.push(numbersText(from, line), element('mark', {}, String(line)), '\n')
      from = line + 1
    }
    numbers.replaceChildren(...parts, numbersText(from, count + 1))
  }
  const follow = (): void => void (numbers.scrollTop = area.scrollTop)
  area.addEventListener('input', number)
  area.addEventListener('scroll', follow)
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
      marked = [...new Set(lines)].toSorted((a, b) => a - b)
      show()
      follow()
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

/** Numbers from one line to that before another. */
function numbersText(from: number, to: number): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => `${from + i}\n`).join('')
}
