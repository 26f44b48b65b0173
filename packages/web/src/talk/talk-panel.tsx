/** What pilots say to each other, and a line to say something. */
import type { SaidMessage } from '@orrery/client'
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { say } from '../languages/say.ts'
import { Panel } from '../elements/panel.tsx'
import type { Game } from '../game/game.ts'
import type { Actions } from '../input/actions.ts'
import { nameOf } from '../readings/thing-names.ts'
import { browserStorage } from '../storage/kept-settings.ts'
import { type Muted, createMuted } from './muted.ts'
import './talk.css'

/** Lines that are shown. */
const LINES_MAX = 100

/** Characters of one text. */
const TEXT_MAX = 200

interface Line extends SaidMessage {
  readonly key: number
}

export interface TalkPanelProps {
  readonly game: Game
  readonly actions: Actions
}

export function TalkPanel({ game, actions }: TalkPanelProps): JSX.Element {
  const isOpen = useSignal(true)
  const unread = useSignal(0)
  const lines = useSignal<readonly Line[]>([])
  const muted = useMemo(() => createMuted(browserStorage()), [])
  const field = useRef<HTMLInputElement>(null)
  useSignalEffect(() => {
    const { socket, account } = game.live.value ?? {}
    return socket?.on('said', (said) => {
      if (muted.peek().has(said.ship_id)) return
      const key = (lines.peek()[0]?.key ?? 0) + 1
      lines.value = [{ ...said, key }, ...lines.peek()].slice(0, LINES_MAX)
      if (!isOpen.peek() && said.ship_id !== account?.shipId) unread.value++
    })
  })
  useSignalEffect(() => {
    if (isOpen.value) unread.value = 0
  })
  useEffect(() => {
    const act = (): void => {
      const focus = (): void => field.current?.focus()
      if (isOpen.value) return focus()
      isOpen.value = true
      // Once it is shown.
      requestAnimationFrame(focus)
      return undefined
    }
    const words = say('says something to other pilots')
    return actions.register([{ name: 'talk', group: say('Page'), keys: ['KeyJ'], words, act }])
  }, [actions])
  const title =
    unread.value > 0 ? say('Talk ({unread} new)', { unread: unread.value }) : say('Talk')
  const shown = lines.value.filter(({ ship_id: id }) => !muted.value.has(id))
  return (
    <Panel title={title} name="talk" isOpen={isOpen}>
      <SayForm game={game} heard={shown} field={field} />
      <div role="log" aria-live="polite" aria-label={say('What pilots say, newest first')}>
        <ol>
          {shown.map((line) => (
            <LineRow key={line.key} line={line} game={game} muted={muted} />
          ))}
        </ol>
      </div>
      {shown.length === 0 && <p class="faint">{say('Nobody has said anything yet.')}</p>}
      <MutedShips muted={muted} />
    </Panel>
  )
}

interface SayFormProps {
  readonly game: Game
  readonly heard: readonly Line[]
  readonly field: { readonly current: HTMLInputElement | null }
}

function SayForm({ game, heard, field }: SayFormProps): JSX.Element {
  const text = useSignal('')
  const to = useSignal('')
  const outcome = useSignal('')
  const send = async (): Promise<void> => {
    const { socket } = game.live.peek() ?? {}
    const wanted = text.peek()
    if (wanted.trim() === '') return
    if (!socket) {
      outcome.value = say('There is no connection.')
      return
    }
    try {
      const { heard: pilots } = await socket.say(wanted, to.peek() || undefined)
      if (text.peek() === wanted) text.value = ''
      outcome.value = pilots === 0 ? say('No other pilot is in view.') : ''
    } catch (error) {
      outcome.value = `${(error as Error).message}.`
    }
  }
  return (
    <form
      class="talk-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <select
        aria-label={say('To')}
        value={to.value}
        onChange={({ currentTarget }) => (to.value = currentTarget.value)}
      >
        <option value="">{say('All in view')}</option>
        {[...hearers(game, heard)].map(([id, name]) => (
          <option key={id} value={id}>
            {say('Only {name}', { name })}
          </option>
        ))}
      </select>
      <input
        ref={field}
        type="text"
        aria-label={say('Message')}
        placeholder={say('Message')}
        autocomplete="off"
        maxLength={TEXT_MAX}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <button type="submit">{say('Say')}</button>
      <p role="status">{outcome}</p>
    </form>
  )
}

/** Ships that one may speak to alone: the target, and those that were heard. */
function hearers(game: Game, heard: readonly Line[]): ReadonlyMap<string, string> {
  const target = game.target.value
  const ships = new Map(heard.map(({ ship_id: id, ship_name: name }) => [id, name]))
  if (target?.kind === 'ship') ships.set(target.id, nameOf(target, game.live.value))
  ships.delete(game.live.value?.account.shipId ?? '')
  return ships
}

interface LineRowProps {
  readonly line: Line
  readonly game: Game
  readonly muted: Signal<Muted>
}

function LineRow({ line, game, muted }: LineRowProps): JSX.Element {
  const { at, ship_id: id, ship_name: name, text } = line
  const own = game.live.value?.account.shipId
  const mute = (): void => {
    muted.value = new Map([...muted.value, [id, name]])
  }
  return (
    <li class={id === own ? 'own' : ''}>
      <time dateTime={at}>{at.slice(11, 16)}</time>
      <span>
        <button type="button" onClick={() => (game.focus.value = { kind: 'ship', id })}>
          {name}
        </button>
        {line.to_ship_id !== undefined && (
          <em>{id === own ? say(' (to one)') : say(' (to you)')}</em>
        )}
        <bdi>{text}</bdi>
      </span>
      {id !== own && (
        <button
          type="button"
          class="talk-mute"
          aria-label={say('Mute {name}', { name })}
          onClick={mute}
        >
          {say('Mute')}
        </button>
      )}
    </li>
  )
}

function MutedShips({ muted }: { readonly muted: Signal<Muted> }): JSX.Element | null {
  if (muted.value.size === 0) return null
  const hearAgain = (id: string): void => {
    muted.value = new Map([...muted.value].filter(([other]) => other !== id))
  }
  return (
    <p class="talk-muted">
      {say('Muted:')}
      {[...muted.value].map(([id, name]) => (
        <button
          key={id}
          type="button"
          aria-label={say('Hear {name}', { name })}
          onClick={() => hearAgain(id)}
        >
          {name} ×
        </button>
      ))}
    </p>
  )
}
