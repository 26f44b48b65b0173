import type { ModuleValues, OwnRow } from '@orrery/engine/modules'
import { type Load, QUANTA_PER_SECOND } from '@orrery/sim'
import type { Columns } from './column.ts'
import type { BeatContext, Bodies, ShipFacts } from './declaration.ts'
import { type GameModule, MODULES_MAX, columnsOf } from './define-module.ts'
import { Loads } from './host/columns/loads.ts'
import {
  BrokenModule,
  type ColumnMemory,
  HASHED_ROWS,
  columnMemories,
  rowView,
} from './host/columns/memory.ts'
import { Writes } from './host/columns/writes.ts'
import { valuesOf } from './host/views/views.ts'
import { ModuleError } from './module-error.ts'
import { turnAt } from './turn.ts'

/** What a module keeps of a ship. */
interface Kept {
  readonly id: string
  /** [kg] */
  readonly mass: number
  /** 0 to 1 */
  readonly thrust: number
  /** absent of one that does not run here */
  readonly flown?: Flown
  /** lattice index of the last claim that was taken to be granted */
  readonly claimedAt: number
  /** it has destroyed the ship, whose server knows more */
  readonly isOver?: true
}

interface Flown {
  readonly module: FlownModule
  /** that its pilot sees */
  readonly values: ModuleValues
}

/**
 * Modules for `openFlight({ modules })`, which runs their beats for the pilot's own ship; of one id
 * there may be several versions, for star systems that have them.
 *
 * Claims are taken to be granted in full. A module whose beat, mass or thrust limit needs what a
 * client does not have, `near`, `random` or a column for operators, does not run here: the server
 * sends its masses.
 *
 * @throws {ModuleError} 'ERR_BOUND' when there are more than a server can have
 */
export function flownModules(modules: readonly GameModule[]): FlownModules {
  return new FlownModules(modules)
}

class FlownModules {
  readonly #all: readonly FlownModule[]
  readonly #ids = new Set<string>()

  constructor(modules: readonly GameModule[]) {
    this.#all = modules.map((module) => new FlownModule(module))
    this.enter()
    const { size } = this.#ids
    if (size <= MODULES_MAX) return
    throw new ModuleError('ERR_BOUND', `A game has at most ${MODULES_MAX} modules, not ${size}.`)
  }

  /** Of those that run in the present star system. */
  get ids(): readonly string[] {
    return [...this.#ids]
  }

  /** Another star system may have other versions. */
  enter(): void {
    for (const { module } of this.#all) this.#ids.add(module.id)
  }

  rows(sent: readonly OwnRow[]): FlownRows {
    const kept = sent.map(({ mass, module: id, thrust, values, version }): Kept => {
      const before = { id, mass, thrust, claimedAt: -Infinity }
      if (!values || !this.#ids.has(id)) return before
      const given = this.#all.find(({ module }) => module.id === id && module.version === version)
      return this.#tried(before, () => given?.begin(before, values))
    })
    return new FlownRows(this, kept)
  }

  /** What a module keeps after a beat. */
  after(kept: Kept, ship: ShipFacts, index: number): Kept {
    const { flown, ...before } = kept
    if (!flown || !isBeating(kept)) return kept
    const { every = 1 } = flown.module.module.beat ?? {}
    if (ship.number % every !== turnAt(index, every)) return kept
    return this.#tried(before, () => flown.module.beat(kept, flown.values, ship, index))
  }

  /** A module that does what it cannot do here runs no more. */
  #tried(before: Kept, act: () => Partial<Kept> | undefined): Kept {
    try {
      const after = act()
      if (after) return { ...before, ...after }
    } catch {
      // Whatever it is, the server knows better.
    }
    this.#ids.delete(before.id)
    return before
  }
}

function isBeating({ flown, isOver }: Kept): boolean {
  const of = flown?.module.module.beat?.of
  return of !== undefined && !isOver && Boolean(flown?.values[of])
}

/** What modules keep of a ship; it never changes. */
class FlownRows {
  readonly #modules: FlownModules
  readonly #kept: readonly Kept[]

  constructor(modules: FlownModules, kept: readonly Kept[]) {
    this.#modules = modules
    this.#kept = kept
  }

  get ids(): readonly string[] {
    return this.#kept.filter(({ flown }) => flown).map(({ id }) => id)
  }

  get isBeating(): boolean {
    return this.#kept.some(isBeating)
  }

  get load(): Load {
    return {
      payload: this.#kept.reduce((sum, { mass }) => sum + mass, 0),
      thrust: this.#kept.reduce((part, { thrust }) => part * thrust, 1),
    }
  }

  valuesOf(id: string): ModuleValues {
    return this.#kept.find((one) => one.id === id)?.flown?.values ?? {}
  }

  claimedAt(id: string): number {
    return this.#kept.find((one) => one.id === id)?.claimedAt ?? -Infinity
  }

  after(ship: ShipFacts, index: number): { readonly rows: FlownRows; readonly isLoaded: boolean } {
    const kept = this.#kept.map((one) => this.#modules.after(one, ship, index))
    const isLoaded = kept.some(({ mass, thrust }, i) => {
      return mass !== this.#kept[i].mass || thrust !== this.#kept[i].thrust
    })
    return { rows: new FlownRows(this.#modules, kept), isLoaded }
  }
}

/** A module, and a row of columns that it is run with. */
class FlownModule {
  readonly module: GameModule
  readonly #columns: readonly ColumnMemory[]
  readonly #loads: Loads
  readonly #writes = new Writes()
  readonly #row: object
  readonly #context: BeatContext<Columns, Record<string, never>, Bodies>
  #ship: ShipFacts | undefined
  #index = 0
  #claims: (() => void)[] = []
  #isOver = false

  constructor(module: GameModule) {
    this.module = module
    const columns = columnsOf(module)
    const seen = Object.entries(columns).filter(([, { seenBy }]) => seenBy !== 'operator')
    const names = Object.keys(columns).filter((name) => !seen.some(([one]) => one === name))
    const hidden = Object.fromEntries(names.map((name) => [name, unknown]))
    this.#columns = columnMemories(Object.fromEntries(seen), HASHED_ROWS)
    this.#loads = new Loads(module, this.#columns, HASHED_ROWS, hidden)
    const facts = ['number', 'docked', 'station', 'thrust', 'fuel', 'fuelCapacity'] as const
    this.#row = rowView({ place: 0 }, this.#columns, this.#writes, () => true, {
      ...Object.fromEntries(facts.map((name) => [name, () => this.#ship?.[name]])),
      ...hidden,
    })
    const seconds = (): number => this.#index / QUANTA_PER_SECOND
    this.#context = {
      ship: this.#row as BeatContext<Columns, Record<string, never>, Bodies>['ship'],
      account: this.#row as BeatContext<Columns, Record<string, never>, Bodies>['account'],
      get seconds() {
        return seconds()
      },
      near: unknown,
      random: unknown,
      // Its events come from the server.
      emit: () => undefined,
      destroy: () => void (this.#isOver = true),
      claim: (_table, _row, _column, amount, settle) => {
        this.#claims.push(() => settle(amount))
      },
    }
  }

  /** @throws {BrokenModule} when these are no values of its columns */
  begin(kept: Kept, values: ModuleValues): Pick<Kept, 'flown'> {
    if (this.module.beat && !(this.module.beat.of in values)) unknown()
    this.#read(kept, values)
    return { flown: this.#flown() }
  }

  beat(kept: Kept, values: ModuleValues, ship: ShipFacts, index: number): Omit<Kept, 'id'> {
    this.#read(kept, values)
    this.#ship = ship
    this.#index = index
    this.#isOver = false
    this.#claims = []
    this.module.beat?.run(this.#context)
    for (const settle of this.#claims) settle()
    this.#loads.weigh(this.#writes)
    const hasClaimed = this.#claims.length > 0
    return {
      mass: this.#loads.mass(0),
      thrust: this.#loads.thrust(0),
      flown: this.#flown(),
      ...(this.#isOver
        ? { isOver: true, claimedAt: Infinity }
        : { claimedAt: hasClaimed ? index : kept.claimedAt }),
    }
  }

  #flown(): Flown {
    return { module: this, values: valuesOf(this.#columns, 0, 'pilot') }
  }

  #read(kept: Kept, values: ModuleValues): void {
    for (const name of new Set(this.#columns.map((one) => one.text ?? one.name))) {
      ;(this.#row as Record<string, unknown>)[name] = values[name]
    }
    this.#loads.put(0, kept)
    this.#writes.keep()
  }
}

/** For what a client does not know. */
function unknown(): never {
  throw new BrokenModule('It needs what is not known here.')
}
