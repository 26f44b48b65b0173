import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { type GateWays, askGateWays } from '../orders/gate-ways.ts'
import { untilAnswered } from '../session/until-answered.ts'

/**
 * Where jump gates lead; asked again when those of interest are others.
 *
 * @param ids  of the gates of interest; nothing is asked without any
 */
export function useGateWays({ client }: Game, ids: string): GateWays | undefined {
  const ways = useSignal<GateWays | undefined>(undefined)
  useEffect(() => {
    if (ids === '') return undefined
    return untilAnswered(
      () => askGateWays(client),
      (known) => (ways.value = known),
    )
  }, [ids])
  return ways.value
}

/** Undefined while it is not known. */
export function wayOf(ways: GateWays | undefined, gate: string): string | undefined {
  return ways && (ways.get(gate) ?? say('nowhere'))
}
