/** The past of a date before now, flown again by the server when it is asked for. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { PastLook } from './past-look.ts'

export interface LookBackProps {
  readonly game: Game
  readonly systemId: string
  /** the date that is shown [Unix ms] */
  readonly shownMs: () => number
  /** shows a past, or none */
  readonly show: (look: PastLook | undefined) => void
}

export function LookBack({ game, systemId, shownMs, show }: LookBackProps): JSX.Element | null {
  const look = useSignal<PastLook | undefined>(undefined)
  const end = (): void => {
    look.peek()?.close()
    look.value = undefined
    show(undefined)
  }
  useEffect(() => end, [systemId])
  const { value: live } = game.live
  // A practice asks the server for nothing.
  if (!live || game.practice.value) return null
  const { value: open } = look
  const begin = (): void => {
    const begun = new PastLook(live.player.call)
    look.value = begun
    show(begun)
    void begun.open(systemId, shownMs())
  }
  if (!open) {
    return (
      <button
        type="button"
        title={say('The server flies this moment again, beside the game')}
        onClick={begin}
      >
        {say('Look back')}
      </button>
    )
  }
  return (
    <>
      <strong>{wordsOf(open)}</strong>{' '}
      <button type="button" onClick={end}>
        {say('End the look back')}
      </button>
    </>
  )
}

/** What is seen, and whether it is proved. */
function wordsOf({ digests, reason, state }: PastLook): string {
  if (state.value === 'flying') return say('The past is being flown again.')
  if (state.value === 'failed')
    return say('The past cannot be shown: {reason}.', { reason: reason.value })
  const { compared, equal } = digests.value
  const verdict =
    equal < compared
      ? say('{n} of {all} digests DIFFER from the recorded ones', {
          n: compared - equal,
          all: compared,
        })
      : compared === 0
        ? say('no digest to compare yet')
        : say('all {n} digests equal', { n: compared })
  return `${say('The past, flown again: {verdict}.', { verdict })} ${reason.value}`
}
