import { advanceChunk } from '@orrery/sim'
import type { World } from '../../src/world/world.ts'
import type { Flier } from './flight.ts'

/** Flies all ships on the calling thread. */
export function callingThread(worlds: readonly World[]): Flier {
  return {
    advance(rounds) {
      for (const [place, round] of rounds.entries()) {
        if (!round) continue
        const { state, flight } = worlds[place]
        for (let chunk = 0; chunk < state.chunks; chunk++) {
          if (round.meetingOnly && state.chunk.chunkMeets[chunk] === 0) continue
          advanceChunk(flight, chunk, round.target)
        }
      }
      return Promise.resolve()
    },
    close: () => undefined,
  }
}
