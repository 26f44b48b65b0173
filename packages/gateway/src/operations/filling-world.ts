import type { Logger } from '@orrery/http'

/** Shares of the room for ships at which a line is logged, the highest first. */
const LEVELS = [0.95, 0.8]

/** A level counts as left once the share is so far below it. */
const HYSTERESIS = 0.02

/** Logs a warning each time that the ships of the world reach 80 or 95 % of its room. */
export function createFillingLog(
  logger: Pick<Logger, 'warn'>,
): (world: { readonly ships: number; readonly shipsMax: number }) => void {
  let reached = 0
  return ({ ships, shipsMax }) => {
    const share = ships / shipsMax
    if (share < reached - HYSTERESIS) reached = 0
    const level = LEVELS.find((one) => share >= one) ?? 0
    if (level <= reached) return
    reached = level
    logger.warn({ ships, ships_max: shipsMax }, `the world is ${100 * level} % full`)
  }
}
