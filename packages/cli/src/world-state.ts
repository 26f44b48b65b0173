import type { AdminClient } from '@orrery/client'
import { styleText } from 'node:util'
import { plain } from './text.ts'

type Load = Awaited<ReturnType<AdminClient['load']>>
type Status = Awaited<ReturnType<AdminClient['status']>>

/** How the world is, by its load and its status. */
export type WorldState = Pick<Load, 'faulted' | 'overloaded' | 'clock_goal'> &
  Pick<Status, 'paused' | 'stopped_systems'>

/** Whether game time goes on, the gravest first, in the colour that it deserves. */
export function stateText({
  paused,
  faulted,
  overloaded,
  clock_goal: goal,
  stopped_systems: stopped,
}: WorldState): string {
  if (faulted) return styleText('red', 'broken: a tick failed, and the log has its reason')
  if (stopped.length > 0) {
    const names = stopped.map(({ system_id: id }) => plain(id)).join(', ')
    return styleText('red', `${names}: no commands until a restart${paused ? ', paused' : ''}`)
  }
  if (paused) return styleText('yellow', goal === null ? 'paused' : `paused, will hurry to ${goal}`)
  const load = overloaded ? ', overloaded' : ''
  if (goal !== null) return styleText('yellow', `hurries to ${goal}${load}`)
  return overloaded ? styleText('yellow', 'running, overloaded') : styleText('green', 'running')
}

/** How the clock of all hosts that fly is to run. */
export function plannedText({
  game_time: from,
  paused,
  tick_rate: rate,
  time_scale: scale,
}: NonNullable<Status['planned']>): string {
  return `${paused ? 'paused' : `time scale ${scale}, ${rate} Hz`} from ${from}`
}
