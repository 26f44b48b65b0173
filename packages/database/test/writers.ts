// Twenty writers that go on whatever happens, and what must be there afterwards.
import { setTimeout } from 'node:timers/promises'
import { type Database, isAway } from '../src/index.ts'

export interface Writers {
  readonly acknowledged: readonly number[]
  readonly errors: readonly unknown[]
  /** Stops them; what was acknowledged and is gone, and errors other than that it is away. */
  stopped(): Promise<{ readonly lost: number[]; readonly faults: unknown[] }>
}

export async function startWriters({ sql }: Database): Promise<Writers> {
  await sql`create table entry (n int primary key)`
  const acknowledged: number[] = []
  const errors: unknown[] = []
  const over = new AbortController()
  let n = 0
  const write = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const mine = (n += 1)
      try {
        await sql`insert into entry values (${mine})`
        acknowledged.push(mine)
      } catch (error) {
        errors.push(error)
        await setTimeout(5)
      }
    }
  }
  const writers = Array.from({ length: 20 }, write)
  return {
    acknowledged,
    errors,
    async stopped() {
      over.abort()
      await Promise.all(writers)
      const kept = new Set((await sql<{ n: number }[]>`select n from entry`).map((row) => row.n))
      return {
        lost: acknowledged.filter((entry) => !kept.has(entry)),
        faults: errors.filter((error) => !isAway(error)),
      }
    },
  }
}
