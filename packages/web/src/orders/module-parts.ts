/** What other parts of the page have of modules: it comes with their panels. */
import type { Signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import type { RuleDraft } from './rule-draft.ts'
import type { RulePartWords } from './rule-words.ts'

export interface RulePartProps {
  readonly draft: Signal<RuleDraft>
}

export interface ModuleParts extends RulePartWords {
  /** fields for a condition on a column */
  readonly Condition: FunctionComponent<RulePartProps>
  /** fields for a command */
  readonly Command: FunctionComponent<RulePartProps>
  /** names those that forecasts and costs leave out; nothing without any */
  readonly LeftOut: FunctionComponent
}
