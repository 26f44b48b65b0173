import { refusal } from '@orrery/game'

/** Streams that may be open at once, and those of one token. */
const STREAMS_MAX = 64
const STREAMS_OF_TOKEN = 4

/** The streams of events that are open. */
export interface EventStreams {
  /** Returns what closes it. @throws {Refusal} 429 E004 */
  open(tokenId: string): () => void
  /** aborted once all are to end */
  readonly ending: AbortSignal
  /** Ends all: the server stops. */
  end(): void
}

export function createEventStreams(): EventStreams {
  const ofTokens = new Map<string, number>()
  const ending = new AbortController()
  let open = 0
  return {
    open: (tokenId) => {
      const own = ofTokens.get(tokenId) ?? 0
      if (own >= STREAMS_OF_TOKEN || open >= STREAMS_MAX) {
        const most = `${STREAMS_OF_TOKEN} of a token, and ${STREAMS_MAX} in all`
        throw refusal('E004', `There are as many streams of events as there may be: ${most}`)
      }
      ofTokens.set(tokenId, own + 1)
      open++
      return () => {
        const left = (ofTokens.get(tokenId) ?? 0) - 1
        if (left > 0) ofTokens.set(tokenId, left)
        else ofTokens.delete(tokenId)
        open--
      }
    },
    ending: ending.signal,
    end: () => ending.abort(),
  }
}
