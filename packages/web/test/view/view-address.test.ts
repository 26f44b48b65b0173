// Law: an address brings back the view that it was made of; any other text brings none.
import { expect, test } from 'vitest'
import type { Thing } from '../../src/readings/thing.ts'
import { addressOf, parsedAddress } from '../../src/view/view-address.ts'

const AIM = { distance: 1e7, yaw: 0, pitch: 0 }

function body(name: string): Thing {
  return { kind: 'body', name }
}

test('there and back', () => {
  const aim = { distance: 4.2e8, yaw: 0.5, pitch: -0.25 }
  const text = addressOf({ system: 'alpha-centauri', thing: body('Alpha Centauri A'), aim })
  expect(text).toBe('#alpha-centauri:Alpha%20Centauri%20A/4.2000e+8/28.65/-14.32')
  const back = parsedAddress(text)
  expect(back?.system).toBe('alpha-centauri')
  expect(back?.thing).toEqual(body('Alpha Centauri A'))
  expect(back?.aim.distance).toBe(4.2e8)
  expect(back?.aim.yaw).toBeCloseTo(0.5, 3)
  expect(back?.aim.pitch).toBeCloseTo(-0.25, 3)
})

test('the first star system needs no name', () => {
  const text = addressOf({ system: 'sol', thing: body('Mars'), aim: AIM })
  expect(text).toBe('#Mars/1.0000e+7/0.00/0.00')
  expect(parsedAddress(text)?.system).toBe('sol')
})

test('a ship and what is hidden are in it', () => {
  const ship = { kind: 'ship', id: '346fe385-0000' } as const
  const view = {
    system: 'sol',
    thing: ship,
    aim: AIM,
    hidden: ['labels', 'orbits'],
    shown: ['constellations'],
  } as const
  const text = addressOf(view)
  expect(text).toBe(
    '#ship=346fe385-0000/1.0000e+7/0.00/0.00?hide=labels,orbits&show=constellations',
  )
  expect(parsedAddress(text)).toEqual(view)
  expect(parsedAddress('#Mars/1e7/0/0?hide=orbits,all')).toMatchObject({
    thing: body('Mars'),
    hidden: ['orbits'],
    shown: [],
  })
})

test('a date is in it, and one that is none stays apart from the present', () => {
  const at = Date.parse('2030-01-01T12:00:00Z')
  const text = addressOf({ system: 'sol', thing: body('Mars'), aim: AIM, hidden: ['labels'], at })
  expect(text).toBe('#Mars/1.0000e+7/0.00/0.00?hide=labels&at=2030-01-01T12:00:00Z')
  expect(parsedAddress(text)?.at).toBe(at)
  expect(parsedAddress('#Mars/1e7/0/0')?.at).toBeUndefined()
  for (const date of ['', 'now', '2030-13-01', '2030-01-01T12:00:00', '2030-01-01T12:00:00+02:00'])
    expect(parsedAddress(`#Mars/1e7/0/0?at=${date}`)?.at).toBeNaN()
})

test('a name with signs of an address is a body', () => {
  const thing = body('a=b/c?d:e')
  expect(parsedAddress(addressOf({ system: 'sol', thing, aim: AIM }))?.thing).toEqual(thing)
})

test.each(['', '#', '#Earth', '#Earth/1', '#Earth/0/0/0', '#Earth/-1/0/0', '#Earth/1e99/0/0'])(
  '%s is none',
  (hash) => expect(parsedAddress(hash)).toBeUndefined(),
)

test.each([
  '#%ff/1e7/0/0',
  '#:Earth/1e7/0/0',
  '#Earth/x/0/0',
  '#Earth/1e7/0/90',
  '#Earth/1e7/NaN/0',
  '#Earth/1/2/3/4',
  '#comet=7/1e7/0/0',
  '#ship=/1e7/0/0',
  '#=/1e7/0/0',
])('%s is none either', (hash) => expect(parsedAddress(hash)).toBeUndefined())
