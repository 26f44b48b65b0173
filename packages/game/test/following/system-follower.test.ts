// Law: a host flies what is published of a star system of another without a look at the journal,
// which it reads where something is missing.
// Method: the game without a network on a real database, which follows a system of its own; the
// test publishes for its owner, and moves the clock on.
import { createLocalBus } from '@orrery/bus'
import { systemClock } from '@orrery/engine/testing'
import { expect, test } from 'vitest'
import { followSystem } from '../../src/following/system-follower.ts'
import { SYSTEM_IDS } from '../../src/index.ts'
import { encodeStreamMessage, rowSubject } from '../../src/streaming/stream-message.ts'
import { callingThread, openGameDatabase, openTestGame, until } from '../game-fixture.ts'

const { database, empty } = await openGameDatabase()

const [, FAR = ''] = SYSTEM_IDS

test('what is published of a system waits for no look at its journal', async () => {
  await empty()
  const game = await openTestGame(database, { createPool: callingThread })
  await game.fly(1)
  await game.journalWriter.durable()
  const bus = createLocalBus()
  let nowMs = 0
  let asked = 0
  const sql = new Proxy(database.sql, {
    apply: (target, self, words) => {
      asked++
      return Reflect.apply(target, self, words)
    },
  })
  const follower = await followSystem({
    sql,
    bus,
    engine: game.engine,
    era: 1,
    systemId: FAR,
    clock: { ...systemClock, monotonicMs: () => nowMs },
    logger: { info: () => undefined, error: () => undefined, fatal: () => undefined },
  })
  const world = game.engine.universe.worlds.find(({ state }) => state.system.id === FAR)
  const begun = world?.index ?? NaN
  const ending = new AbortController()
  const following = follower.follow(ending.signal)
  await until(() => asked > 0)
  const mark = { kind: 'mark', era: 1, fence: 9, tick: 2, paused: false } as const
  const pace = { tickRate: 10, timeScale: 1, remainder: ['0', '1'] } as const
  const publish = (index: number, sequence = 0): void => {
    const message = { ...mark, ...pace, index: begun + index, sequence }
    bus.publish(rowSubject(FAR, 9), encodeStreamMessage(message))
  }
  publish(6)
  await until(() => world?.index === begun + 6)
  const before = asked
  for (let index = 7; index < 12; index++) {
    nowMs += 60
    publish(index)
    await until(() => world?.index === begun + index)
  }
  expect(asked).toBe(before)
  nowMs += 60
  publish(12, (world?.intake.sequence ?? NaN) + 1)
  await until(() => asked > before)
  ending.abort()
  await following
  await game.crash()
})
