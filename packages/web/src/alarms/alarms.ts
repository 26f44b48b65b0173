/** Calls the player before a burn, an encounter and an arrival: by the title and a notification. */
import { effect } from '@preact/signals'
import { say } from '../languages/say.ts'
import { type Mark, type NextMark, waitText } from '../forecast/next-marks.ts'
import type { Game } from '../game/game.ts'
import { alarm } from '../page/title.ts'

/** How long before [s of the player]. */
const LEAD = 60

/** Lattice indices per second. */
const PER_SECOND = 64

const KINDS: ReadonlySet<Mark['kind']> = new Set([
  'burn_begin',
  'sphere',
  'impact',
  'docked',
  'maneuver_completed',
  'maneuver_failed',
])

/**
 * What happens within the next minute of the player.
 *
 * @param scale  game seconds per second
 */
export function dueMarks(marks: readonly NextMark[], scale: number): readonly NextMark[] {
  return marks.filter(
    ({ mark, seconds }) => KINDS.has(mark.kind) && seconds > 0 && seconds <= LEAD * scale,
  )
}

/** Returns what picks those that were not called before; a new forecast moves them a little. */
export function createCaller(): (due: readonly NextMark[], scale: number) => readonly NextMark[] {
  const called = new Map<string, number>()
  return (due, scale) =>
    due.filter(({ name, mark: { index } }) => {
      const isNew = index - (called.get(name) ?? -Infinity) > LEAD * scale * PER_SECOND
      called.set(name, index)
      return isNew
    })
}

/** Follows the forecasts of a game while alarms are wanted. */
export function startAlarms({ session, settings, forecasts }: Game): void {
  const call = createCaller()
  effect(() => {
    const scale = session.value?.flight.clock.scale ?? 1
    const due = settings.alarms.value ? dueMarks(forecasts.marks.value, scale) : []
    alarm.value =
      due.length > 0
        ? say('{what} in {wait}', { what: due[0].name, wait: waitText(due[0].seconds) })
        : ''
    for (const { name, seconds } of call(due, scale))
      notify(name, say('In {wait}.', { wait: waitText(seconds) }))
  })
}

/** Where the player looks at something else. */
function notify(title: string, body: string): void {
  if (document.hasFocus()) return
  try {
    if (Notification.permission !== 'granted') return
    const shown = new Notification(title, { body, tag: title })
    shown.addEventListener('click', () => focus())
  } catch {
    // Some browsers have none, or only by a service worker: the title says it.
  }
}
