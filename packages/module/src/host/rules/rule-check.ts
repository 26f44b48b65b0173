import { EngineError } from '@orrery/engine'
import type { Rule, RuleCondition } from '@orrery/engine/modules'
import { type GameModule, columnsOf } from '../../define-module.ts'
import type { ColumnMemory } from '../columns/memory.ts'
import type { RunningModule } from '../running/running-module.ts'

/**
 * Requires that a pilot's rule can use a module, as far as it names it.
 *
 * @throws {EngineError} 'ERR_MODULE_UNKNOWN', 'ERR_RULE'
 */
export function requireRule(module: GameModule, { condition }: Rule): void {
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

/** The column that a condition is on; undefined where the module has none that fits. */
export function columnIn(
  { columns }: RunningModule,
  { column }: RuleCondition,
): ColumnMemory | undefined {
  return columns.find(({ name, text, column: { kind, seenBy } }) => {
    return name === column && text === undefined && kind !== 'row' && seenBy !== 'operator'
  })
}
