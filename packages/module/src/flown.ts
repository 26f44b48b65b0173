import type { ModuleValues, OwnRow } from '@orrery/engine/modules'
import { type Load, QUANTA_PER_SECOND } from '@orrery/sim'
import type { Columns } from './column.ts'
import type { BeatContext, Bodies, ShipFacts } from './declaration.ts'
import type { GameModule } from './define-module.ts'
import { Loads } from './host/columns/loads.ts'
import {
  BrokenModule,
  type ColumnMemory,
  HASHED_ROWS,
  type RowView,
  Writes,
  columnMemories,
  rowView,
} from './host/columns/memory.ts'
import { valuesOf } from './host/views/views.ts'

/** What a module keeps of a ship. */
interface Kept {
  readonly module: string
  /** [kg] */
  readonly mass: number
  /** 0 to 1 */
  readonly thrust: number
  /** absent of a module that does not run here */
  readonly values?: ModuleValues
  /** lattice index of the last claim that was taken to be granted */
  readonly claimedAt: number
  /** it has destroyed the ship, whose server knows more */
  readonly isOver?: true
}

/**
 * Modules for `openFlight({ modules })`, which runs their beats for the pilot's own ship.
 *
 * Claims are taken to be granted in full. A module whose beat needs what a client does not have,
 * `near`, `random` or a column for operators, does not run here: the server sends its masses.
 */
export function flownModules(modules: readonly GameModule[]): FlownModules {
  return new FlownModules(modules)
}

class FlownModules {
  readonly #flown: Map<string, FlownModule>

  constructor(modules: readonly GameModule[]) {
    this.#flown = new Map(modules.map((module) => [module.id, new FlownModule(module)]))
  }

  /** Ids of those that run here. */
  get ids(): readonly string[] {
    return [...this.#flown.keys()]
  }

  rows(sent: readonly OwnRow[]): FlownRows {
    const kept = sent.map(({ mass, module, thrust, values, version }): Kept => {
      const flown = this.#flown.get(module)
      const before = { module, mass, thrust, claimedAt: -Infinity }
      if (!flown || !values) return before
      const isSame = flown.module.version === version
      return this.#tried(before, () => (isSame ? flown.begin(before, values) : undefined))
    })
    return new FlownRows(this, kept)
  }

  isBeating({ isOver, module, values }: Kept): boolean {
    if (!values || isOver) return false
    const of = this.#flown.get(module)?.module.beat?.of
    return of !== undefined && Boolean(values[of])
  }

  /** What a module keeps after a beat. */
  after(kept: Kept, ship: ShipFacts, index: number): Kept {
    const flown = this.#flown.get(kept.module)
    if (!flown || !this.isBeating(kept)) return kept
    const { values: _, ...before } = kept
    return this.#tried(before, () => flown.beat(kept, ship, index))
  }

  /** A module that does what it cannot do here runs no more. */
  #tried(kept: Kept, act: () => Partial<Kept> | undefined): Kept {
    try {
      const after = act()
      if (after) return { ...kept, ...after }
    } catch {
      // Whatever it is, the server knows better.
    }
    this.#flown.delete(kept.module)
    return kept
  }
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
    return this.#kept.filter(({ values }) => values).map(({ module }) => module)
  }

  get isBeating(): boolean {
    return this.#kept.some((one) => this.#modules.isBeating(one))
  }

  get load(): Load {
    return {
      payload: this.#kept.reduce((sum, { mass }) => sum + mass, 0),
      thrust: this.#kept.reduce((part, { thrust }) => part * thrust, 1),
    }
  }

  valuesOf(id: string): ModuleValues {
    return this.#kept.find(({ module }) => module === id)?.values ?? {}
  }

  claimedAt(id: string): number {
    return this.#kept.find(({ module }) => module === id)?.claimedAt ?? -Infinity
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
  readonly #row: RowView
  readonly #context: BeatContext<Columns, Record<string, never>, Bodies>
  #ship: ShipFacts | undefined
  #index = 0
  #claims: (() => void)[] = []
  #isOver = false

  constructor(module: GameModule) {
    this.module = module
    const seen = Object.entries(module.ship).filter(([, { seenBy }]) => seenBy !== 'operator')
    const hidden = Object.keys(module.ship).filter((name) => !seen.some(([one]) => one === name))
    this.#columns = columnMemories(Object.fromEntries(seen), HASHED_ROWS)
    this.#loads = new Loads(module, this.#columns, HASHED_ROWS)
    const facts = ['number', 'docked', 'station', 'thrust', 'fuel', 'fuelCapacity'] as const
    this.#row = rowView(this.#columns, this.#writes, () => true, {
      ...Object.fromEntries(facts.map((name) => [name, () => this.#ship?.[name]])),
      ...Object.fromEntries(hidden.map((name) => [name, unknown])),
    })
    this.#row.aim(0)
    const seconds = (): number => this.#index / QUANTA_PER_SECOND
    this.#context = {
      ship: this.#row.view as BeatContext<Columns, Record<string, never>, Bodies>['ship'],
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
  begin(kept: Kept, values: ModuleValues): Pick<Kept, 'values'> {
    if (this.module.beat && !(this.module.beat.of in values)) unknown()
    this.#read(kept, values)
    return { values: valuesOf(this.#columns, 0, 'pilot') }
  }

  beat(kept: Kept, ship: ShipFacts, index: number): Omit<Kept, 'module'> {
    this.#read(kept, kept.values ?? {})
    this.#ship = ship
    this.#index = index
    this.#isOver = false
    this.#claims = []
    this.module.beat?.run(this.#context)
    for (const settle of this.#claims) settle()
    this.#loads.weigh(this.#writes)
    this.#loads.take()
    const hasClaimed = this.#claims.length > 0
    return {
      mass: this.#loads.mass(0),
      thrust: this.#loads.thrust(0),
      values: valuesOf(this.#columns, 0, 'pilot'),
      ...(this.#isOver
        ? { isOver: true, claimedAt: Infinity }
        : { claimedAt: hasClaimed ? index : kept.claimedAt }),
    }
  }

  #read(kept: Kept, values: ModuleValues): void {
    for (const name of new Set(this.#columns.map((one) => one.text ?? one.name))) {
      ;(this.#row.view as Record<string, unknown>)[name] = values[name]
    }
    this.#loads.put(0, kept)
    this.#writes.keep()
  }
}

/** For what a client does not know. */
function unknown(): never {
  throw new BrokenModule('It needs what is not known here.')
}
