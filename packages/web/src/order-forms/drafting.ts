import type { Signal } from '@preact/signals'
import type { Game } from '../game/game.ts'
import type { RuleDraft } from '../orders/rule-draft.ts'

/** A rule that is being filled in. */
export interface Drafting {
  readonly game: Game
  readonly draft: Signal<RuleDraft>
  readonly fault: Signal<string | undefined>
}
