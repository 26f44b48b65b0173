import type { RosterEntry } from '@orrery/engine'
import { createBlock } from '@orrery/protocol'
import { type Channel, addNumbers } from './channel.ts'
import {
  type ClientView,
  type ShipList,
  UNMET,
  UNSENT,
  changeShips,
  noteJoins,
  placeOf,
} from './client-view.ts'
import type { FramePieces } from './frame-pieces.ts'
import { PUBLISHED } from './published-rows.ts'
import { type Selection, type SelectionRule, selectShips } from './due-rows.ts'
import { addIdentities } from './ship-identities.ts'

/** How much of its ships one client is sent. */
export interface ShipsRule extends Omit<SelectionRule, 'own'> {
  /** that the client sees from now on */
  readonly ships: ShipList
  readonly own: RosterEntry | undefined
  readonly nowMs: number
}

/**
 * Adds what a client is to be sent of a channel's publication, and notes it as sent; returns how
 * many ships have to wait.
 */
export function addShips(
  pieces: FramePieces,
  view: ClientView,
  channel: Channel,
  rule: ShipsRule,
): number {
  const { number } = channel.publication
  const { nowMs, ships } = rule
  if (ships === channel.whole && channel.isSynced(view)) {
    const { joined, pieces: shared } = channel.shared()
    if (shared.byteLength <= rule.allowance) {
      pieces.addAll(shared)
      noteJoins(view, { publication: number, atMs: nowMs, numbers: joined })
      view.ships = ships
      view.sent = number
      return 0
    }
  }
  const renamed = channel.renamedSince(view.sent)
  if (ships === view.ships && renamed.length === 0 && isUnchanged(view, channel)) {
    view.sent = number
    return 0
  }
  const left = changeShips(view, ships)
  const selection = selectShips(view, channel, {
    ...rule,
    own: rule.own ? placeOf(ships, rule.own.number) : -1,
  })
  addNumbers(pieces, 'left', left)
  addSelected(pieces, view, channel, { renamed, selection })
  noteJoins(view, { publication: number, atMs: nowMs, numbers: selection.unmet })
  return selection.waiting
}

/** Whether the client knows all of its ships as they are published. */
export function isUnchanged(
  { each, sent, ships: { slots } }: ClientView,
  channel: Channel,
): boolean {
  if (each) return false
  if (!channel.hasChangedSince(sent)) return true
  const { changedAt } = channel.trajectories
  for (let place = 0; place < slots.length; place++) {
    if (changedAt[slots[place]] > sent) return false
  }
  // Before the first publication nothing was sent.
  return sent > UNSENT
}

/** Adds the blocks of selected ships. */
function addSelected(
  pieces: FramePieces,
  view: ClientView,
  channel: Channel,
  { renamed, selection }: { readonly renamed: readonly number[]; readonly selection: Selection },
): void {
  const { publication, trajectories } = channel
  const { published, unmet, whole } = selection
  const known = renamed.filter((number) => isKnown(view, number))
  addIdentities(pieces, channel.world, channel.entries([...new Set([...unmet, ...known])]))
  if (whole.length > 0) {
    const arcs = createBlock('arcs', whole.length)
    const hulls = createBlock('hulls', whole.length)
    for (const [row, slot] of whole.entries()) {
      trajectories.arcOf(arcs.columns, row, slot)
      trajectories.hullOf(hulls.columns, row, slot)
    }
    pieces.add(arcs.bytes)
    pieces.add(hulls.bytes)
  }
  if (published.length === 0) return
  const rows = channel.rows().of(published)
  for (const [place, name] of PUBLISHED.entries()) {
    pieces.addRows(name, publication[name], rows[place])
  }
}

/** Whether a client was sent who a ship of its view is. */
function isKnown({ each, ships }: ClientView, number: number): boolean {
  const place = placeOf(ships, number)
  return place >= 0 && each?.[place] !== UNMET
}
