/** Steps, paces and the window of the slider. */
import { say } from '../languages/say.ts'

const DAY_MS = 86_400_000

/** How far a step leads, by its words [ms]. */
export const STEPS: Readonly<Record<string, number>> = {
  [say('1 minute')]: 60_000,
  [say('1 hour')]: 3_600_000,
  [say('1 day')]: DAY_MS,
  [say('30 days')]: 30 * DAY_MS,
  [say('1 year')]: 365.25 * DAY_MS,
}

/** The slider spans so many steps. */
const WINDOW_STEPS = 800

export const PACES: readonly number[] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7]

/** Two instants [Unix ms]. */
export interface Span {
  readonly from: number
  readonly until: number
}

/** The part of a span around a date that the slider shows: narrower for smaller steps. */
export function windowAround(ms: number, step: number, { from, until }: Span): Span {
  const width = Math.min(WINDOW_STEPS * step, until - from)
  const start = Math.min(Math.max(ms - width / 2, from), until - width)
  return { from: start, until: start + width }
}

/** The value of an input of date and time, in UTC; the inverse reads it. */
export function fieldText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19)
}

/** NaN for an empty field. */
export function fieldMs(text: string): number {
  return Date.parse(`${text}Z`)
}
