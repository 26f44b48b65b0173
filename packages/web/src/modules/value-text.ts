/** Values of modules as players read them. */
import type { ModulePanel, ModuleValue, PanelField } from '@orrery/client'
import type { GameClock } from '@orrery/client/flight'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import { dateText, numberText } from '../quantities/quantities.ts'
import { PER_SECOND } from './row-place.ts'

const NONE = say('none')

/** Of a moment; 0 is one that nothing has set. */
const MOMENT = 's since J2000'

export function valueText(
  { kind, table, unit, words }: PanelField,
  value: ModuleValue | undefined,
  { lists }: Pick<ModulePanel, 'lists'>,
  clock: Pick<GameClock, 'utc'>,
): string {
  if (value === null || value === undefined || value === '') return NONE
  const word = words[Number(value)]
  if (word !== undefined) return word
  if (typeof value === 'boolean') return value ? say('yes') : say('no')
  if (typeof value === 'string') return value
  if (kind === 'row') return rowName(lists, table, value)
  if (unit === MOMENT) return value === 0 ? NONE : dateText(clock.utc(value * PER_SECOND))
  const text = Number.isInteger(value) ? value.toLocaleString(LANGUAGE) : numberText(value)
  return `${text} ${unit}`.trimEnd()
}

/** Name of a row: as lists call it where one does. */
export function rowName(
  lists: ModulePanel['lists'],
  table: string | undefined,
  id: number,
): string {
  const list = lists.find((one) => one.table === table)
  return `${list?.row ?? ''} ${id}`.trimStart()
}
