import { EngineError } from '@orrery/engine'
import type { ModuleRoom } from '@orrery/engine/modules'
import { FROZEN } from '@orrery/sim'
import { hasStopped } from '../calls/broken.ts'
import type { BeatCalls } from '../running/beat-calls.ts'
import type { RunningModule } from '../running/running-module.ts'
import type { Tanks } from '../running/tank.ts'
import { requireCommand } from './rule-check.ts'

/** Of one ship to one module at a beat: each costs as much as one that its pilot sends. */
const COMMANDS_MAX = 4
const TOO_MANY = `Rules of a ship order at most ${COMMANDS_MAX} commands of a module in a second.`

export interface Obedience {
  readonly room: ModuleRoom
  readonly calls: BeatCalls
  readonly tanks: Tanks
  /** A command has acted, which no client foresees. */
  onObeyed(this: void, slot: number): void
}

/** Carries out what rules have ordered of a module; who orders what is refused reads why. */
export function obey(
  { calls, onObeyed, room, tanks }: Obedience,
  running: RunningModule,
  beat: number,
): void {
  const { roster, rules, state } = room
  const counts = new Map<number, number>()
  for (const [place, due] of running.ordered.take(beat).entries()) {
    const { body, command, ruleId, shipNumber } = due
    const entry = roster.byNumber.get(shipNumber)
    if (!entry || state.ships.condition[entry.slot] === FROZEN) continue
    const { slot } = entry
    const rule = rules.ofShip.get(shipNumber)?.find((one) => one.ruleId === ruleId)
    const refuse = (error: EngineError): void =>
      running.events.note(shipNumber, beat, rule ?? { ruleId, name: ruleId }, error, command)
    const count = (counts.get(shipNumber) ?? 0) + 1
    counts.set(shipNumber, count)
    if (count > COMMANDS_MAX) {
      refuse(new EngineError('ERR_MODULE_REFUSED', TOO_MANY))
      continue
    }
    calls.call(running, () => {
      try {
        requireCommand(running.module, due)
        const { fuel } = running.command(slot, command, body, beat, ` rule ${place}`)
        if (fuel !== undefined) tanks.fill(slot, fuel)
        onObeyed(slot)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        if (error.code === 'ERR_MODULE_FAULT') return running.broken(beat, error.cause)
        refuse(error)
      }
      return undefined
    })
    if (running.stopped) refuse(hasStopped(running.module.id, running.stopped.reason))
  }
}
