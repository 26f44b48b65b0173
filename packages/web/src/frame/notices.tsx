/** Messages to the player, newest last, each with its way on. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { Notice } from '../session/notices.ts'
import { ConnectionNotice } from './connection-notice.tsx'
import './notices.css'

export function NoticeList({ game }: { readonly game: Game }): JSX.Element {
  return (
    <div class="notices" role="status">
      <ConnectionNotice game={game} />
      {game.notices.shown.value.map((notice) => (
        <NoticeLine key={notice.subject} game={game} notice={notice} />
      ))}
    </div>
  )
}

interface NoticeLineProps {
  readonly game: Game
  readonly notice: Notice
}

function NoticeLine({ game, notice }: NoticeLineProps): JSX.Element {
  const { subject, kind, text, action } = notice
  const close = (): void => game.notices.withdraw(subject)
  const act = (): void => {
    close()
    action?.act()
  }
  return (
    <div class={`notice ${kind}`}>
      <p>{text}</p>
      {action && (
        <button type="button" onClick={act}>
          {action.label}
        </button>
      )}
      <button type="button" class="notice-close" aria-label={say('Close message')} onClick={close}>
        ×
      </button>
    </div>
  )
}
