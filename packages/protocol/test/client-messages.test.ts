// Goal: every message of a client is either read exactly or refused with E001 (E030 for a ship
// name), with its id echoed, and nothing a client can send makes the parser throw.
// Method: tables of good and bad messages, then seeded random texts and JSON values.
import { createChance } from '@orrery/testkit/chance'
import { describe, expect, test } from 'vitest'
import { type ClientMessageResult, MESSAGE_BYTES_MAX, parseClientMessage } from '../src/index.ts'

const parse = (value: unknown): ClientMessageResult => parseClientMessage(JSON.stringify(value))

const SHIP = '6d0d2b0e-64d0-4a5e-8a6f-2f5c1b6f5f10'

describe('a good message is read exactly', () => {
  const good: [string, unknown][] = [
    ['{"type":"ping"}', { type: 'ping' }],
    ['{"type":"ping","id":"a","client_time":12.5}', { type: 'ping', id: 'a', client_time: 12.5 }],
    ['{"id":-3,"type":"ping"}', { type: 'ping', id: -3 }],
    ['{"type":"control","thrust_level":0}', { type: 'control', thrust_level: 0 }],
    ['{"type":"control","thrust_level":1,"id":9}', { type: 'control', thrust_level: 1, id: 9 }],
    [
      '{"type":"control","attitude":{"w":2,"x":0,"y":0,"z":-1e-3}}',
      { type: 'control', attitude: { w: 2, x: 0, y: 0, z: -1e-3 } },
    ],
    [
      '{"type":"control","attitude":{"w":1.1e-6,"x":0,"y":0,"z":0}}',
      { type: 'control', attitude: { w: 1.1e-6, x: 0, y: 0, z: 0 } },
    ],
    [
      '{"type":"control","thrust_level":0.25,"attitude":{"w":0,"x":0,"y":1,"z":0,"v":9},"more":1}',
      { type: 'control', thrust_level: 0.25, attitude: { w: 0, x: 0, y: 1, z: 0 } },
    ],
    [
      '{"type":"control","thrust_level":0.5,"delta_v":1e-3,"wheel_unloading":false}',
      { type: 'control', thrust_level: 0.5, delta_v: 1e-3, wheel_unloading: false },
    ],
    [
      '{"type":"control","thrust_level":1e-3,"duration":90.5,"pointing":"hold"}',
      { type: 'control', thrust_level: 1e-3, duration: 90.5, pointing: 'hold' },
    ],
    ['{"type":"control","wheel_unloading":true}', { type: 'control', wheel_unloading: true }],
    ['{"type":"control","pointing":"sun"}', { type: 'control', pointing: 'sun' }],
    [
      '{"type":"control","pointing":"target","target_body":"Moon"}',
      { type: 'control', pointing: 'target', target_body: 'Moon' },
    ],
    [
      `{"type":"control","pointing":"target","target_station_id":"${SHIP}","thrust_level":1}`,
      { type: 'control', pointing: 'target', target_station_id: SHIP, thrust_level: 1 },
    ],
    [
      '{"type":"control","angular_rate":{"x":0,"y":-0.01,"z":1e-3}}',
      { type: 'control', angular_rate: { x: 0, y: -0.01, z: 1e-3 } },
    ],
    [
      '{"type":"maneuver_start","maneuver":"attitude","pointing":"target",' +
        `"target_jumpgate_id":"${SHIP}"}`,
      {
        type: 'maneuver_start',
        maneuver: 'attitude',
        pointing: 'target',
        target_jumpgate_id: SHIP,
      },
    ],
    ['{"type":"ship_rename","name":"  Ida  "}', { type: 'ship_rename', name: 'Ida' }],
    // Decomposed letters become composed ones, and are counted after that.
    ['{"type":"ship_rename","name":"A\\u030Ase"}', { type: 'ship_rename', name: 'Åse' }],
    // Code points count, not UTF-16 units.
    [
      `{"type":"ship_rename","name":"${'🚀'.repeat(32)}"}`,
      { type: 'ship_rename', name: '🚀'.repeat(32) },
    ],
    ['{"type":"ship_rename","name":"<b>"}', { type: 'ship_rename', name: '<b>' }],
    [
      '{"type":"maneuver_start","id":1,"maneuver":"attitude","attitude":{"w":1,"x":0,"y":0,"z":0}}',
      { type: 'maneuver_start', id: 1, maneuver: 'attitude', attitude: { w: 1, x: 0, y: 0, z: 0 } },
    ],
    [
      '{"type":"maneuver_start","maneuver":"attitude","pointing":"radial_in"}',
      { type: 'maneuver_start', maneuver: 'attitude', pointing: 'radial_in' },
    ],
    [
      '{"type":"maneuver_start","maneuver":"kill_rotation"}',
      { type: 'maneuver_start', maneuver: 'kill_rotation' },
    ],
    ['{"type":"maneuver_abort","id":"a"}', { type: 'maneuver_abort', id: 'a' }],
    [`{"type":"jump","id":1,"jumpgate_id":"${SHIP}"}`, { type: 'jump', id: 1, jumpgate_id: SHIP }],
    [`{"type":"dock","station_id":"${SHIP}"}`, { type: 'dock', station_id: SHIP }],
    ['{"type":"undock","id":2}', { type: 'undock', id: 2 }],
    ['{"type":"undock","at":-4}', { type: 'undock', at: -4 }],
    [`{"type":"dock","station_id":"${SHIP}","at":0}`, { type: 'dock', station_id: SHIP, at: 0 }],
    ['{"type":"maneuver_abort","at":8}', { type: 'maneuver_abort', at: 8 }],
    [
      '{"type":"control","thrust_level":1,"at":54321987656}',
      { type: 'control', thrust_level: 1, at: 54_321_987_656 },
    ],
    [
      '{"type":"maneuver_start","maneuver":"escape","at":4}',
      { type: 'maneuver_start', maneuver: 'escape', at: 4 },
    ],
    ['{"type":"subscribe"}', { type: 'subscribe' }],
    [
      `{"type":"subscribe","id":1,"radius":1e-3,"ids":["${SHIP}"],"rate":0.1,"more":1}`,
      { type: 'subscribe', id: 1, radius: 1e-3, ids: [SHIP], rate: 0.1 },
    ],
    [
      `{"type":"subscribe","ids":[${Array(256).fill(`"${SHIP}"`).join()}],"system_id":"sol"}`,
      { type: 'subscribe', ids: Array(256).fill(SHIP), system_id: 'sol' },
    ],
    ['{"type":"resume","era":0,"tick":0}', { type: 'resume', era: 0, tick: 0 }],
    [
      '{"type":"resume","era":1,"tick":40,"publication":7}',
      { type: 'resume', era: 1, tick: 40, publication: 7 },
    ],
    ['{"type":"subscribe","budget":2048}', { type: 'subscribe', budget: 2048 }],
    ['{"type":"seed_request","modules":["a"]}', { type: 'seed_request', modules: ['a'] }],
  ]
  test.each(good)('%s', (text, message) => {
    expect(parseClientMessage(text)).toEqual({ ok: true, message })
  })

  test('ids at their bounds', () => {
    for (const id of ['', 'x'.repeat(64), Number.MAX_SAFE_INTEGER, 0]) {
      expect(parse({ type: 'ping', id })).toEqual({ ok: true, message: { type: 'ping', id } })
    }
  })
})

describe('a bad message is refused with E001', () => {
  const bad: [string, RegExp][] = [
    ['', /not JSON/],
    ['{"type":"ping"', /not JSON/],
    ['NaN', /not JSON/],
    ['null', /JSON object/],
    ['[{"type":"ping"}]', /JSON object/],
    ['"ping"', /JSON object/],
    ['{}', /Unknown message type/],
    ['{"type":null}', /Unknown message type/],
    ['{"type":"PING"}', /Unknown message type/],
    ['{"type":"constructor"}', /Unknown message type/],
    ['{"type":"maneuver_start"}', /maneuver must be/],
    ['{"type":"maneuver_start","maneuver":"dock"}', /maneuver must be/],
    ['{"type":"maneuver_start","maneuver":"attitude"}', /either attitude or pointing/],
    ['{"type":"maneuver_start","maneuver":"set_orbit"}', /at least one of/],
    ['{"type":"maneuver_start","maneuver":"set_orbit","eccentricity":1}', /eccentricity must be/],
    ['{"type":"maneuver_start","maneuver":"set_orbit","inclination":4}', /inclination must be/],
    ['{"type":"maneuver_start","maneuver":"set_orbit","semi_major_axis":-1}', /semi_major_axis/],
    ['{"type":"maneuver_start","maneuver":"set_orbit","ascending_node":7}', /ascending_node must/],
    ['{"type":"maneuver_start","maneuver":"transfer"}', /takes a target_body/],
    ['{"type":"maneuver_start","maneuver":"transfer","target_body":""}', /target_body must be/],
    ['{"type":"maneuver_start","maneuver":"rendezvous"}', /takes one of/],
    ['{"type":"maneuver_start","maneuver":"escape","altitude":5}', /takes no altitude/],
    ['{"type":"maneuver_start","maneuver":"escape","timeout":1e99}', /timeout must be/],
    [
      '{"type":"maneuver_start","maneuver":"attitude","pointing":"hold",' +
        '"attitude":{"w":1,"x":0,"y":0,"z":0}}',
      /either attitude or pointing/,
    ],
    ['{"type":"maneuver_start","maneuver":"attitude","pointing":"loose"}', /no maneuver points/],
    ['{"type":"maneuver_start","maneuver":"attitude","pointing":"rest"}', /no maneuver points/],
    ['{"type":"maneuver_start","maneuver":"attitude","pointing":"target"}', /go together/],
    [
      '{"type":"maneuver_start","maneuver":"kill_rotation","pointing":"hold"}',
      /takes no (?:attitude|pointing)/,
    ],
    ['{"type":"maneuver_abort","id":1.5}', /id must be/],
    ['{"type":"jump"}', /jumpgate_id must be a UUID/],
    ['{"type":"dock","station_id":1}', /^station_id must be a UUID/],
    ['{"type":"jump","jumpgate_id":"x"}', /jumpgate_id must be a UUID/],
    ['{"__proto__":{"type":"ping"}}', /Unknown message type/],
    ['{"type":"subscribe","radius":0}', /radius must be/],
    ['{"type":"subscribe","radius":"1"}', /radius must be/],
    ['{"type":"subscribe","radius":1e400}', /radius must be/],
    ['{"type":"subscribe","rate":0}', /rate must be/],
    ['{"type":"subscribe","rate":null}', /rate must be/],
    ['{"type":"subscribe","ids":"x"}', /ids must be a list of at most 256/],
    ['{"type":"subscribe","ids":["x"]}', /ids must be/],
    [`{"type":"subscribe","ids":[${Array(257).fill(`"${SHIP}"`).join()}]}`, /ids must be/],
    ['{"type":"subscribe","system_id":1}', /system_id must be/],
    ['{"type":"resume"}', /era must be/],
    ['{"type":"resume","era":1}', /tick must be/],
    ['{"type":"resume","era":-1,"tick":1}', /era must be/],
    ['{"type":"resume","era":1,"tick":1.5}', /tick must be/],
    ...['2', '4.5', '1e300', '1e400', 'null', '"4"', '[4]', '9007199254740996'].flatMap(
      (at): [string, RegExp][] => [
        [`{"type":"control","thrust_level":1,"at":${at}}`, /^at must be a lattice index/],
        [`{"type":"maneuver_start","maneuver":"escape","at":${at}}`, /^at must be/],
        [`{"type":"maneuver_abort","at":${at}}`, /^at must be/],
        [`{"type":"dock","station_id":"${SHIP}","at":${at}}`, /^at must be/],
        [`{"type":"undock","at":${at}}`, /^at must be/],
      ],
    ),
    ['{"type":"control","at":4}', /control needs/],
    ['{"type":"control"}', /thrust_level, attitude, pointing, angular_rate/],
    ['{"type":"control","thrust_level":1,"delta_v":0}', /delta_v must be/],
    ['{"type":"control","thrust_level":1,"delta_v":-1}', /delta_v must be/],
    ['{"type":"control","thrust_level":1,"delta_v":1e400}', /delta_v must be/],
    ['{"type":"control","thrust_level":1,"delta_v":null}', /delta_v must be/],
    ['{"type":"control","thrust_level":1,"duration":"9"}', /duration must be/],
    ['{"type":"control","thrust_level":1,"duration":0}', /duration must be/],
    ['{"type":"control","thrust_level":1,"duration":9,"delta_v":9}', /not both/],
    ['{"type":"control","thrust_level":0,"duration":9}', /thrust_level above 0/],
    ['{"type":"control","pointing":"hold","delta_v":9}', /thrust_level above 0/],
    ['{"type":"control","delta_v":9}', /control needs/],
    ['{"type":"control","wheel_unloading":1}', /wheel_unloading must be/],
    ['{"type":"control","pointing":"sideways"}', /pointing must be one of hold, prograde/],
    ['{"type":"control","pointing":7}', /pointing must be one of/],
    ['{"type":"control","pointing":"target"}', /target_ship_id, .* go together/],
    ['{"type":"control","pointing":"target","target_ship_id":"x"}', /must be a UUID/],
    ['{"type":"control","pointing":"rest","attitude":{"w":1,"x":0,"y":0,"z":0}}', /only one/],
    ['{"type":"control","pointing":"rest","angular_rate":{"x":1,"y":0,"z":0}}', /only one/],
    ['{"type":"control","pointing":"sun","target_body":"Sun"}', /go together/],
    ['{"type":"control","thrust_level":1,"target_body":"Sun"}', /go together/],
    [
      `{"type":"control","pointing":"target","target_body":"Sun","target_ship_id":"${SHIP}"}`,
      /go together/,
    ],
    ['{"type":"control","pointing":"target","target_body":""}', /target_body must/],
    ['{"type":"control","pointing":"target","target_station_id":"x"}', /must be a UUID/],
    ['{"type":"control","angular_rate":{"x":1,"y":0}}', /angular_rate must/],
    ['{"type":"control","angular_rate":{"x":1,"y":0,"z":1e400}}', /angular_rate must/],
    ['{"type":"control","angular_rate":0}', /angular_rate must/],
    ['{"type":"control","thrust_level":1.0000001}', /0 to 1/],
    ['{"type":"control","thrust_level":-0.1}', /0 to 1/],
    ['{"type":"control","thrust_level":1e400}', /0 to 1/],
    ['{"type":"control","thrust_level":"0.5"}', /0 to 1/],
    ['{"type":"control","thrust_level":null}', /0 to 1/],
    ['{"type":"control","thrust_level":0.5,"attitude":null}', /attitude/],
    ['{"type":"control","attitude":{"w":0,"x":0,"y":0,"z":0}}', /norm/],
    ['{"type":"control","attitude":{"w":1e-300,"x":0,"y":0,"z":0}}', /norm/],
    ['{"type":"control","attitude":{"w":0,"x":9.9e-7,"y":0,"z":0}}', /norm/],
    ['{"type":"control","attitude":{"w":0,"x":1.1e6,"y":0,"z":0}}', /norm/],
    ['{"type":"control","attitude":{"w":1e300,"x":0,"y":0,"z":0}}', /norm/],
    ['{"type":"control","attitude":{"w":1e400,"x":0,"y":0,"z":0}}', /attitude/],
    ['{"type":"control","attitude":{"w":1,"x":0,"y":0}}', /attitude/],
    ['{"type":"control","attitude":[1,0,0,0]}', /attitude/],
    ['{"type":"ping","client_time":"now"}', /client_time/],
    ['{"type":"ping","client_time":-1e999}', /client_time/],
    ['{"type":"ping","id":1.5}', /^id must/],
    ['{"type":"ping","id":null}', /^id must/],
    ['{"type":"ping","id":1e300}', /^id must/],
    [`{"type":"ping","id":"${'x'.repeat(65)}"}`, /^id must/],
    [`{"type":"ping","more":"${'x'.repeat(MESSAGE_BYTES_MAX)}"}`, /too large/],
    ['['.repeat(MESSAGE_BYTES_MAX), /not JSON/],
    ['['.repeat(MESSAGE_BYTES_MAX / 2) + ']'.repeat(MESSAGE_BYTES_MAX / 2), /JSON object/],
  ]
  test.each(bad)('%.60s', (text, message) => {
    expect(parseClientMessage(text)).toEqual({
      ok: false,
      error: { code: 'E001', message: expect.stringMatching(message) },
    })
  })

  test('deep nesting in an unknown field is no error', () => {
    const deep = '{"a":'.repeat(2000) + '1' + '}'.repeat(2000)
    expect(parseClientMessage(`{"type":"ping","deep":${deep}}`).ok).toBe(true)
  })
})

describe('a bad ship name is refused with E030', () => {
  const bad: unknown[] = [
    undefined,
    null,
    7,
    ['Ida'],
    '',
    '  \u00A0\t ',
    'ab',
    ` ab${' '.repeat(40)}`,
    'x'.repeat(33),
    '🚀🚀',
    'A\u030Aa', // three code points, two after normalisation
    'ab\u0000c',
    'ab\nc',
    'ab\u007Fc',
    'ab\u2028c',
    'abc\u202Edef',
    'abc\u2066def',
    'abc\u061Cdef',
    'abc\uD800def',
    '\u200B\u200B\u200B',
    '\u3164 \u3164',
    'a\u200Bb\u200Bc',
    'ab\u200Dc',
    'ab\u2060c',
    'ab\u00ADc',
    'abc\uFE0F',
    'ab\u{E0063}c',
    'ab\u034Fc',
    '\u0645\u200Bc\u0645',
    'ab\u3164c',
  ]
  test.each(bad.map((name) => [name]))('%j', (name) => {
    expect(parse({ type: 'ship_rename', id: 4, name })).toEqual({
      ok: false,
      error: {
        code: 'E030',
        message:
          'Ship name must be 3-32 characters, not all invisible, none a control or bidirectional',
        id: 4,
      },
    })
  })
})

describe('a ship name with joined characters is taken as it is', () => {
  const good = {
    'a family': '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}',
    'a skin tone': '\u{1F469}\u{1F3FD}\u200D\u{1F680}',
    'a flag of letters': '\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}',
    'a joined flag': '\u{1F3F3}\uFE0F\u200D\u{1F308}',
    'a flag of tags': '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    keycaps: '1\uFE0F\u20E32\uFE0F\u20E3#\uFE0F\u20E3',
    'a kiss': '\u{1F469}\u200D\u2764\uFE0F\u200D\u{1F48B}\u200D\u{1F468}',
    'a Persian word': '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
    'a Hindi letter': '\u0915\u094D\u200D\u0937',
  }
  test.each(Object.entries(good))('%s', (_, name) => {
    expect(parse({ type: 'ship_rename', name })).toEqual({
      ok: true,
      message: { type: 'ship_rename', name },
    })
  })
  const stacks = {
    marks: `ab${'\u0301'.repeat(6)}c`,
    'marks with joiners between': `ab${'\u0301\u200D'.repeat(6)}c`,
    'marks on a family': `\u{1F468}\u200D\u{1F469}${'\u0301'.repeat(6)}`,
    keycaps: `123${'\u20E3'.repeat(5)}`,
    'joiners alone': '\u200D'.repeat(8),
  }
  test.each(Object.entries(stacks))('but not a stack of %s', (_, name) => {
    expect(parse({ type: 'ship_rename', name })).toMatchObject({ error: { code: 'E030' } })
  })
})

test('the id of a refused message is echoed, whatever else is wrong with it', () => {
  for (const id of ['abc', 12]) {
    for (const rest of [{}, { type: 'warp' }, { type: 'control' }, { type: 'ship_rename' }]) {
      const result = parse({ ...rest, id })
      expect(result.ok ? undefined : result.error.id).toBe(id)
    }
  }
})

const SEED = 0x0badcafe

const KEYS = [
  'type',
  'id',
  'name',
  'thrust_level',
  'attitude',
  'client_time',
  'w',
  'x',
  '__proto__',
]
const TEXTS = ['ping', 'control', 'ship_rename', '', 'Ida', '\u202E', '\uD800', 'toString']

function randomValue(random: () => number, depth: number): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6))
  if (kind === 0) return pick(TEXTS)
  if (kind === 1) return pick([0, -0, 0.5, 1, -1, 1e308, 5e-324, 2 ** 53, random() * 1e6])
  if (kind === 2) return pick([null, true, false])
  if (kind === 3) {
    return String.fromCharCode(...Array.from({ length: 8 }, () => Math.floor(random() * 65536)))
  }
  const length = Math.floor(random() * 5)
  if (kind === 4) return Array.from({ length }, () => randomValue(random, depth + 1))
  const entries = Array.from({ length }, () => [pick(KEYS), randomValue(random, depth + 1)])
  return Object.fromEntries(entries)
}

function randomText(random: () => number): string {
  const value: unknown = randomValue(random, 0)
  const message = {
    type: TEXTS[Math.floor(random() * 4)],
    ...(random() < 0.2 ? { thrust_level: random() * 2 } : {}),
    ...(typeof value === 'object' ? value : {}),
  }
  const text = JSON.stringify(random() < 0.8 ? message : value)
  if (random() < 0.6) return text
  // Break it: one character replaced, or cut anywhere.
  const at = Math.floor(random() * text.length)
  const broken = String.fromCharCode(Math.floor(random() * 256))
  return random() < 0.5 ? text.slice(0, at) : text.slice(0, at) + broken + text.slice(at + 1)
}

test(`10,000 random messages of seed ${SEED} never throw and are refused in two ways only`, () => {
  const random = createChance(SEED).share
  const counts: Record<string, number> = {}
  for (let round = 0; round < 10_000; round++) {
    const text = randomText(random)
    const result = parseClientMessage(text)
    const outcome = result.ok ? result.message.type : result.error.code
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  // No other outcome than these, and each of them reached, or the walk shows nothing.
  expect(Object.keys(counts).toSorted()).toEqual(['E001', 'E030', 'control', 'ping', 'ship_rename'])
})
