import { EngineError } from '@orrery/engine'
import type { OrderedCommand, Rule, RuleCondition } from '@orrery/engine/modules'
import type { GenericSchema } from 'valibot'
import { type GameModule, columnsOf } from '../../define-module.ts'
import { isRowId } from '../../row-id.ts'
import { givenCommand } from '../calls/given-command.ts'
import type { ColumnMemory } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'

/**
 * Requires that a pilot's rule can use a module, as far as it names it.
 *
 * @throws {EngineError} 'ERR_MODULE_UNKNOWN', 'ERR_MODULE_BODY', 'ERR_RULE'
 */
export function requireRule(module: GameModule, { command, condition }: Rule): void {
  if (command?.module === module.id) requireCommand(module, command)
  if (condition.module === module.id) requireColumn(module, condition.column)
}

function requireColumn(module: GameModule, name = ''): void {
  const columns = columnsOf(module)
  if (!Object.hasOwn(columns, name) || columns[name].seenBy === 'operator') {
    throw new EngineError(
      'ERR_MODULE_UNKNOWN',
      `Module ${module.id} shows pilots no column ${name}.`,
    )
  }
  const { kind } = columns[name]
  if (kind !== 'row' && kind !== 'text') return
  throw new EngineError('ERR_RULE', `${name} of ${module.id} is a ${kind}; rules take numbers.`)
}

/** The same of a command. */
export function requireCommand(
  module: GameModule,
  { body, command }: Pick<OrderedCommand, 'body' | 'command'>,
): void {
  givenCommand(module, command, body)
  if (module.commands[command].may !== 'operator') return
  throw new EngineError('ERR_MODULE_UNKNOWN', `Module ${module.id} gives pilots no ${command}.`)
}

/** Whether a command of a rule is about a row of a table, by its body. */
export function namesRow({ commands }: GameModule, { body, command }: OrderedCommand): boolean {
  if (!Object.hasOwn(commands, command)) return false
  const { entries = {} } = commands[command].body as {
    readonly entries?: Readonly<Record<string, GenericSchema>>
  }
  return Object.keys(body).some((name) => Object.hasOwn(entries, name) && isRowId(entries[name]))
}

/** The column that a condition is on; undefined where the module has none that fits. */
export function columnIn(
  { columns }: RunningModule,
  { column }: RuleCondition,
): ColumnMemory | undefined {
  return columns.find(({ name, text, column: { kind, seenBy } }) => {
    return name === column && text === undefined && kind !== 'row' && seenBy !== 'operator'
  })
}
