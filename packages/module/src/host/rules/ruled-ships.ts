import { EngineError } from '@orrery/engine'
import type { ModuleRoom, ModuleRules, Rule, RuleCondition } from '@orrery/engine/modules'
import { CHUNK_SLOTS, FLYING, RULE_BITS, type ShipEvent } from '@orrery/sim'
import type { ColumnMemory } from '../columns/memory.ts'
import { beatAfter } from '../events/due-events.ts'
import type { RunningModule } from '../running/running-module.ts'
import { type Obedience, obey } from './obedience.ts'
import { columnIn, namesRow, requireRule } from './rule-check.ts'

/** A condition of a rule on a column. */
interface Watched {
  readonly bit: number
  readonly condition: RuleCondition
  readonly running: RunningModule | undefined
  readonly memory: ColumnMemory | undefined
}

interface RuledShip {
  readonly number: number
  /** of all its rules of modules */
  readonly bits: number
  readonly watched: readonly Watched[]
}

interface Required {
  /** @throws {EngineError} 'ERR_MODULE_UNKNOWN' */
  require(this: void, id: string): RunningModule
}

/** The ships of a star system that have rules of modules. */
export class RuledShips implements ModuleRules {
  readonly #room: ModuleRoom
  readonly #all: readonly RunningModule[]
  readonly #require: Required['require']
  readonly #obedience: Obedience
  /** in the order of their numbers */
  #ships: readonly RuledShip[] = []
  /** ids of the modules whose commands they order */
  #ordered: ReadonlySet<string> = new Set()
  /** of the rules, when the ships were listed */
  #changes = -1
  /** by slot */
  readonly #interventions = new Map<number, number>()

  /** @param all  modules that the system has, now and later */
  constructor(
    room: ModuleRoom,
    all: readonly RunningModule[],
    { calls, require, tanks }: Pick<Obedience, 'calls' | 'tanks'> & Required,
  ) {
    this.#room = room
    this.#all = all
    this.#require = require
    this.#obedience = { calls, room, tanks, onObeyed: (slot) => this.#intervene(slot) }
  }

  requireRule(rule: Rule): void {
    for (const id of [rule.condition.module, rule.command?.module]) {
      if (id !== undefined) requireRule(this.#require(id).module, rule)
    }
  }

  namesRow({ command }: Rule): boolean {
    const { module } = this.#all.find((one) => one.module.id === command?.module) ?? {}
    return module !== undefined && command !== undefined && namesRow(module, command)
  }

  /** Whether a rule orders a command of a module. */
  isOrdering(id: string): boolean {
    this.#update()
    return this.#ordered.has(id)
  }

  /** Notes the commands that rules order which have fired. */
  order({ distance: bits, index, shipNumber }: ShipEvent): void {
    const { modular, ofShip } = this.#room.rules
    if (!modular.has(shipNumber)) return
    for (const [place, { command: ordered, ruleId }] of ofShip.get(shipNumber)?.entries() ?? []) {
      if (!ordered || (Math.abs(bits) & RULE_BITS[place]) === 0) continue
      const { body, command, module } = ordered
      const due = { shipNumber, ruleId, index, beat: beatAfter(index), command, body }
      this.#all.find((one) => one.module.id === module)?.ordered.add(due)
    }
  }

  /** Carries out the commands of a beat that rules have ordered, module by module. */
  obey(beat: number): void {
    for (const running of this.#all) obey(this.#obedience, running, beat)
  }

  /** Sets `chunkMeets` of chunks whose ships have armed rules or due commands; false without. */
  mark(chunkMeets: Uint8Array): boolean {
    this.#update()
    const { roster, state } = this.#room
    let isMarked = false
    const mark = (number: number, bits?: number): void => {
      const { slot } = roster.byNumber.get(number) ?? {}
      if (slot === undefined) return
      if (bits !== undefined && (state.ships.ruleArmed[slot] & bits) === 0) return
      chunkMeets[Math.floor(slot / CHUNK_SLOTS)] = 1
      isMarked = true
    }
    for (const { bits, number } of this.#ships) mark(number, bits)
    for (const { ordered } of this.#all) {
      for (const { shipNumber } of ordered.waiting) mark(shipNumber)
    }
    return isMarked
  }

  /** Lets the rules fire whose columns fulfil a condition at a beat, and did not before. */
  check(beat: number): void {
    this.#update()
    const { roster, state } = this.#room
    const { condition, ruleArmed, ruleHeld } = state.ships
    for (const { number, watched } of this.#ships) {
      const entry = roster.byNumber.get(number)
      if (!entry || condition[entry.slot] !== FLYING) continue
      const { slot } = entry
      let known = 0
      let held = 0
      for (const one of watched) {
        if ((ruleArmed[slot] & one.bit) === 0) continue
        known |= one.bit
        if (isFulfilled(one, slot)) held |= one.bit
      }
      if ((ruleHeld[slot] & known) === held) continue
      this.#intervene(slot)
      this.#room.noteHeld(slot, beat, known, held)
    }
  }

  holds(slot: number, condition: RuleCondition): boolean {
    return isFulfilled(this.#watch(condition, 0), slot)
  }

  /** Disarms rules that name a module whose version has no use for them. */
  disarmUnfit(running: RunningModule, index: number): void {
    this.#changes = -1
    const { roster, rules, state } = this.#room
    for (const number of [...rules.modular].toSorted((a, b) => a - b)) {
      const entry = roster.byNumber.get(number)
      if (!entry) continue
      let bits = 0
      for (const [place, rule] of rules.ofShip.get(number)?.entries() ?? []) {
        const bit = RULE_BITS[place]
        const isArmed = (state.ships.ruleArmed[entry.slot] & bit) !== 0
        const fault = isArmed ? faultOf(running, rule) : undefined
        if (!fault) continue
        bits |= bit
        running.events.note(number, index, rule, fault)
      }
      if (bits !== 0) this.#room.disarm(entry.slot, index, bits)
    }
  }

  interventions(slot: number): number {
    return this.#interventions.get(slot) ?? 0
  }

  /** A client that flies the ship could not foresee what happens now. */
  #intervene(slot: number): void {
    this.#interventions.set(slot, this.interventions(slot) + 1)
  }

  /** Lists the ships again where rules have changed. */
  #update(): void {
    const { changes, modular, ofShip } = this.#room.rules
    if (this.#changes === changes) return
    this.#changes = changes
    const ordered = new Set<string>()
    this.#ships = [...modular]
      .toSorted((a, b) => a - b)
      .map((number) => {
        const watched: Watched[] = []
        let bits = 0
        for (const [place, { command, condition }] of ofShip.get(number)?.entries() ?? []) {
          if (command) ordered.add(command.module)
          if (command ?? condition.module) bits |= RULE_BITS[place]
          if (condition.kind !== 'module') continue
          watched.push(this.#watch(condition, RULE_BITS[place]))
        }
        return { number, bits, watched }
      })
    this.#ordered = ordered
  }

  #watch(condition: RuleCondition, bit: number): Watched {
    const running = this.#all.find(({ module }) => module.id === condition.module)
    return { bit, condition, running, memory: running && columnIn(running, condition) }
  }
}

function isFulfilled({ condition, memory, running }: Watched, slot: number): boolean {
  if (!memory || running?.stopped) return false
  const { above, below } = condition
  const value = memory.values[slot]
  return above === undefined ? value <= (below ?? NaN) : value >= above
}

function faultOf({ module }: RunningModule, rule: Rule): EngineError | undefined {
  try {
    requireRule(module, rule)
    return undefined
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
}
