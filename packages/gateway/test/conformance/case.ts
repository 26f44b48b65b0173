// A case of the interface as data: which rows it shows, what is asked, what must come.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DESIGN_ROWS } from './design-rows.ts'
import { envelope } from './shapes.ts'
import type { SPEC_ROWS } from './spec-rows.ts'
import type { Loose, World } from './world.ts'

/** A row of the interface, or after `design:` one of our own decisions. */
export type Row = keyof typeof SPEC_ROWS | `design:${keyof typeof DESIGN_ROWS}`

/** One request and its answer. */
export interface RequestCase {
  readonly rows: readonly Row[]
  readonly title: string
  /**
   * Method, path and, when it has one, body. In both, `{player}`, `{ship}` and `{chief}` stand for
   * the ids of the standing player and admin, `{nobody}` for a UUID that nothing has.
   */
  readonly ask: readonly [method: string, path: string, body?: unknown]
  readonly as?: 'chief' | 'player' | undefined
  readonly status: number
  /** of a refusal */
  readonly code?: unknown
  /** exact, of a success */
  readonly body?: unknown
}

/** More than one request. */
export interface ScriptCase {
  readonly rows: readonly Row[]
  readonly title: string
  readonly script: (world: World) => Promise<void>
}

export type Case = RequestCase | ScriptCase

/** Cases of one section of the interface. */
export interface Section {
  readonly name: string
  readonly cases: readonly Case[]
}

/** Makes a test of each case. */
export function runSection({ name, cases }: Section, world: () => World): void {
  describe(`section ${name}`, () => {
    for (const item of cases) {
      test(`${item.rows[0]}: ${item.title}`, async () => {
        if ('script' in item) {
          await scripted(item, world())
          return
        }
        const { status, code, body } = item
        expect(await asked(item, world())).toEqual({
          status,
          type: 'application/json',
          body: code === undefined ? body : envelope(code),
        })
      })
    }
  })
}

async function scripted({ script }: ScriptCase, world: World): Promise<void> {
  try {
    await script(world)
  } catch (failure) {
    await world.calm()
    throw failure
  } finally {
    await world.hangUpAll()
  }
}

async function asked(
  { ask, as }: RequestCase,
  world: World,
): Promise<{ status: number; type: string | undefined; body: Loose }> {
  const [method, path, body] = ask
  const token = as === 'chief' ? world.chief.token : as && world.ida.token
  const answer = await world.ask(method, filled(path, world), {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { text: filled(JSON.stringify(body), world) }),
  })
  const type = answer.headers.get('content-type')?.split(';')[0]
  return { status: answer.status, type, body: answer.body }
}

function filled(text: string, { ida, chief }: World): string {
  return text
    .replaceAll('{player}', ida.player_id)
    .replaceAll('{ship}', ida.ship_id)
    .replaceAll('{chief}', chief.admin_id)
    .replaceAll('{nobody}', randomUUID())
}
