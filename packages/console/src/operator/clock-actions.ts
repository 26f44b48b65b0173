/** The clock of the game, its registrations and talk, and the reset of everything. */
import type { PaceVoteResponse } from '@orrery/client'
import type { Actions } from './action.ts'

export const clockActions: Actions<
  | 'pause'
  | 'tickRate'
  | 'timeScale'
  | 'moveClock'
  | 'stopClock'
  | 'timeSync'
  | 'adaptiveTickRate'
  | 'paceVote'
  | 'endPaceVote'
  | 'registration'
  | 'talk'
  | 'reset'
> = {
  pause: {
    key: 'p',
    title: ({ status }) => (status.paused ? 'Resume' : 'Pause'),
    operations: ['pause', 'resume'],
    run: async ({ game }, _values, { status }) => {
      if (status.paused) return `Running from tick ${(await game.resume()).resumed_at_tick}.`
      return `Paused at tick ${(await game.pause()).paused_at_tick}.`
    },
  },
  tickRate: {
    key: 't',
    title: () => 'Set the tick rate',
    operations: ['changeTickRate'],
    fields: [
      {
        name: 'rate',
        label: 'Ticks per second',
        kind: 'number',
        hint: '0.1 to 100 Hz; kept for later while the rate is adaptive',
        initial: ({ status }) => String(status.tick_rate),
      },
    ],
    run: async ({ game }, { rate }) => {
      const { new_rate, previous_rate } = await game.changeTickRate(Number(rate))
      return `Tick rate ${new_rate} Hz, before ${previous_rate} Hz.`
    },
  },
  timeScale: {
    key: 's',
    title: () => 'Set the time scale',
    operations: ['changeTimeScale'],
    fields: [
      {
        name: 'scale',
        label: 'Game seconds per second',
        kind: 'number',
        hint: '0.1 to 100',
        initial: ({ status }) => String(status.time_scale),
      },
    ],
    offBecause: ({ status }) =>
      status.time_sync_enabled ? 'Time sync holds the scale; switch it off first.' : undefined,
    run: async ({ game }, { scale }) => {
      const { new_scale, previous_scale } = await game.changeTimeScale(Number(scale))
      return `Time scale ${new_scale}, before ${previous_scale}.`
    },
  },
  moveClock: {
    key: 'i',
    title: () => 'Advance game time',
    operations: ['moveClock'],
    fields: [
      {
        name: 'time',
        label: 'Later moment (UTC)',
        hint: 'ISO 8601; every ship is flown there, 1,000 s a tick',
        initial: () => new Date().toISOString(),
      },
    ],
    run: async ({ game }, { time }) => {
      const { game_time } = await game.moveClock(time ?? '')
      return `Game time fast-forwards to ${game_time}.`
    },
  },
  stopClock: {
    key: 'r',
    title: () => 'Stop advancing game time',
    operations: ['stopClock'],
    offBecause: ({ load }) => (load.clock_goal === null ? 'Game time does not hurry.' : undefined),
    run: async ({ game }) => {
      const { game_time } = await game.stopClock()
      return `Game time goes on at its set scale from ${game_time}.`
    },
  },
  timeSync: {
    key: 'y',
    title: ({ status }) => `${status.time_sync_enabled ? 'Disable' : 'Enable'} time sync`,
    operations: ['switchTimeSync'],
    run: async ({ game }, _values, { status }) => {
      const { current } = await game.switchTimeSync(!status.time_sync_enabled)
      return `Time sync is ${current ? 'on' : 'off'}.`
    },
  },
  adaptiveTickRate: {
    key: 'a',
    title: ({ status }) =>
      `${status.adaptive_tick_rate ? 'Disable' : 'Enable'} the adaptive tick rate`,
    operations: ['switchAdaptiveTickRate'],
    run: async ({ game }, _values, { status }) => {
      const answer = await game.switchAdaptiveTickRate(!status.adaptive_tick_rate)
      return `The adaptive tick rate is ${answer.adaptive_tick_rate ? 'on' : 'off'}.`
    },
  },
  paceVote: {
    key: '#',
    title: () => 'Let pilots vote for the time scale',
    operations: ['readPaceVote', 'allowPaceVote'],
    fields: [
      { name: 'lowest', label: 'Lowest', kind: 'number', hint: '0.1 to 100', initial: () => '1' },
      { name: 'highest', label: 'Highest', kind: 'number', hint: '0.1 to 100' },
    ],
    consequences: async ({ game }) => [
      'When every connected pilot has a vote, the lowest one is the time scale.',
      `Now: ${votesText(await game.paceVote())}`,
    ],
    run: async ({ game }, { lowest, highest }) =>
      votesText(await game.allowPaceVote({ lowest: Number(lowest), highest: Number(highest) })),
  },
  endPaceVote: {
    key: '$',
    title: () => 'End the vote for the time scale',
    operations: ['endPaceVote'],
    run: async ({ game }) => votesText(await game.endPaceVote()),
  },
  registration: {
    key: 'o',
    title: ({ status }) => `${status.registration_open ? 'Close' : 'Open'} registration`,
    operations: ['openRegistrations', 'closeRegistrations'],
    run: async ({ registrations }, _values, { status }) => {
      const answer = await (status.registration_open ? registrations.close() : registrations.open())
      return `Registration is ${answer.registration_open ? 'open' : 'closed'}.`
    },
  },
  talk: {
    key: '&',
    title: ({ status }) => `${status.talk_enabled ? 'Disable' : 'Enable'} talk between pilots`,
    operations: ['switchTalk'],
    run: async (admin, _values, { status }) => {
      const answer = await admin.switchTalk(!status.talk_enabled)
      return `Talk is ${answer.talk_enabled ? 'on' : 'off'}.`
    },
  },
  reset: {
    key: 'f',
    title: () => 'Reset to factory state',
    operations: ['resetGame'],
    isGrave: true,
    word: ({ open }) => open.server_name,
    consequences: async () => [
      'All ships, accounts, rules, maneuvers, settings and snapshots are deleted.',
      'A backup is made first.',
      'The first admin has the name and password of the environment again, whatever they are now.',
    ],
    run: async ({ game }) => {
      const { game_time, backup_id } = await game.reset()
      return `A new world since ${game_time}. Before it: backup ${backup_id}.`
    },
  },
}

function votesText({ lowest, highest, voters, votes, pace }: PaceVoteResponse): string {
  if (lowest === null) return 'Pilots vote for nothing.'
  const outcome = pace === null ? '' : `: ${pace}`
  return `Pilots may vote for ${lowest} to ${highest}; ${votes} of ${voters} have${outcome}.`
}
