/** How far each account of this browser has come on the first voyage. */
import { type ReadonlySignal, type Signal, effect, signal } from '@preact/signals'
import type { Session } from './session.ts'
import type { Kept } from '../storage/kept-settings.ts'

export interface KeptVoyage {
  /** id of the step; of none at the end */
  readonly step: string
  /** whether it is shown */
  readonly isOn: boolean
  /** what was seen when the step began; it may be of another release */
  readonly before?: unknown
}

const KEY = 'orrery.voyages'

/** Accounts of this browser whose voyages are kept. */
const VOYAGES_MAX = 8

/** Whether the voyage of each session's account is shown; as it is kept at first. */
export function voyageSwitch(
  session: ReadonlySignal<Session | undefined>,
  kept: Kept,
): Signal<boolean> {
  const isOn = signal(false)
  effect(() => {
    const { account } = session.value ?? {}
    isOn.value = account !== undefined && keptVoyage(kept, account.shipId)?.isOn === true
  })
  return isOn
}

/** @param account  id of its ship */
export function keptVoyage(kept: Kept, account: string): KeptVoyage | undefined {
  const { step, isOn, before } = Object(voyages(kept).find(([name]) => name === account)?.[1])
  return typeof step === 'string' ? { step, isOn: isOn === true, before } : undefined
}

export function keepVoyage(kept: Kept, account: string, voyage: KeptVoyage): void {
  const others = voyages(kept).filter(([name]) => name !== account)
  const latest = [[account, voyage], ...others].slice(0, VOYAGES_MAX)
  try {
    kept?.setItem(KEY, JSON.stringify(Object.fromEntries(latest)))
  } catch {
    // A full storage: it holds until the page is left.
  }
}

/** By account, the latest first; none where that is not what is stored. */
function voyages(kept: Kept): readonly (readonly [account: string, voyage: unknown])[] {
  try {
    return Object.entries(Object(JSON.parse(kept?.getItem(KEY) ?? '{}')))
  } catch {
    return []
  }
}
