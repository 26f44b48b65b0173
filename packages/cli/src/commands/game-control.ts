import type { PaceVoteResponse } from '@orrery/client'
import type { Command } from 'commander'
import { isOn, number } from '../arguments.ts'
import { confirmed } from '../asking.ts'
import { type Context, works } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { onOff, plain } from '../text.ts'

/** The game's clock: pause, rate, scale, sync, and the reset of everything. */
export function addGameControl(program: Command): void {
  addPause(program)
  addTickRate(program)
  addTimeScale(program)
  addPaceVote(program)
  addAutomatics(program)
  addReset(program)
}

function addPause(program: Command): void {
  works(program.command('pause').description('stop game time'), 'pause', async ({ admin }) => {
    const answer = await (await admin()).game.pause()
    return { answer, text: `Paused at tick ${answer.paused_at_tick}.` }
  })
  works(program.command('resume').description('go on'), 'resume', async ({ admin }) => {
    const answer = await (await admin()).game.resume()
    return { answer, text: `Running from tick ${answer.resumed_at_tick}.` }
  })
}

function addTickRate(program: Command): void {
  const group = program.command('tick-rate').description('ticks per second')
  works(group.command('get').description('the rate in force'), 'tick-rate get', async (context) => {
    const { tick_rate, actual_rate, adaptive_tick_rate } = await (await context.admin()).status()
    const answer = { tick_rate, actual_rate, adaptive_tick_rate }
    const mode = adaptive_tick_rate ? ', adaptive' : ''
    return { answer, text: `${tick_rate} Hz${mode}, ${actual_rate.toFixed(2)} Hz measured` }
  })
  works(
    group.command('set').description('change it').argument('<hz>', '0.1 to 100', number),
    'tick-rate set 5',
    async ({ admin }, hz) => {
      const answer = await (await admin()).game.changeTickRate(Number(hz))
      return { answer, text: `Tick rate ${answer.new_rate} Hz, before ${answer.previous_rate} Hz.` }
    },
  )
}

function addTimeScale(program: Command): void {
  const group = program.command('time-scale').description('game seconds per second')
  works(group.command('get').description('the scale'), 'time-scale get', async ({ admin }) => {
    const { time_scale, effective_time_scale } = await (await admin()).status()
    const answer = { time_scale, effective_time_scale }
    return { answer, text: `${time_scale}, ${effective_time_scale} in force` }
  })
  works(
    group.command('set').description('change it').argument('<scale>', '0.1 to 100', number),
    'time-scale set 10',
    async ({ admin }, scale) => {
      const answer = await (await admin()).game.changeTimeScale(Number(scale))
      return { answer, text: `Time scale ${answer.new_scale}, before ${answer.previous_scale}.` }
    },
  )
}

function addPaceVote(program: Command): void {
  const group = program.command('pace-vote').description("the pilots' vote for the time scale")
  works(group.command('get').description('bounds and votes'), 'pace-vote get', async (context) => {
    const answer = await (await context.admin()).game.paceVote()
    return { answer, text: votesText(answer) }
  })
  works(
    group
      .command('on')
      .description('let them: all must have a vote, the lowest counts')
      .argument('<lowest>', '0.1 to 100', number)
      .argument('<highest>', '0.1 to 100', number),
    'pace-vote on 1 10',
    async ({ admin }, lowest, highest) => {
      const bounds = { lowest: Number(lowest), highest: Number(highest) }
      const answer = await (await admin()).game.allowPaceVote(bounds)
      return { answer, text: votesText(answer) }
    },
  )
  works(
    group.command('off').description('set the time scale alone again'),
    'pace-vote off',
    async ({ admin }) => {
      const answer = await (await admin()).game.endPaceVote()
      return { answer, text: votesText(answer) }
    },
  )
}

function votesText({ lowest, highest, voters, votes, pace }: PaceVoteResponse): string {
  if (lowest === null) return 'The vote for the pace is off.'
  const outcome = pace === null ? '' : `: ${pace}`
  return `Pilots may vote for ${lowest} to ${highest}; ${votes} of ${voters} have${outcome}.`
}

function addAutomatics(program: Command): void {
  works(
    program.command('time-sync').description('let game time follow UTC').argument('<on|off>'),
    'time-sync on',
    async ({ admin }, state) => {
      const answer = await (await admin()).game.switchTimeSync(isOn(state))
      return { answer, text: `Time sync is ${onOff(answer.current)}.` }
    },
  )
  works(
    program.command('adaptive').description('let the tick rate follow load').argument('<on|off>'),
    'adaptive on',
    async ({ admin }, state) => {
      const answer = await (await admin()).game.switchAdaptiveTickRate(isOn(state))
      return { answer, text: `The adaptive tick rate is ${onOff(answer.adaptive_tick_rate)}.` }
    },
  )
  works(
    program
      .command('registrations')
      .description('whether players can register')
      .argument('[open|close]', 'without it nothing changes'),
    'registrations close',
    async (context, wanted?: string) => {
      const answer = await registrations(context, wanted)
      return { answer, text: `Registration is ${answer.registration_open ? 'open' : 'closed'}.` }
    },
  )
  works(
    program
      .command('talk')
      .description('whether pilots can send each other messages')
      .argument('<on|off>'),
    'talk on',
    async ({ admin }, state) => {
      const answer = await (await admin()).switchTalk(isOn(state))
      return { answer, text: `Talk is ${onOff(answer.talk_enabled)}.` }
    },
  )
}

async function registrations(
  { admin }: Context<object>,
  wanted: string | undefined,
): Promise<{ readonly registration_open: boolean }> {
  const { registrations: routes } = await admin()
  if (wanted === undefined) return routes.state()
  if (wanted === 'open') return routes.open()
  if (wanted === 'close') return routes.close()
  throw new Failure(EXIT.usage, '`open` or `close` is expected.')
}

const FIRST_ADMIN =
  "The only admin has the name and the password of the server's environment, ADMIN_USERNAME and " +
  'ADMIN_PASSWORD, even where they were changed since.'

function addReset(program: Command): void {
  works<{ yes?: boolean }>(
    program
      .command('reset')
      .description('begin again: a new world, and no account but the first admin; a backup first')
      .option('--yes', 'do not ask'),
    'reset --yes',
    async ({ admin, game, options }) => {
      const routes = await admin()
      const { server_name } = await (await game()).status()
      const name = plain(server_name)
      const lost = `all ships, accounts, rules, settings and snapshots of "${name}"`
      await confirmed(`Delete ${lost}? ${FIRST_ADMIN}`, options.yes)
      await confirmed(`Really begin "${name}" again?`, options.yes)
      const answer = await routes.game.reset()
      const { game_time, backup_id } = answer
      const text = `A new world since ${game_time}. Before it: backup ${backup_id}. ${FIRST_ADMIN}`
      return { answer, text }
    },
  )
}
