/** What lies ahead of the own ship: marks of its trajectory with the time until each. */
import type { JSX } from 'preact'
import { say } from '../languages/say.ts'
import type { Forecasts } from '../forecast/forecasts.ts'
import type { Game } from '../game/game.ts'
import { type NextMark, waitText } from '../forecast/next-marks.ts'
import { Explain } from '../elements/explain.tsx'
import { Panel } from '../elements/panel.tsx'
import './trajectory-panel.css'

/** How far ahead the player can look [h], and in words. */
const SPANS = [
  ['', say('automatic')],
  ['3', say('3 hours')],
  ['24', say('1 day')],
  ['96', say('4 days')],
  ['384', say('16 days')],
] as const

export function TrajectoryPanel({ game }: { readonly game: Game }): JSX.Element {
  const { forecasts } = game
  const { LeftOut } = game.moduleParts.value ?? {}
  return (
    <Panel
      title={say('Ahead')}
      name="trajectory-panel"
      aside={
        <>
          <Span forecasts={forecasts} />
          <Explain of="Ahead" />
        </>
      }
    >
      <Marks forecasts={forecasts} />
      {LeftOut && <LeftOut />}
    </Panel>
  )
}

interface Props {
  readonly forecasts: Forecasts
}

function Span({ forecasts: { hours } }: Props): JSX.Element {
  return (
    <select
      aria-label={say('How far ahead')}
      value={hours.value?.toString() ?? ''}
      onChange={({ currentTarget: { value } }) => {
        hours.value = value === '' ? undefined : Number(value)
      }}
    >
      {SPANS.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  )
}

function Marks({ forecasts }: Props): JSX.Element {
  const { marks, own } = forecasts
  if (!own.value) return <p class="faint">{say('The way ahead is being computed.')}</p>
  if (marks.value.length === 0) return <p class="faint">{EMPTY[own.value.forecast.end] ?? CALM}</p>
  return (
    <ul>
      {marks.value.map((mark) => (
        <Row key={mark.key} mark={mark} forecasts={forecasts} />
      ))}
    </ul>
  )
}

const CALM = say('Nothing changes: a steady orbit.')

/** Why a forecast without marks reaches no further. */
const EMPTY: Readonly<Record<string, string>> = {
  frozen: say('The ship stays where it is.'),
}

const APSIS_HINT = say(
  'As it will be flown. The instruments show the apsis of the orbit as it is now, as if ' +
    'the body alone pulled and were a perfect sphere: they differ by kilometres.',
)

const HINTS: { readonly [Kind in NextMark['mark']['kind']]?: string } = {
  apoapsis: APSIS_HINT,
  periapsis: APSIS_HINT,
}

function Row({ mark, forecasts }: Props & { readonly mark: NextMark }): JSX.Element {
  const { pointed } = forecasts
  const isPointed = pointed.value === mark.key
  const point = (): void => {
    pointed.value = mark.key
  }
  const leave = (): void => {
    if (pointed.peek() === mark.key) pointed.value = undefined
  }
  return (
    <li data-kind={mark.mark.kind} class={isPointed ? 'pointed' : ''}>
      <button
        type="button"
        title={HINTS[mark.mark.kind]}
        onMouseEnter={point}
        onMouseLeave={leave}
        onFocus={point}
        onBlur={leave}
        onClick={point}
      >
        <span>{mark.name}</span>
        <span>{waitText(mark.seconds)}</span>
        <span class="faint">{mark.detail}</span>
      </button>
    </li>
  )
}
