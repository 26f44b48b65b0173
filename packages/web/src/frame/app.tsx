/** All that stands around the picture: columns on a wide screen, sheets above tabs on a phone. */
import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../languages/say.ts'
import type { Game } from '../game/game.ts'
import type { Actions } from '../input/actions.ts'
import type { Stage } from '../view/stage.ts'
import { AccountMenu } from '../accounts/account-menu.tsx'
import { BodyList } from '../places/body-list.tsx'
import { type DialogName, Dialogs } from './dialogs.tsx'
import { EventLog } from './event-log.tsx'
import { Facts } from '../places/facts.tsx'
import { Helm } from '../instruments/helm.tsx'
import { Instruments } from '../instruments/instruments.tsx'
import { MarkLayer } from '../lines/mark-layer.ts'
import { NoticeList } from './notices.tsx'
import { Orders } from '../order-forms/orders.tsx'
import { Paused } from './paused.tsx'
import { ShipList } from '../places/ship-list.tsx'
import { frameActions } from './frame-actions.ts'
import { type SlotName, TabBar } from './tab-bar.tsx'
import { TrajectoryPanel } from '../places/trajectory-panel.tsx'
import { Target } from '../places/target.tsx'
import { lazy } from '../elements/lazy.tsx'
import { Time } from '../instruments/time.tsx'
import { Tools } from './tools.tsx'
import './app.css'

const Voyage = lazy(
  say('The voyage'),
  async () => (await import('../voyage/voyage-panel.tsx')).VoyagePanel,
)
const PracticeBar = lazy(
  say('The practice'),
  async () => (await import('../practice/practice-bar.tsx')).PracticeBar,
)
const Talk = lazy(say('Talk'), async () => (await import('../talk/talk-panel.tsx')).TalkPanel)
const Votes = lazy(
  say('The vote'),
  async () => (await import('../votes/votes-panel.tsx')).VotesPanel,
)
const Modules = lazy(
  say('What the rules of this game show'),
  async () =>
    (await hasModules()) ? (await import('../modules/module-panels.tsx')).ModulePanels : Nothing,
  true,
)
const TimeBar = lazy(
  say('The time bar'),
  async () => (await import('../dates/time-bar.tsx')).TimeBar,
)

export interface AppProps {
  readonly game: Game
  readonly stage: Stage
  readonly actions: Actions
}

export function App({ game, stage, actions }: AppProps): JSX.Element {
  const sheet = useSignal<SlotName | undefined>(undefined)
  const places = useSignal(false)
  const dialogs: Readonly<Record<DialogName, Signal<boolean>>> = {
    Share: useSignal(false),
    Settings: useSignal(false),
    Help: useSignal(false),
    Credits: useSignal(false),
  }
  const isFlown = game.session.value !== undefined
  const { value: live } = game.live
  useSignalEffect(() => {
    sheet.value = game.session.value ? 'bottom' : undefined
  })
  useSignalEffect(() => {
    if (sheet.value === 'places') places.value = true
  })
  useEffect(
    () => actions.register(frameActions({ settings: game.settings, places, dialogs })),
    [actions, game, places],
  )
  return (
    <div
      class={`frame ${isFlown ? 'flown' : ''} ${game.practice.value ? 'practising' : ''}`}
      data-sheet={sheet.value}
    >
      <TabBar sheet={sheet} isFlown={isFlown} />
      <div class="column start">
        <Slot name="top-left">
          <AccountMenu game={game} />
        </Slot>
        <Slot name="places">
          <BodyList game={game} stage={stage} isOpen={places} />
        </Slot>
        <Slot name="left">
          {isFlown && <TrajectoryPanel game={game} />}
          {isFlown && <EventLog game={game} />}
          {isFlown && game.status.value?.talk_enabled && <Talk game={game} actions={actions} />}
          {live?.votes.value?.lowest && !game.practice.value && <Votes live={live} />}
          {isFlown && <ShipList game={game} />}
        </Slot>
        <Slot name="bottom-left">
          <Time game={game} stage={stage} />
        </Slot>
      </div>
      <Middle game={game} stage={stage} actions={actions} />
      <div class="column end">
        <Slot name="top-right">
          <Facts game={game} stage={stage} />
          <Target game={game} />
        </Slot>
        <Slot name="right">
          {isFlown && <Orders game={game} />}
          {live && !game.practice.value && (
            <Modules game={game} stage={stage} draw={(signs) => new MarkLayer(signs)} />
          )}
        </Slot>
        <Slot name="bottom-right">
          <Tools game={game} stage={stage} actions={actions} dialogs={dialogs} />
        </Slot>
      </div>
      <Paused game={game} />
      <Dialogs game={game} stage={stage} actions={actions} opened={dialogs} />
    </div>
  )
}

function Middle({ game, stage, actions }: AppProps): JSX.Element {
  const voyager = game.session.value?.account.shipId
  return (
    <div class="column middle">
      <Slot name="top">
        <NoticeList game={game} />
        {voyager !== undefined && game.voyage.value && (
          <Voyage game={game} stage={stage} actions={actions} account={voyager} />
        )}
      </Slot>
      <Slot name="dates">
        {game.practising.value && <PracticeBar game={game} />}
        {game.dates.value && <TimeBar game={game} stage={stage} />}
      </Slot>
      <Slot name="bottom">
        {game.session.value && (
          <Helm game={game} stage={stage}>
            <Instruments game={game} stage={stage} />
          </Helm>
        )}
      </Slot>
    </div>
  )
}

/** A place for panels. */
function Slot({ name, children }: { name: SlotName; children?: ComponentChildren }): JSX.Element {
  return (
    <div class={`slot ${name}`} id={`slot-${name}`}>
      {children}
    </div>
  )
}

/** Whether the server has rules of its own; what reads them well comes with their panels. */
async function hasModules(): Promise<boolean> {
  const answer = await fetch('/api/modules')
  return answer.ok && (await answer.json()).modules.length > 0
}

function Nothing(): null {
  return null
}
