/** Dialogs of the page; what is in them is loaded when each is first opened. */
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import { Dialog } from '../elements/dialog.tsx'
import { isExplaining } from '../elements/explain.tsx'
import { lazy } from '../elements/lazy.tsx'
import type { Game } from '../game/game.ts'
import type { Actions } from '../input/actions.ts'
import type { Stage } from '../view/stage.ts'

const NAME = say('The dialog')
const Sharing = lazy(NAME, async () => (await import('./sharing.tsx')).Sharing)
const SettingsForm = lazy(NAME, async () => (await import('./settings-form.tsx')).SettingsForm)
const Help = lazy(NAME, async () => (await import('./help/help.tsx')).Help)
const Meanings = lazy(NAME, async () => (await import('./help/meanings.tsx')).Meanings)
const Credits = lazy(NAME, async () => (await import('./credits.tsx')).Credits)

export type DialogName = 'Share' | 'Settings' | 'Help' | 'Credits'

/** Titles, and words of the buttons that open them. */
export const DIALOG_WORDS: Readonly<Record<DialogName, string>> = {
  Share: say('Share'),
  Settings: say('Settings'),
  Help: say('Help'),
  Credits: say('Credits'),
}

interface DialogsProps {
  readonly game: Game
  readonly stage: Stage
  readonly actions: Actions
  /** whether each is open */
  readonly opened: Readonly<Record<DialogName, Signal<boolean>>>
}

export function Dialogs({ game, stage, actions, opened }: DialogsProps): JSX.Element {
  return (
    <>
      <Dialog title={DIALOG_WORDS.Settings} name="settings" isOpen={opened.Settings}>
        <SettingsForm settings={game.settings} />
      </Dialog>
      <Dialog title={DIALOG_WORDS.Help} name="help" isOpen={opened.Help}>
        <Help game={game} actions={actions} isOpen={opened.Help} />
      </Dialog>
      <Dialog title={DIALOG_WORDS.Share} name="sharing" isOpen={opened.Share}>
        <Sharing game={game} stage={stage} />
      </Dialog>
      <Dialog title={say('What it shows')} name="meanings" isOpen={isExplaining}>
        <Meanings />
      </Dialog>
      <Dialog title={DIALOG_WORDS.Credits} name="credits" isOpen={opened.Credits}>
        <Credits />
      </Dialog>
    </>
  )
}
