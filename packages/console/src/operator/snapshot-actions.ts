/** Stored worlds, and moments after them that are flown again. */
import type { AdminClient } from '@orrery/client'
import { api } from '@orrery/client/routes'
import type { Actions } from './action.ts'
import { systemId } from './named.ts'

type Undoes = Awaited<ReturnType<AdminClient['snapshots']['preview']>>['undoes']

/** Between two looks at a flight through the past [ms]. */
const PAST_MS = 500

export const snapshotActions: Actions<
  'makeSnapshot' | 'restoreSnapshot' | 'deleteSnapshot' | 'lookBack'
> = {
  makeSnapshot: {
    key: 'n',
    title: () => 'Make a snapshot',
    operations: ['createSnapshot'],
    run: async ({ snapshots }) => {
      const { snapshot_id, tick_number } = await snapshots.create()
      return `Snapshot ${snapshot_id}, tick ${tick_number}.`
    },
  },
  restoreSnapshot: {
    key: 'e',
    title: () => 'Restore a snapshot',
    operations: ['restoreSnapshot', 'readSnapshot'],
    fields: [{ name: 'snapshot', label: 'Number of the snapshot', kind: 'number' }],
    isGrave: true,
    consequences: async ({ snapshots }, { snapshot }) => {
      const { undoes, game_time } = await snapshots.preview(Number(snapshot))
      return [`The world goes back to ${game_time}.`, ...undone(undoes)]
    },
    run: async ({ snapshots }, { snapshot }) => {
      const { tick_number, game_time } = await snapshots.restore(Number(snapshot))
      return `Restored: tick ${tick_number}, game time ${game_time}.`
    },
  },
  deleteSnapshot: {
    key: '-',
    title: () => 'Delete a snapshot',
    operations: ['deleteSnapshot'],
    fields: [{ name: 'snapshot', label: 'Number of the snapshot', kind: 'number' }],
    isGrave: true,
    consequences: async (_, { snapshot }) => [`Snapshot ${snapshot} can never be restored again.`],
    run: async ({ snapshots }, { snapshot }) => {
      await snapshots.remove(Number(snapshot))
      return `Snapshot ${snapshot} is deleted.`
    },
  },
  lookBack: {
    key: '^',
    title: () => 'Look back',
    operations: ['openPast', 'readPast', 'readPastSky', 'endPast'],
    fields: [
      { name: 'system', label: 'Star system', hint: 'name or id', find: systemId },
      { name: 'time', label: 'Game time (UTC)' },
    ],
    run: async ({ call }, { system = '', time: at = '' }) => {
      const { past_id } = await call(api.openPast, { system_id: system, at })
      while ((await call(api.readPast, { past_id })).state === 'flying') {
        await new Promise((resolve) => void setTimeout(resolve, PAST_MS))
      }
      try {
        const { digests, game_time, ships } = await call(api.readPastSky, { past_id, at })
        const { compared, equal } = digests
        return `At ${game_time}: ${ships.length} ships; ${equal} of ${compared} digests are equal.`
      } finally {
        await call(api.endPast, { past_id })
      }
    },
  },
}

function undone(undoes: Undoes): string[] {
  const named = (what: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`${what}: ${names.join(', ')}.`]
  return [
    `It undoes ${undoes.ticks} ticks, ${Math.round(undoes.game_seconds)} s of game time.`,
    `${undoes.ships} ships return to where they were; ${undoes.ships_begin_again} younger ones` +
      ' begin at their spawn orbit.',
    ...named('Stations that disappear', undoes.stations_gone),
    ...named('Stations that return', undoes.stations_back),
    ...named('Jump gates that disappear', undoes.jumpgates_gone),
    ...named('Jump gates that return', undoes.jumpgates_back),
    'What is not in a snapshot is lost.',
  ]
}
