import type { ShipEvent } from '@orrery/sim'
import type { FailureReason, ManeuverPhase, ManeuverType, OpenManeuver } from '../world/maneuver.ts'
import { PHASE_TEXTS, REASON_TEXTS } from './maneuver-texts.ts'
import { typeOf } from './ordered-turn.ts'

/** How and why a maneuver ends. */
export interface ManeuverEnd {
  readonly outcome: 'completed' | 'aborted' | 'replaced' | 'failed'
  readonly reason?: FailureReason
  readonly statusText: string | null
  /** at its end, where that is another one */
  readonly phase?: ManeuverPhase
  /** to the target [m] */
  readonly distance?: number | null
  readonly elementErrors?: Readonly<Record<string, number>> | null
  /** of thrust at this place, 0 to 1 */
  readonly effectivity?: number | null
}

/** What an event of a ship meant for its maneuver. */
export interface ManeuverNote {
  readonly type: ManeuverType
  readonly phase: ManeuverPhase
  readonly fromPhase: ManeuverPhase
  /** of a failed one */
  readonly reason?: FailureReason
  /** why it failed; of one under way, what the ship does in the phase */
  readonly statusText?: string
}

export function failure(
  reason: FailureReason,
  phase?: ManeuverPhase,
  statusText: string = REASON_TEXTS[reason],
): ManeuverEnd {
  return { outcome: 'failed', reason, statusText, ...(phase && { phase }) }
}

/** How a turn ends with an event of its hull. */
export function endOfTurn({ pointing }: OpenManeuver, { kind, distance }: ShipEvent): ManeuverEnd {
  if (kind === 'lost') return failure('target_lost')
  if (kind === 'impact') return failure('impact', 'locked', 'The ship ran into a body')
  if (kind === 'destroyed') return failure('impact', 'locked', 'The ship was destroyed')
  if (kind === 'frozen') return failure('frozen')
  if (kind === 'let_go') return failure('let_go', 'free')
  if (pointing === 'target' && distance === 0) {
    return failure('target_lost', 'locked', 'There is no target')
  }
  const reached = distance > 0 ? distance : null
  return { outcome: 'completed', statusText: null, phase: 'locked', distance: reached }
}

/** @param now  the maneuver with its phase from the event on */
export function noteOf(
  now: OpenManeuver,
  fromPhase: ManeuverPhase,
  ended?: ManeuverEnd,
): ManeuverNote {
  const { reason, statusText }: Pick<ManeuverEnd, 'reason' | 'statusText'> = ended ?? {
    statusText: PHASE_TEXTS[now.phase],
  }
  return {
    type: typeOf(now),
    phase: now.phase,
    fromPhase,
    ...(reason && { reason }),
    ...(statusText !== null && { statusText }),
  }
}
