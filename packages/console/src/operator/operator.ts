/** All that the console shows and does, without its elements. */
import type { GameClient } from '@orrery/client'
import { type ReadonlySignal, type Signal, computed, effect, signal } from '@preact/signals'
import { type Action, type Values, isImmediate, withIds } from './action.ts'
import { ACTIONS, type ActionId } from './actions.ts'
import { failureText } from './failure-text.ts'
import { type ListedSection, SECTIONS } from './listings.ts'
import { type Live, followServer } from './live.ts'
import { type Sessions, createSessions } from './session.ts'

export type Section = 'overview' | 'map' | ListedSection

/** An action whose dialog is open, and what its fields hold at first. */
export interface Asked {
  readonly id: ActionId
  readonly action: Action
  readonly values: Values
  /** name of what it is done to, where the row or the map has it */
  readonly about: string | undefined
}

/** What was done, or why it was not. */
export interface Outcome {
  readonly text: string
  readonly isGood: boolean
}

export interface Operator {
  readonly sessions: Sessions
  readonly live: Live
  readonly section: ReadonlySignal<Section>
  readonly asked: Signal<Asked | undefined>
  readonly isPaletteOpen: Signal<boolean>
  readonly outcome: Signal<Outcome | undefined>
  /** reads what is shown again after each change, before its outcome; returns how to stop */
  followChanges(read: () => Promise<void>): () => void
  /** begins an action: at once, or with its dialog */
  begin(id: ActionId, values?: Values, about?: string): void
  /** runs an action; resolves with a sentence when it fails */
  run(action: Action, values: Values): Promise<string | undefined>
}

/** @param storage  of the tab */
export function createOperator(client: GameClient, storage: Storage): Operator {
  const sessions = createSessions(client, storage)
  const live = followServer(client, sessions)
  const hash = signal(location.hash.slice(1))
  addEventListener('hashchange', () => (hash.value = location.hash.slice(1)))
  const asked = signal<Asked | undefined>(undefined)
  const outcome = signal<Outcome | undefined>(undefined)
  const readers = new Set<() => Promise<void>>()
  const isPaletteOpen = signal(false)
  effect(() => {
    if (sessions.current.value) return
    asked.value = undefined
    isPaletteOpen.value = false
  })
  const run = async (action: Action, values: Values): Promise<string | undefined> => {
    const session = sessions.current.value
    const reading = live.reading.value
    if (!session || !reading) return 'The server has not answered yet.'
    // Before the sentence is shown, so that the next switch or row acts on the new state.
    const readAgain = async (): Promise<void> => {
      await Promise.all([live.look(), ...[...readers].map((read) => read())])
    }
    try {
      const given = await withIds(action, session.admin, values)
      const text = await action.run(session.admin, given, reading)
      await readAgain()
      outcome.value = { text, isGood: true }
      return undefined
    } catch (error) {
      await readAgain()
      return failureText(error)
    }
  }
  return {
    sessions,
    live,
    section: computed(() => (isSection(hash.value) ? hash.value : 'overview')),
    asked,
    isPaletteOpen,
    outcome,
    followChanges: (read) => {
      readers.add(read)
      return () => readers.delete(read)
    },
    begin: (id, values = {}, about) => {
      const action = ACTIONS[id]
      outcome.value = undefined
      if (!isImmediate(action)) asked.value = { id, action, values, about }
      else {
        void run(action, values).then((fault) => {
          if (fault !== undefined) outcome.value = { text: fault, isGood: false }
        })
      }
    },
    run,
  }
}

function isSection(text: string): text is Section {
  return text === 'overview' || text === 'map' || Object.hasOwn(SECTIONS, text)
}
