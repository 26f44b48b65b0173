/**
 * Law: the checks of the code itself can fail. Goal: each rule finds the smallest offence
 * against it, and passes the nearest innocent line.
 */
import { expect, it } from 'vitest'
import { withPicture } from '../../checks/arrows.ts'
import { textFindings } from '../../checks/page-texts.ts'
import { pathFindings } from '../../checks/readme-paths.ts'
import { crowdedFolders, tidy } from '../../checks/tidy.ts'

const SIM = 'packages/sim/src/orbit.ts'
const PAGE = 'packages/web/src'
const ENGINE = 'packages/engine/src'

it.each([
  ['an arrow upwards', 'packages/sim/src/a.ts', `import { x } from '@orrery/engine'`, /may not/],
  ['an arrow sideways', 'packages/store/src/a.ts', `import { x } from '@orrery/http'`, /may not/],
  ['a package without a row', 'packages/new/src/a.ts', '', /no row/],
  ['a path across packages', 'packages/http/src/a.ts', `from '../../sim/src/x.ts'`, /by name/],
  ['a path into tests', 'packages/http/test/a.ts', `from '../../sim/test/x.ts'`, /by name/],
  ['a bench in tests', 'bench/a.ts', `from '../packages/sim/test/x.ts'`, /by name/],
  ['a script in a package', 'scripts/b/a.ts', `from '../../packages/sim/src/x.ts'`, /by name/],
  ['a type across packages', 'scripts/a.ts', `import('../packages/sim/src/x.ts')`, /by name/],
  ['a panel in a picture', `${PAGE}/scene/a.ts`, `import { x } from '../frame/b.tsx'`, /may not/],
  ['a picture in maths', `${PAGE}/space/a.ts`, `import type { x } from '../game/b.ts'`, /may not/],
  ['a side effect upwards', `${PAGE}/page/a.ts`, `import '../frame/b.css'`, /may not/],
  ['a tick in a world', `${ENGINE}/world/a.ts`, `import { x } from '../pool/b.ts'`, /may not/],
  [
    'insides of the engine',
    'packages/game/src/a.ts',
    `from '@orrery/engine/testing'`,
    /only tests/,
  ],
  [
    'a file above all folders',
    `${ENGINE}/pool/a.ts`,
    `import { x } from '../engine.ts'`,
    /may not/,
  ],
  ['a folder without a layer', `${ENGINE}/attic/a.ts`, '', /not one of the layers/],
  ['a sine', SIM, 'const a = Math.sin(b)', /Math\.sin/],
  ['a power', SIM, 'const a = b ** 2', /\*\*/],
  ['a clock', SIM, 'const a = Date.now()', /clock/],
  ['a clock of its own', 'packages/store/src/a.ts', 'const a = new Date()', /argument/],
  ['a 32-bit operator', SIM, 'const a = n >> 2', /32-bit/],
  ['a truncation by or', SIM, 'const a = n | 0', /32-bit/],
  ['a matrix function with trigonometry', SIM, 'vec3.rotateX(a, b, c, d)', /gl-matrix rotateX/],
  ['a long line', 'bench/a.ts', `// ${'x'.repeat(98)}`, /101 columns/],
  ['a long file', 'bench/a.ts', 'x\n'.repeat(401), /401 lines/],
  ['a leftover', 'bench/a.ts', ['// TO', 'DO'].join(''), /leftover/],
])('finds %s', (_, file, text, message) => {
  expect(tidy(file, text).map((finding) => finding.message)).toEqual([
    expect.stringMatching(message),
  ])
})

it.each([
  ['an arrow down', 'packages/engine/src/a.ts', `import { x } from '@orrery/sim'`],
  ['a path into its own tests', 'packages/http/test/a/b.ts', `from '../../src/x.ts'`],
  ['insides of the engine in a test', 'packages/game/test/a.ts', `from '@orrery/engine/testing'`],
  ['insides of the engine in a bench', 'bench/a.ts', `from '@orrery/engine/testing'`],
  ['a script that a bench shares', 'bench/a.ts', `from '../scripts/x.ts'`],
  ['a panel of a picture', `${PAGE}/frame/a.tsx`, `import type { x } from '../scene/b.ts'`],
  ['a file below all folders', `${ENGINE}/time/a.ts`, `import { x } from '../engine-error.ts'`],
  ['a page by its start', `${PAGE}/main.ts`, `import { x } from './frame/b.tsx'`],
  ['exact arithmetic', SIM, 'const a = Math.sqrt(Math.max(b * b, 0)) % 2'],
  ['a union of types', SIM, "export type Code = 'a' | 'b'"],
  ['a square in a comment', SIM, '// r ** 2 and Math.sin(x)'],
  ['logical operators', SIM, 'if (a || b && c) return'],
  ['hashing where it belongs', 'packages/sim/src/state/digest.ts', 'a = (b << 13) | (b >>> 19)'],
])('lets %s be', (_, file, text) => {
  expect(tidy(file, text)).toEqual([])
})

it('finds paths that do not exist, from the root in code and beside the text in links', () => {
  const text = 'See `packages/sim/src/lattice.ts`, [it](lattice.ts) and `packages/sim/gone.ts`.'
  const exists = (path: string): boolean => path === 'packages/sim/src/lattice.ts'
  const found = pathFindings('packages/sim/README.md', text, exists)
  expect(found.map(({ message }) => message)).toEqual([
    'packages/sim/lattice.ts does not exist',
    'packages/sim/gone.ts does not exist',
  ])
})

it('draws the arrows that no others imply', () => {
  const empty = 'a\n<!-- Drawn by `node scripts/checks/tidy.ts --write`. -->\n<!-- /picture -->\nb'
  const drawn = withPicture(empty)
  expect(drawn).toContain('  gateway --> module & game & http\n')
  expect(drawn).not.toContain('gateway --> sim')
  expect(withPicture(drawn)).toBe(drawn)
  expect(() => withPicture('no place')).toThrow('no place for the picture')
})

const TABLE = 'packages/web/src/languages/de-page.ts'

function texts(code: string, rows: string): string[] {
  const sources = new Map([
    [`${PAGE}/frame/a.tsx`, code],
    [TABLE, `export const A = {${rows}}`],
  ])
  return textFindings(sources).map(({ message }) => message)
}

it.each([
  ['a text of an element', `<p>Fly there</p>`, '', /not said: Fly there/],
  ['a text on two lines', `<p>Fly\nthere</p>`, '', /not said: Fly there/],
  ['a label', `<p aria-label="map" />`, '', /not said: map/],
  ['a text of a constant', `const A = ['On']`, '', /not said: On/],
  ['a sentence with a value', 'a(`${n} ships are here`)', '', /not said: \{\} ships/],
  ['a text that is computed', `say(a)`, '', /stands there/],
  ['a text without a row', `say('On')`, '', /no row for: On/],
  ['a row that nothing says', '', `'On': 'Ein'`, /nothing says this: On/],
  ['a row twice', `say('On')`, `On: 'Ein', 'On': 'An'`, /second row/],
  ['a row with other places', `say('{n} km', { n })`, `'{n} km': '{m} km'`, /other \{places\}/],
  ['a plural with other places', `sayCount(n, 'a', '{n}')`, `'{n}': { one: 'b' }`, /other/],
])('finds %s', (_, code, rows, message) => {
  expect(texts(code, rows)).toEqual([expect.stringMatching(message)])
})

it.each([
  ['a text with its row', `say('On')`, `On: 'Ein'`],
  ['a text in two parts', `say('Fly ' + 'there')`, `['Fly ' + 'there']: 'Hin' + 'fliegen'`],
  ['a plural', `sayCount(n, 'a', '{n}')`, `'{n}': { one: '{n}', other: '{n}' }`],
  ['what programs read', `<p class="a b" id="A">{a === 'Enter' && b['key']}</p>`, ''],
  ['an error of a programmer', `new Error('The page has no canvas')`, ''],
  ['a name of a key', `['KeyW', 'ArrowUp']`, ''],
])('passes %s', (_, code, rows) => {
  expect(texts(code, rows)).toEqual([])
})

it('names a folder with too many files', () => {
  const files = Array.from({ length: 20 }, (_, i) => `bench/${i}.ts`)
  expect(crowdedFolders([...files, 'bench/more/a.ts'])).toEqual([])
  expect(crowdedFolders([...files, 'bench/a.css'])).toEqual([
    { file: 'bench', line: 1, message: '21 files, at most 20' },
  ])
})
