/**
 * Law: an order is checked against an orbit that no thread is writing, and orders of a ship act in
 * the order in which they were given. Goal: orders that come while a tick runs, whose ship is
 * between the start and the end of a step.
 */
import type { Control } from '@orrery/sim'
import { expect, it } from 'vitest'
import { callingThread, globeWorld } from '../globe.ts'
import { testEngine } from '../test-engine.ts'

const SHIP = 'ship'
const setOrbit = (semiMajorAxis: number): Control => ({
  maneuver: { maneuver: 'set_orbit', timeout: 86_400, params: [semiMajorAxis, -1, -2] },
})

it('checks orders against the orbit between ticks, in their order', async () => {
  const world = globeWorld()
  const whole = callingThread(world)
  const inTick: (() => void)[] = []
  const { engine, clock } = testEngine({
    world,
    pool: {
      ...whole,
      advance: async (rounds) => {
        const { stepStart, stepEnd } = world.state.ships
        const [end] = stepEnd
        stepEnd[0] = stepStart[0]
        inTick.shift()?.()
        await Promise.resolve()
        stepEnd[0] = end
        return whole.advance(rounds)
      },
    },
  })
  await engine.execute({ kind: 'create_ship', shipId: SHIP, name: 'Nostromo' })
  const answers: string[] = []
  const given: Promise<unknown>[] = []
  const steer = (name: string, control: Control): void => {
    const answer = engine.steer(SHIP, control).then(
      () => `${name} accepted`,
      ({ message }: Error) => `${name}: ${message}`,
    )
    given.push(answer.then((text) => answers.push(text)))
  }
  inTick.push(() => {
    steer('thrust', { thrustLevel: 0.1 })
    steer('below ground', setOrbit(6e6))
    steer('abort of nothing', { pointing: 'rest', abort: true })
    steer('above', setOrbit(7e6))
    steer('abort', { pointing: 'rest', abort: true })
  })
  await clock.advance(100)
  await Promise.all(given)
  expect(answers).toEqual([
    'thrust accepted',
    expect.stringMatching(/^below ground: semi_major_axis: .* below the ground of Globe\.$/),
    'abort of nothing: No maneuver is under way.',
    'above accepted',
    'abort accepted',
  ])
  expect(world.intake.pending.map(({ control }) => Object.keys(control))).toEqual([
    ['thrustLevel'],
    ['maneuver'],
    ['pointing', 'abort'],
  ])
  await engine.stop()
})
