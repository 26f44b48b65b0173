import type { ModuleBody, ModuleEvent, Rule } from '@orrery/engine/modules'
import * as v from 'valibot'
import type { GameModule } from '../../define-module.ts'
import { keepable } from './keepable.ts'
import { BrokenModule } from '../columns/memory.ts'

/** An event of the core that a module brings about. */
export const DESTROYED = 'destroyed'

/** Events of one ship in a row, within one call. */
const IN_A_ROW_MAX = 8

/** Characters of what a pilot reads of a rule. */
const REASON_MAX = 200

/** That are kept until they are taken, once a tick. */
const EVENTS_MAX = 10_000

/** Is called with the events of a call that has ended well. */
export type OnKept = (events: readonly ModuleEvent[]) => void

/** Events of a module in one star system, until they are taken. */
export class OwnEvents {
  readonly #module: GameModule
  #events: ModuleEvent[] = []
  /** that do not depend on how the present call ends */
  #kept = 0
  #lost = 0

  constructor(module: GameModule) {
    this.#module = module
  }

  /** @throws {BrokenModule} {EngineError} 'ERR_MODULE_BODY' */
  emit(shipNumber: number, index: number, name: string, given: unknown): void {
    const { events, id } = this.#module
    if (!Object.hasOwn(events, name)) throw new BrokenModule(`It has no event ${name}.`)
    const { body, text: pattern } = events[name]
    const parsed = v.safeParse(body, given)
    if (!parsed.success) throw new BrokenModule(`${name}: ${parsed.issues[0].message}`)
    const data = keepable(parsed.output as ModuleBody, `${id} ${name}`)
    const text = pattern.replaceAll(/\{(\w+)\}/g, (_, value: string) => wordOf(data[value]))
    this.#add({ shipNumber, index, module: id, name, data, text })
  }

  /** The ship is destroyed. @throws {BrokenModule} {EngineError} 'ERR_MODULE_BODY' */
  destroy(shipNumber: number, index: number, reason: string): void {
    const { id } = this.#module
    if (typeof reason !== 'string') throw new BrokenModule('It destroys a ship without a reason.')
    const data = keepable({ by: id, reason }, `${id} ${DESTROYED}`)
    this.#add({ shipNumber, index, module: id, name: DESTROYED, data, text: reason })
  }

  /**
   * A pilot's rule is not carried out.
   *
   * @param command  of it, that is refused; without one the rule is disarmed
   */
  note(
    shipNumber: number,
    index: number,
    { name: rule, ruleId }: Pick<Rule, 'name' | 'ruleId'>,
    { message }: Error,
    command?: string,
  ): void {
    const { id: module } = this.#module
    const reason = message.replaceAll(/\p{Cc}/gu, ' ').slice(0, REASON_MAX)
    const [name, what] =
      command === undefined ? ['rule_disarmed', 'disarmed'] : ['rule_refused', 'refused']
    const data = { rule_id: ruleId, rule, ...(command !== undefined && { command }), reason }
    const text = `The rule “${rule}” is ${what}: ${reason}`
    this.#events.push({ shipNumber, index, module, name, data, text })
    this.keep()
  }

  #add(event: ModuleEvent): void {
    const before = this.#events.at(-IN_A_ROW_MAX)
    const isFull = this.#events.length - this.#kept >= IN_A_ROW_MAX
    if (isFull && before?.shipNumber === event.shipNumber) {
      throw new BrokenModule(`It has more than ${IN_A_ROW_MAX} events of one ship at once.`)
    }
    this.#events.push(event)
  }

  /** @returns those of the present call */
  keep(): readonly ModuleEvent[] {
    const fresh = this.#events.slice(this.#kept)
    this.#lost += this.#events.splice(EVENTS_MAX).length
    this.#kept = this.#events.length
    return fresh
  }

  undo(): void {
    this.#events.length = this.#kept
  }

  take(): { readonly events: readonly ModuleEvent[]; readonly lost: number } {
    const taken = { events: this.#events, lost: this.#lost }
    this.#events = []
    this.#kept = 0
    this.#lost = 0
    return taken
  }
}

function wordOf(value: ModuleBody[string] | undefined): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value ?? '')
}
