/** The game's clock in a message; an absent field is unchanged. */
export interface ClockReading {
  /** Unix milliseconds */
  readonly gameTimeMs: number
  readonly era?: number | undefined
  /** game seconds per second */
  readonly scale?: number | undefined
  readonly paused?: boolean | undefined
}

/** Readings that are kept; the quickest counts. */
const READINGS_MAX = 16

/** An estimate of the game's clock between and beyond its messages. */
export interface GameTime {
  /** takes note of a message that came at a time of the client's own clock [ms] */
  note(reading: ClockReading, atMs: number): void
  /**
   * Game time at a time of the client's own clock, both in milliseconds; undefined before the
   * first message.
   *
   * @param delayMs  what a message takes to come
   */
  at(atMs: number, delayMs: number): number | undefined
}

/**
 * Messages come late by more or less, never early: of the last ones the one that puts the game's
 * clock furthest ahead was on its way for the shortest time, and is the one to count from.
 */
export function createGameTime(): GameTime {
  let gameTimeMs: number | undefined
  let clock = { era: 0, scale: 1, paused: true }
  // Game time less scaled client time: the same for all messages that took equally long.
  let offsets: number[] = []
  return {
    note: (reading, atMs) => {
      const { era = clock.era, scale = clock.scale, paused = clock.paused } = reading
      const goesOn = era === clock.era && scale === clock.scale && paused === clock.paused
      clock = { era, scale, paused }
      gameTimeMs = reading.gameTimeMs
      offsets = [...(goesOn ? offsets.slice(1 - READINGS_MAX) : []), gameTimeMs - scale * atMs]
    },
    at: (atMs, delayMs) =>
      clock.paused ? gameTimeMs : Math.max(...offsets) + clock.scale * (atMs + delayMs),
  }
}
