/** What forms and sentences of rules have of modules: it comes with their panels. */
import type { Signal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import type { RuleDraft } from './rule-draft.ts'
import type { RulePartWords } from './rule-words.ts'

export interface RulePartProps {
  readonly draft: Signal<RuleDraft>
}

export interface RuleParts extends RulePartWords {
  /** fields for a condition on a column */
  readonly Condition: FunctionComponent<RulePartProps>
  /** fields for a command */
  readonly Command: FunctionComponent<RulePartProps>
}
