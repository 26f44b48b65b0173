// Laws: a text is said in the language that is chosen, else in the first of the browser's that the
// page has; numbers are written and read in its way, and a text without a row stays English.
// Method: a language holds until a page is loaded again, so each page is a process.
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { languageOf } from '../../src/languages/language.ts'

const SOURCES = new URL('../../src/', import.meta.url)

/** What a program has come to on a page of a browser that wants German. @param choice  a setting */
function onPage(choice: string, program: string): unknown {
  const settings = JSON.stringify(JSON.stringify({ language: choice }))
  const text = `
    const globals = {
      window: {},
      navigator: { languages: ['de-AT', 'en'] },
      localStorage: { getItem: () => ${settings} },
    }
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value })
    }
    const { say, sayCount, sayName, lowerFirst } = await import('${SOURCES}languages/say.ts')
    const quantities = await import('${SOURCES}quantities/quantities.ts')
    const fields = await import('${SOURCES}quantities/quantity-fields.ts')
    const { altitude } = fields.QUANTITIES
    console.log(JSON.stringify([${program}]))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', text]).toString())
}

test.each([
  ['auto', ['de-AT', 'en'], 'de'],
  ['auto', ['fr-FR', 'en-GB', 'de'], 'en'],
  ['auto', ['fr-FR'], 'en'],
  ['en', ['de'], 'en'],
  ['de', ['en'], 'de'],
  ['xx', ['de'], 'de'],
  [undefined, [], 'en'],
])('with the choice %s of a browser that wants %j it is %s', (choice, wanted, language) => {
  expect(languageOf(choice, wanted)).toBe(language)
})

const TEXTS = `
  say('Settings'), say('Docked at {station}.', { station: '{n}' }), say('No row'),
  sayCount(1, '{n} second', '{n} seconds'), sayCount(2000, '{n} second', '{n} seconds'),
  sayName('Moon'), sayName('Titan'), lowerFirst('Point prograde')`

test('a German page says German texts with their values, plurals and names', () => {
  expect(onPage('auto', TEXTS)).toEqual([
    'Einstellungen',
    'Angedockt: {n}.',
    'No row',
    '1 Sekunde',
    '2.000 Sekunden',
    'Mond',
    'Titan',
    'Point prograde',
  ])
})

test('an English page says them as they are written', () => {
  expect(onPage('en', TEXTS)).toEqual([
    'Settings',
    'Docked at {n}.',
    'No row',
    '1 second',
    '2,000 seconds',
    'Moon',
    'Titan',
    'point prograde',
  ])
})

test('German quantities are written with a comma, and read as they are written', () => {
  const program = `
    [408123, 12345678, 2e9].map(quantities.distanceText),
    quantities.percentText(0.005),
    fields.writeQuantity(408123, altitude),
    ['408,123', '1.408', '1.408,5', '12.5'].map((one) => fields.readQuantity(one, altitude))`
  expect(onPage('de', program)).toEqual([
    ['408,1 km', '12.346 km', '2,000 Mio. km'],
    '0,5 %',
    '408,123',
    [408_123, 1_408_000, 1_408_500, 12_500],
  ])
})
