/** What is heard of the ship: engine, thrusters, docking and alarms, made of noise and tones. */
import { effect } from '@preact/signals'
import type { Game } from '../game/game.ts'
import { alarm } from '../page/title.ts'

/** Of all that is heard, 0 to 1. */
const VOLUME = 0.25

/** A hull that turns faster is heard [rad/s]. */
const TURN_MIN = 0.003

/** How fast a steady sound follows what it stands for [s]. */
const FOLLOW = 0.15

/** Notes: pitch [Hz], begin and length [s]. */
type Tune = readonly (readonly [pitch: number, at: number, length: number])[]

const DOCKED: Tune = [
  [392, 0, 0.25],
  [523, 0.2, 0.5],
]
const UNDOCKED: Tune = [
  [523, 0, 0.25],
  [392, 0.2, 0.5],
]
const ALARM: Tune = [
  [880, 0, 0.12],
  [880, 0.2, 0.12],
  [880, 0.4, 0.12],
]
const WARNING: Tune = [[220, 0, 0.5]]

/** A steady noise. */
interface Hiss {
  /** @param strength  0 to 1 */
  set(strength: number): void
}

/** Follows a game while sound is wanted; nothing is made before the player has touched the page. */
export function startSounds(game: Game): void {
  let stop: (() => void) | undefined
  const follow = (): void => {
    effect(() => {
      const isHeard = game.settings.sound.value && game.session.value !== undefined
      if (isHeard) stop ??= play(game)
      else {
        stop?.()
        stop = undefined
      }
    })
  }
  // Browsers warn of sound before the first click.
  if (navigator.userActivation.hasBeenActive) return follow()
  const begin = new AbortController()
  const once = (): void => {
    begin.abort()
    follow()
  }
  for (const kind of ['pointerup', 'keydown']) {
    addEventListener(kind, once, { signal: begin.signal })
  }
}

/** Returns how to end all of it. */
function play(game: Game): () => void {
  const context = new AudioContext()
  const out = context.createGain()
  out.gain.value = VOLUME
  out.connect(context.destination)
  const noise = noiseOf(context)
  const engine = hiss(context, noise, out, { kind: 'lowpass', pitch: 160 })
  const thrusters = hiss(context, noise, out, { kind: 'bandpass', pitch: 2600 })
  const ring = (tune: Tune): void => sound(context, out, tune)
  const stops = [
    effect(() => {
      const { own } = game.readings.value ?? {}
      // Who wants calm hears what matters alone.
      const isSteady = own !== undefined && !game.settings.isCalm.value
      engine.set(isSteady ? own.thrustLevel || 0 : 0)
      thrusters.set(isSteady && own.turnRate > TURN_MIN ? 0.15 : 0)
    }),
    changes(
      () => game.doing.dockedAt.value,
      (now) => ring(now === undefined ? UNDOCKED : DOCKED),
    ),
    changes(
      () => alarm.value.replace(/ in .*/, ''),
      (now) => now !== '' && ring(ALARM),
    ),
    changes(
      () => game.notices.shown.value.filter(({ kind }) => kind !== 'info').length,
      (now, before) => now > before && ring(WARNING),
    ),
  ]
  const seen = (): void => void (document.hidden ? context.suspend() : context.resume())
  document.addEventListener('visibilitychange', seen)
  return () => {
    document.removeEventListener('visibilitychange', seen)
    for (const stop of stops) stop()
    void context.close()
  }
}

/** Calls back when a value has changed. */
function changes<Value>(read: () => Value, act: (now: Value, before: Value) => void): () => void {
  let before: Value | undefined
  let isFirst = true
  return effect(() => {
    const now = read()
    if (!isFirst && now !== before) act(now, before as Value)
    isFirst = false
    before = now
  })
}

/** Two seconds of white noise. */
function noiseOf(context: AudioContext): AudioBuffer {
  const noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate)
  const samples = noise.getChannelData(0)
  for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1
  return noise
}

interface Colour {
  readonly kind: BiquadFilterType
  /** [Hz] */
  readonly pitch: number
}

function hiss(
  context: AudioContext,
  noise: AudioBuffer,
  out: AudioNode,
  { kind, pitch }: Colour,
): Hiss {
  const source = new AudioBufferSourceNode(context, { buffer: noise, loop: true })
  const filter = new BiquadFilterNode(context, { type: kind, frequency: pitch })
  const level = new GainNode(context, { gain: 0 })
  source.connect(filter).connect(level).connect(out)
  source.start()
  return {
    set: (strength) => level.gain.setTargetAtTime(strength, context.currentTime, FOLLOW),
  }
}

function sound(context: AudioContext, out: AudioNode, tune: Tune): void {
  for (const [pitch, at, length] of tune) {
    const begin = context.currentTime + at
    const tone = new OscillatorNode(context, { type: 'triangle', frequency: pitch })
    const level = new GainNode(context, { gain: 0 })
    level.gain.linearRampToValueAtTime(1, begin + 0.02)
    level.gain.setTargetAtTime(0, begin + length, 0.05)
    tone.connect(level).connect(out)
    tone.start(begin)
    tone.stop(begin + length + 0.5)
  }
}
