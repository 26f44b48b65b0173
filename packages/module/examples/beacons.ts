import { type GameModule, bit, defineModule, f64, refusal, v } from '@orrery/module'

/** What a full battery holds [J], and what a beacon takes [W]. */
const BATTERY = 3600
const POWER = 60

/** Seconds from one look at a battery to the next. */
const EVERY = 10

export const beacons: GameModule = defineModule({
  id: 'beacons',
  version: 1,
  ship: {
    charge: f64('J', { default: BATTERY }),
    lit: bit({ seenBy: 'system' }),
  },
  events: {
    dark: { text: 'The battery is empty, and the beacon dark.', body: v.object({}) },
  },
  commands: {
    light: {
      summary: 'Light the beacon.',
      body: v.object({}),
      run({ ship }) {
        if (ship.charge === 0) throw refusal('empty')
        ship.lit = true
      },
    },
    douse: {
      summary: 'Put the beacon out.',
      body: v.object({}),
      run({ ship }) {
        ship.lit = false
      },
    },
  },
  beat: {
    of: 'lit',
    every: EVERY,
    run({ emit, ship }) {
      ship.charge = Math.max(0, ship.charge - POWER * EVERY)
      if (ship.charge > 0) return
      ship.lit = false
      emit('dark', {})
    },
  },
  panel: {
    title: 'Beacon',
    fields: [
      { label: 'Charge', column: 'charge' },
      { label: 'Beacon', column: 'lit', words: ['is dark', 'is lit'] },
    ],
    buttons: [
      { label: 'Light', command: 'light' },
      { label: 'Put out', command: 'douse', when: 'lit' },
    ],
  },
})
