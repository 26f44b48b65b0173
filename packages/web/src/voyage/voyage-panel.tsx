/** The step of the first voyage, above the picture. */
import { useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { Actions } from '../input/actions.ts'
import { keyNames } from '../input/key-names.ts'
import { keepVoyage, keptVoyage } from '../session/kept-voyage.ts'
import { browserStorage } from '../storage/kept-settings.ts'
import type { Stage } from '../view/stage.ts'
import { seenNow } from './seen.ts'
import { STEPS } from './steps.ts'
import { createVoyage } from './voyage.ts'
import './voyage.css'

interface VoyagePanelProps {
  readonly game: Game
  readonly stage: Stage
  readonly actions: Actions
  readonly account: string
}

export function VoyagePanel({ game, stage, actions, account }: VoyagePanelProps): JSX.Element {
  const storage = browserStorage()
  const voyage = useMemo(
    () => createVoyage(keptVoyage(storage, account), (one) => keepVoyage(storage, account, one)),
    [account],
  )
  useSignalEffect(() => {
    const seen = seenNow(game, stage)
    if (seen) voyage.look(seen, performance.now())
  })
  useSignalEffect(() => {
    document.body.dataset['voyage'] = voyage.step.value?.places.join(' ') ?? ''
  })
  useEffect(() => () => delete document.body.dataset['voyage'], [])
  const key = (name: string): string => {
    const all = actions.all.value
    const action = all.find((one) => one.name === name)
    return (action && keyNames(action, all)[0]) ?? say('no key')
  }
  const step = voyage.step.value
  const before = voyage.before.value
  const stop = (): void => {
    keepVoyage(storage, account, { step: step?.id ?? '', isOn: false, before })
    game.voyage.value = false
  }
  return (
    <section class="voyage" aria-label={say('First voyage')}>
      <div role="status">
        {voyage.said.value !== '' && <p class="voyage-said">✓ {voyage.said}</p>}
        {step && before && (
          <p>
            <b>{say('{n} of {all}', { n: voyage.at.value + 1, all: STEPS.length })}</b>{' '}
            {step.words(key, before)}
          </p>
        )}
        {!step && (
          <p>
            {say('This was the first voyage. All other places are flown to by the same orders.')}
          </p>
        )}
      </div>
      <div class="voyage-buttons">
        {step && (
          <button type="button" onClick={() => voyage.skip()}>
            {say('Skip')}
          </button>
        )}
        <button type="button" title={say('“Help” goes on with it')} onClick={stop}>
          {step ? say('Stop') : say('Close')}
        </button>
      </div>
    </section>
  )
}
