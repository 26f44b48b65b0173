// A case of the interface as data: the rows it covers, the request, and the expected answer.
import { randomUUID } from 'node:crypto'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'
import { type DESIGN_ROWS, SPEC_ROWS } from './rows.ts'
import { envelope } from './shapes.ts'
import type { World } from './world.ts'

/** A row of the interface, or after `design:` one of our own decisions. */
export type Row = keyof typeof SPEC_ROWS | `design:${keyof typeof DESIGN_ROWS}`

/** One request and its answer. */
export interface RequestCase {
  readonly rows: readonly Row[]
  /** by default the request and its answer */
  readonly title?: string
  /**
   * Method, path and, when it has one, body. In both, `{player}`, `{ship}` and `{chief}` stand for
   * the ids of the standing player and admin, `{unknown}` for a UUID that nothing has.
   */
  readonly ask: readonly [method: string, path: string, body?: unknown]
  /** by default the first admin on admin routes and the standing player on a player's own */
  readonly as?: 'chief' | 'player' | 'stranger'
  /** the status, and the code of a refusal, such as `400 E012` */
  readonly answer: string
  /** exact, unless the answer has a code */
  readonly body?: unknown
}

/** More than one request. */
export interface ScriptCase {
  readonly rows: readonly Row[]
  readonly title: string
  /** it costs much, and another test of the gate has its plain form */
  readonly isOfNight?: boolean
  readonly script: (world: World) => Promise<void>
}

export type Case = RequestCase | ScriptCase

/** Cases of one section of the interface. */
export interface Section {
  readonly name: string
  readonly cases: readonly Case[]
}

/** One case for each value. */
export function casesOf<const T>(values: readonly T[], caseOf: (value: T) => Case): Case[] {
  return values.map(caseOf)
}

/** The rows of the fields of a shape, such as `gate/name`. */
export function fieldRows(record: string, shape: object): Row[] {
  const rows = Object.keys(shape).map((field) => `${record}/${field}`)
  return rows.filter((row): row is keyof typeof SPEC_ROWS => row in SPEC_ROWS)
}

/** Makes a test of each case. */
export function runSection({ name, cases }: Section, world: () => World): void {
  describe(`section ${name}`, () => {
    for (const item of cases) {
      const title = 'script' in item ? item.title : (item.title ?? shown(item))
      const isOfNight = 'isOfNight' in item && item.isOfNight
      test.runIf(IS_NIGHT || !isOfNight)(`${item.rows[0]}: ${title}`, async () => {
        if ('script' in item) {
          await scripted(item, world())
          return
        }
        const [status, code] = item.answer.split(' ')
        expect(await asked(item, world())).toEqual({
          status: Number(status),
          type: 'application/json',
          body: code === undefined ? item.body : envelope(code),
        })
      })
    }
  })
}

function shown({ ask: [method, path, body], as, answer }: RequestCase): string {
  const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`
  return `${method} ${path}${sent}${as ? ` as ${as}` : ''} is ${answer}`
}

async function scripted({ script }: ScriptCase, world: World): Promise<void> {
  try {
    await script(world)
  } catch (failure) {
    await world.calm()
    throw failure
  } finally {
    await world.closeAll()
  }
}

async function asked({ ask, as = userOf(ask[1]) }: RequestCase, world: World): Promise<object> {
  const [method, path, body] = ask
  const tokens = { chief: world.chief.token, player: world.ida.token, stranger: undefined }
  const answer = await world.ask(method, filled(path, world), {
    token: tokens[as],
    text: body === undefined ? undefined : filled(JSON.stringify(body), world),
  })
  const type = answer.headers.get('content-type')?.split(';')[0]
  return { status: answer.status, type, body: answer.body }
}

function userOf(path: string): 'chief' | 'player' | 'stranger' {
  if (/^\/api\/admin\/(?!auth\/|login)/.test(path)) return 'chief'
  return /^\/api\/(?:account|player)/.test(path) ? 'player' : 'stranger'
}

function filled(text: string, { ida, chief }: World): string {
  return text
    .replaceAll('{player}', ida.player_id)
    .replaceAll('{ship}', ida.ship_id)
    .replaceAll('{chief}', chief.admin_id)
    .replaceAll('{unknown}', randomUUID())
}
