/** What rules can have of modules, as their panels name it. */
import type {
  ModuleEntry,
  ModulePanel,
  PanelField,
  PanelInput,
  RuleCondition,
} from '@orrery/client'
import { LANGUAGE } from '../languages/language.ts'
import { say } from '../languages/say.ts'
import type { OrderedCommand } from '../orders/rule-words.ts'

const EXACTLY = { maximumSignificantDigits: 15 } as const

/** A module with what the page draws of it. */
export interface Drawn extends ModuleEntry {
  readonly panel: ModulePanel
}

export interface RuledColumn {
  readonly module: string
  readonly title: string
  readonly field: PanelField
}

export interface RuledCommand {
  readonly entry: Drawn
  readonly label: string
  readonly command: string
  readonly inputs: readonly PanelInput[]
}

/** Numbers and bits of the ship and its account. */
export function ruledColumns(modules: readonly Drawn[]): readonly RuledColumn[] {
  return modules.flatMap(({ module, panel: { fields, title } }) =>
    fields
      .filter(({ kind, of }) => of === undefined && kind !== 'row' && kind !== 'text')
      .map((field) => ({ module, title, field })),
  )
}

/** Of buttons, and of those beside rows: the row is one more value that is given. */
export function ruledCommands(modules: readonly Drawn[]): readonly RuledCommand[] {
  return modules.flatMap((entry) => {
    const { buttons, lists } = entry.panel
    const ofRows = lists.flatMap((list) =>
      list.buttons.map(({ row, ...button }) => {
        if (row === undefined) return button
        const input = {
          name: row,
          label: list.row,
          kind: 'row',
          unit: '',
          table: list.table,
        } as const
        return { ...button, inputs: [input, ...button.inputs] }
      }),
    )
    return [...buttons, ...ofRows].map(({ command, inputs, label }) => {
      return { entry, command, inputs, label }
    })
  })
}

export function keyOf(module = '', name = ''): string {
  return `${module} ${name}`
}

export function columnKey(condition: RuleCondition | undefined): string {
  return condition ? keyOf(condition.module, condition.column) : ''
}

export function orderKey(ordered: OrderedCommand | undefined): string {
  return ordered ? keyOf(ordered.module, ordered.command) : ''
}

function passedWords({ field, title }: RuledColumn, { above, below }: RuleCondition): string {
  const { kind, label: column, unit } = field
  if (kind === 'bit') {
    const word = bitWords(field)[above === undefined ? 0 : 1]
    return say('{column} of {module}: {word}', { column, module: title, word })
  }
  // All that was typed: a rule acts on it.
  const number = (above ?? below ?? NaN).toLocaleString(LANGUAGE, EXACTLY)
  const value = `${number} ${unit}`.trimEnd()
  const passed =
    above === undefined
      ? say('falls below {value}', { value })
      : say('rises above {value}', { value })
  return say('{column} of {module} {passed}', { column, module: title, passed })
}

export function bitWords({ words }: PanelField): readonly string[] {
  return words.length > 1 ? words : [say('no'), say('yes')]
}

/** Such as `Ore of Mining rises above 7,000 kg`; undefined for a column that no panel shows. */
export function conditionWords(
  modules: readonly Drawn[],
  condition: RuleCondition,
): string | undefined {
  const key = columnKey(condition)
  const column = ruledColumns(modules).find((one) => keyOf(one.module, one.field.column) === key)
  return column && passedWords(column, condition)
}

/** Such as `order Stop the drill of Mining`. */
export function commandWords(
  modules: readonly Drawn[],
  ordered: OrderedCommand,
): string | undefined {
  const key = orderKey(ordered)
  const known = ruledCommands(modules)
  const { entry, label } = known.find((one) => keyOf(one.entry.module, one.command) === key) ?? {}
  if (!entry || label === undefined) return undefined
  return say('order {command} of {module}', { command: label, module: entry.panel.title })
}

export function drawnModules(modules: readonly ModuleEntry[]): readonly Drawn[] {
  return modules.flatMap(({ panel, ...entry }) => (panel ? [{ ...entry, panel }] : []))
}
