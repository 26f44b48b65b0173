// Laws of what panels show of a value: texts as they are, and what is not there by a word.
import type { PanelField } from '@orrery/client'
import { expect, test } from 'vitest'
import { valueText } from '../../src/modules/value-text.ts'

const FIELD = { label: 'Claim', column: 'claim', unit: '', words: [] } as const
const clock = { utc: () => 0 }

function shown(kind: PanelField['kind'], value: string | number | null): string {
  return valueText({ ...FIELD, kind }, value, { lists: [] }, clock)
}

test.each<[PanelField['kind'], string | number | null, string]>([
  ['text', 'Ceres <b>9</b>', 'Ceres <b>9</b>'],
  ['text', '', 'none'],
  ['text', '0', '0'],
  ['row', null, 'none'],
  ['i32', 12_000, '12,000'],
])('a %s of %j is %j', (kind, value, text) => {
  expect(shown(kind, value)).toBe(text)
})
