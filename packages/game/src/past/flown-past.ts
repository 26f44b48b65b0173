import type { Database } from '@orrery/database'
import { type Mirror, type Universe, createReplay, imageClock, universeImage } from '@orrery/engine'
import type { GameModules } from '@orrery/engine/modules'
import { BLOCK_QUANTA } from '@orrery/sim'
import { journal, snapshots } from '@orrery/store'
import { FollowedSystem } from '../following/followed-system.ts'
import { NO_THREADS } from '../no-threads.ts'
import { refusal } from '../refusal.ts'
import { openStored } from '../world/stored-universe.ts'
import { KeptImages } from './kept-images.ts'
import { type PastSpan, pastSpan } from './past-span.ts'

/** Flight between two looks at the digests: 512 s. */
const STRIDE_QUANTA = 8 * BLOCK_QUANTA

export interface FlownPastOptions {
  readonly sql: Database['sql']
  readonly systemId: string
  readonly shipsMax: number
  readonly modules?: GameModules | undefined
  /** shows the moment that was flown to */
  readonly mirror: Pick<Mirror, 'opened' | 'flight' | 'reached'>
  /** called on the way */
  readonly onStride: (reading: PastReading) => void
}

/** How far a flight through the past has come, and what its digests say. */
export interface PastReading {
  /** lattice indices: where it is, and between which it can be */
  readonly index: number
  readonly from: number
  readonly to: number
  /** digests that were compared with the recorded ones, and those of them that are equal */
  readonly compared: number
  readonly equal: number
}

/** A star system's past, flown again from stored worlds by its journal. */
export interface FlownPast {
  /**
   * Flies to a past moment, also back to an earlier one; one flight at a time.
   *
   * @param index  lattice index
   * @throws {Refusal | FollowerError} as `pastSpan`, and at a row that cannot be flown
   */
  flyTo(index: number): Promise<PastReading>
}

export function createFlownPast(options: FlownPastOptions): FlownPast {
  return new JournalPast(options)
}

/** A world in memory or in the database. */
interface Beginning {
  readonly lattice: number
  readonly sequence: number
  readonly load: () => Promise<Parameters<typeof openStored>[0] | undefined>
}

interface Flown {
  readonly universe: Universe
  readonly system: FollowedSystem
}

class JournalPast implements FlownPast {
  readonly #options: FlownPastOptions
  readonly #images = new KeptImages(2 * STRIDE_QUANTA)
  /** whether it was equal, by its index */
  readonly #digests = new Map<number, boolean>()
  #era: number | undefined
  #flown: Flown | undefined
  #equal = 0

  constructor(options: FlownPastOptions) {
    this.#options = options
  }

  async flyTo(index: number): Promise<PastReading> {
    const { mirror, sql, systemId } = this.#options
    const span = await pastSpan(sql, { systemId, index })
    this.#era ??= span.era
    if (span.era !== this.#era) {
      throw refusal('E003', 'The world has been replaced: look back again', 409)
    }
    const flown = await this.#begun(span, index)
    await mirror.flight(() => this.#fly(flown, span, index))
    mirror.reached({
      era: span.era,
      index,
      remainder: ['0', '1'],
      tick: 0,
      tickRate: 1,
      timeScale: 1,
      paused: true,
      ageSeconds: 0,
    })
    return this.#reading(span, index)
  }

  async #fly({ system, universe }: Flown, span: PastSpan, index: number): Promise<void> {
    const { onStride, sql } = this.#options
    while (system.index < index) {
      const end = (Math.floor(system.index / STRIDE_QUANTA) + 1) * STRIDE_QUANTA
      const to = Math.min(end, index)
      if (!(await system.flyUntil(sql, to))) throw refusal('E003', 'The journal ends before', 409)
      await this.#compare(system)
      if (this.#images.isDue(to)) {
        const clock = imageClock({ index: to, remainder: ['0', '1'] })
        const image = universeImage(universe, clock, 0)
        this.#images.add({ lattice: to, sequence: system.sequence, image })
      }
      onStride(this.#reading(span, to))
    }
    await this.#compare(system)
  }

  async #compare(system: FollowedSystem): Promise<void> {
    const { sql } = this.#options
    for (const { index, digest, kept } of await system.compared(journal(sql))) {
      if (this.#digests.has(index)) continue
      this.#digests.set(index, digest === kept)
      if (digest === kept) this.#equal++
    }
  }

  #reading({ from, to }: PastSpan, index: number): PastReading {
    return { index, from, to, compared: this.#digests.size, equal: this.#equal }
  }

  /** The world that is nearest before a moment: where it is now, one in memory, or a stored one. */
  async #begun({ era, stored }: PastSpan, index: number): Promise<Flown> {
    const { sql, systemId } = this.#options
    const records = snapshots(sql)
    const beginnings: Beginning[] = stored.map(({ id, lattice, sequences }) => ({
      lattice,
      sequence: sequences[systemId],
      load: () => records.byId(id),
    }))
    const kept = this.#images.before(index)
    if (kept) {
      const { image, lattice, sequence } = kept
      const header = JSON.parse(JSON.stringify(image.header))
      const load: Beginning['load'] = async () => ({ lattice, header, bytes: image.bytes })
      beginnings.push({ lattice, sequence, load })
    }
    const present = this.#flown
    for (const beginning of beginnings.toSorted((a, b) => b.lattice - a.lattice)) {
      const at = present?.system.index ?? Infinity
      if (present && at <= index && at >= beginning.lattice) return present
      const opened = await this.#open(era, beginning)
      // A system of another host may be ahead of the rest of a stored world.
      if (opened && opened.system.index <= index) return (this.#flown = opened)
    }
    throw refusal('E003', 'No stored world before that moment opens', 409)
  }

  async #open(era: number, { sequence, load }: Beginning): Promise<Flown | undefined> {
    const { mirror, systemId } = this.#options
    const stored = await load()
    if (!stored) return undefined
    const { universe } = await openStored(stored, this.#options, systemId)
    mirror.opened({ universe, pool: NO_THREADS })
    const [world] = universe.worlds
    const onDigest: Parameters<typeof createReplay>[0]['onDigest'] = (made) => system.made(made)
    const { apply, flyTo } = createReplay({ world, pool: undefined, onDigest })
    const flight = { index: () => world.index, apply, flyTo }
    const system = new FollowedSystem({ era, systemId }, flight, sequence)
    return { universe, system }
  }
}
