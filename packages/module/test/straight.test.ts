// Law: a beat that is not watched comes to its end. Method: sources of modules, some of which hang
// in ways that no loop shows; those that are shipped need no watchdog.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { straightModules } from '../src/host/straight.ts'

interface Beside {
  readonly before?: string
  readonly parts?: string
  readonly given?: string
}

/** Whether a module is straight whose beat has a statement, beside what else is written. */
function isStraight(
  statement: string,
  { before = '', parts = '', given = 'claim, ship' }: Beside = {},
): boolean {
  return straightModules(`import { defineModule, v } from '@orrery/module'
${before}
export const one = defineModule({
  id: 'one',
  ${parts}
  beat: { of: 'on', run({ ${given} }) { ${statement} } },
})`).has('one')
}

test.each(['src/mining', 'src/missions', 'examples/beacons'])('%s', (name) => {
  const source = readFileSync(new URL(`../${name}.ts`, import.meta.url), 'utf8')
  const [, id] = name.split('/')
  expect([...straightModules(stripTypeScriptTypes(source))]).toEqual([id])
})

test.each<[string, Beside?]>([
  ['ship.ore = Math.min(ship.ore + RATE, 7)', { before: 'const RATE = 8' }],
  ["claim('pit', 1, 'ore', 2, (got) => { ship.ore += got })"],
  ["if (!ship.on) throw refusal('off', { ore: ship.ore })"],
  ["emit('dug', {})", { given: 'emit', parts: 'events: { dug: { body: v.object({}) } },' }],
])('ends: %s', (statement, beside) => {
  expect(isStraight(statement, beside)).toBe(true)
})

const LOOP = '{ for (;;); }'

test.each<[string, Beside?]>([
  ['for (;;) ship.ore = 1'],
  ['while (true) ship.ore = 1'],
  ['help()', { before: `function help() ${LOOP}` }],
  ["claim('pit')", { before: `const claim = () => ${LOOP}`, given: 'ship' }],
  ['ship.ore = Math.max(1, 2)', { before: `const Math = { max() ${LOOP} }` }],
  ["throw refusal('no')", { before: `function refusal() ${LOOP}` }],
  ['ship.ore = +EVIL', { before: `const EVIL = { valueOf() ${LOOP} }` }],
  ['ship.ore = +{ valueOf: () => ship.ore }'],
  ['const again = () => again(); ship.ore = 1'],
  ['const { claim } = ship; claim()', { given: 'ship' }],
  ['ship.ore = ship["ore"]'],
  ["'x'.repeat(1e9)"],
  ['new Array(1e9).fill(0)'],
  ['ship.name = `${ship}`'],
  [
    "emit('dug', {})",
    { given: 'emit', parts: `events: { dug: { body: v.custom(() => ${LOOP}) } },` },
  ],
  ['ship.ore = 1', { parts: `mass: ({ ore }) => ${LOOP},` }],
])('is watched: %s', (statement, beside) => {
  expect(isStraight(statement, beside)).toBe(false)
})
