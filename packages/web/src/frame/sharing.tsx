/** The view as a link and as a picture to send, and the flight as a file. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import { lazy } from '../elements/lazy.tsx'
import { savePicture } from '../page/picture-file.ts'
import type { Stage } from '../view/stage.ts'
import './sharing.css'

const RecordSection = lazy(
  say('The flight'),
  async () => (await import('../record/record-section.tsx')).RecordSection,
)

interface SharingProps {
  readonly game: Game
  readonly stage: Stage
}

export function Sharing({ game, stage }: SharingProps): JSX.Element {
  return (
    <>
      <ViewLink link={useMemo(() => stage.link, [stage])} />
      <h3>{say('Picture')}</h3>
      <p class="faint">{say('It has no instruments and no names.')}</p>
      <button type="button" onClick={() => void savePicture(game, stage)}>
        {say('Save picture')}
      </button>
      <RecordSection game={game} stage={stage} />
    </>
  )
}

/** @param link  as the view was when the dialog was opened */
function ViewLink({ link }: { readonly link: string }): JSX.Element {
  const said = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  const copy = async (): Promise<void> => {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(link)
      said.value = say('Copied.')
    } catch {
      // Such as a page that is not served by HTTPS.
      said.value = say(
        'The browser does not let the page copy. The link is selected: press Ctrl+C.',
      )
    }
  }
  return (
    <section>
      <h3>{say('Link')}</h3>
      <p class="faint">
        {say('It shows the same place, from the same side, with the same layers.')}
      </p>
      <input
        ref={field}
        type="text"
        readOnly
        aria-label={say('Link to this view')}
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="button" onClick={() => void copy()}>
        {say('Copy link')}
      </button>
      <p role="status">{said}</p>
    </section>
  )
}
