import type { AdminClient } from '@orrery/client'
import { styleText } from 'node:util'

type Load = Awaited<ReturnType<AdminClient['load']>>

/** What the load holds of how the world is. */
export type WorldState = Pick<Load, 'faulted' | 'overloaded' | 'clock_goal'>

/** Whether game time goes on, the gravest first, in the colour that it deserves. */
export function stateText({
  paused,
  faulted,
  overloaded,
  clock_goal: goal,
}: WorldState & { readonly paused: boolean }): string {
  if (faulted) return styleText('red', 'broken: a tick failed, and the log has its reason')
  if (paused) return styleText('yellow', goal === null ? 'paused' : `paused, will hurry to ${goal}`)
  const load = overloaded ? ', overloaded' : ''
  if (goal !== null) return styleText('yellow', `hurries to ${goal}${load}`)
  return overloaded ? styleText('yellow', 'running, overloaded') : styleText('green', 'running')
}
