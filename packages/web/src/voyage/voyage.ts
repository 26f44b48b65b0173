/** The first voyage under way: which step it is at. */
import { type ReadonlySignal, batch, computed, signal } from '@preact/signals'
import type { KeptVoyage } from '../session/kept-voyage.ts'
import type { Seen } from './seen.ts'
import { STEPS, type Step } from './steps.ts'

export interface Voyage {
  /** from 0; the number of steps at the end */
  readonly at: ReadonlySignal<number>
  readonly step: ReadonlySignal<Step | undefined>
  /** what was seen when the step began; undefined before anything was */
  readonly before: ReadonlySignal<Seen | undefined>
  /** what the last step has come to; `""` after one that was skipped */
  readonly said: ReadonlySignal<string>
  /** Goes on where the step is done. @param nowMs  on any clock */
  look(seen: Seen, nowMs: number): void
  skip(): void
}

/** A step is shown for so long at least [ms]. */
const SHOWN_MS = 2500

/**
 * Goes on with a voyage, or begins it.
 *
 * @param keep  takes each change
 */
export function createVoyage(
  kept: KeptVoyage | undefined,
  keep: (voyage: KeptVoyage) => void,
): Voyage {
  const at = signal(
    Math.max(
      STEPS.findIndex(({ id }) => id === kept?.step),
      0,
    ),
  )
  const before = signal(seenOf(kept?.before))
  const said = signal('')
  const step = computed<Step | undefined>(() => STEPS[at.value])
  let last: Seen | undefined
  let beganMs = NaN
  const note = (): void => keep({ step: step.value?.id ?? '', isOn: true, before: before.value })
  const goOn = (words: string): void =>
    batch(() => {
      at.value = Math.min(at.value + 1, STEPS.length)
      before.value = last
      said.value = words
      beganMs = NaN
      note()
    })
  note()
  return {
    at,
    step,
    before,
    said,
    look: (seen, nowMs) => {
      last = seen
      if (Number.isNaN(beganMs)) beganMs = nowMs
      if (!before.value) {
        before.value = seen
        note()
      }
      if (nowMs - beganMs < SHOWN_MS || !step.value?.isDone(before.value, seen)) return
      goOn(step.value.done)
    },
    skip: () => goOn(''),
  }
}

/** As JSON has it: what is not known is null there. */
function seenOf(value: unknown): Seen | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value).map(([name, one]) => [name, one ?? NaN])
  return Object.fromEntries(entries) as Seen
}
