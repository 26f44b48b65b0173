// Goal: the burns of a plan are taken as they are sent, and become orders; each fault is refused
// with E001 and names the burn and its field.
import { describe, expect, test } from 'vitest'
import { controlOf, parseClientMessage } from '../src/index.ts'

const BURN = '"index":64,"pointing":"prograde","duration":1'

const plan = (nodes: string): string =>
  `{"type":"maneuver_start","maneuver":"plan","nodes":[${nodes}]}`

test('burns become orders: by index or time, about a named body, at full thrust', () => {
  const parsed = parseClientMessage(
    plan(
      '{"index":64,"frame":"radial","vector":{"x":1,"y":0,"z":-2},"body":"moon"},' +
        '{"game_time":"2000-01-01T11:58:56.816Z","anchor":"start",' +
        '"pointing":"normal","delta_v":3},' +
        `{${BURN},"thrust_level":0.25}`,
    ),
  )
  const message = parsed.ok ? parsed.message : undefined
  if (message?.type !== 'maneuver_start') throw new Error('The plan is not taken.')
  const none = (): never => {
    throw new Error('Nothing else is named.')
  }
  const places = { star: none, ship: none, station: none, anchorage: none, jumpgate: none }
  const body = (name: string, field: string): number => (name + field).length
  expect(controlOf(message, { ...places, body })).toEqual({
    maneuver: {
      maneuver: 'plan',
      timeout: 315_576_000,
      params: [],
      nodes: [
        {
          index: 64,
          anchor: 'center',
          throttle: 1,
          frame: 'radial',
          body: 'moonnodes.0.body'.length,
          vector: [1, 0, -2],
        },
        { index: 64, anchor: 'start', throttle: 1, pointing: 'normal', deltaV: 3 },
        { index: 64, anchor: 'center', throttle: 0.25, pointing: 'prograde', seconds: 1 },
      ],
    },
  })
})

describe('a bad plan is refused', () => {
  test.each<[string, RegExp]>([
    ['{"type":"maneuver_start","maneuver":"plan"}', /takes nodes/],
    [
      '{"type":"maneuver_start","maneuver":"escape","nodes":[]}',
      /^nodes must be a list of 1 to 16/,
    ],
    [`{"type":"maneuver_start","maneuver":"escape","nodes":[{${BURN}}]}`, /takes no nodes/],
    [`{"type":"maneuver_start","maneuver":"plan","timeout":9,"nodes":[{${BURN}}]}`, /no timeout/],
    ...(
      [
        ['{}', /^nodes\.0 takes either index or game_time/],
        [`{${BURN},"game_time":"2026-03-01T12:00:00Z"}`, /^nodes\.0 takes either index or/],
        [`{${BURN}},{${BURN},"frame":"radial"}`, /^nodes\.1 takes either frame or pointing/],
        [`{${BURN},"vector":{"x":1,"y":0,"z":0}}`, /^nodes\.0 takes no vector with a pointing/],
        [`{${BURN},"delta_v":1}`, /^nodes\.0 takes either delta_v or duration/],
        ['{"index":64,"pointing":"normal"}', /^nodes\.0 takes either delta_v or duration/],
        ['{"index":64,"frame":"inertial","delta_v":1}', /^nodes\.0 takes no delta_v with a frame/],
        ['{"index":64,"frame":"inertial"}', /^nodes\.0 takes a vector that is not zero/],
        [
          '{"index":64,"frame":"inertial","vector":{"x":0,"y":0,"z":0}}',
          /^nodes\.0 takes a vector that is not zero/,
        ],
        [
          '{"index":64,"frame":"inertial","body":"Sun","vector":{"x":1,"y":0,"z":0}}',
          /^nodes\.0 takes no body with frame 'inertial'/,
        ],
        [
          '{"index":64,"frame":"inertial","vector":{"x":1e400,"y":0,"z":0}}',
          /^nodes\.0\.vector must/,
        ],
        [
          '{"index":64,"frame":"inertial","vector":{"x":null,"y":0,"z":0}}',
          /^nodes\.0\.vector must/,
        ],
        ['{"index":0.5}', /^nodes\.0\.index must be/],
        ['{"index":-1}', /^nodes\.0\.index must be/],
        ['{"index":1e400}', /^nodes\.0\.index must be/],
        ['{"game_time":"noon"}', /^nodes\.0\.game_time must be/],
        [`{${BURN},"anchor":"end"}`, /^nodes\.0\.anchor must be one of center, start/],
        [`{${BURN},"thrust_level":0}`, /^nodes\.0\.thrust_level must be a number above 0/],
        [`{${BURN},"pointing":"target"}`, /^nodes\.0\.pointing must be one of prograde/],
        ['{"index":64,"pointing":"normal","duration":0}', /^nodes\.0\.duration must be/],
        ['{"index":64,"pointing":"normal","delta_v":"1"}', /^nodes\.0\.delta_v must be/],
        ['{"index":64,"frame":"prograde","body":""}', /^nodes\.0\.body must be/],
        ['"burn"', /^nodes must be a list of 1 to 16/],
        [Array(17).fill(`{${BURN}}`).join(), /^nodes must be a list of 1 to 16/],
        ['', /^nodes must be a list of 1 to 16/],
      ] as const
    ).map(([nodes, says]): [string, RegExp] => [plan(nodes), says]),
  ])('%.110s', (text, message) => {
    expect(parseClientMessage(text)).toEqual({
      ok: false,
      error: { code: 'E001', message: expect.stringMatching(message) as string },
    })
  })
})
