// Goal: help and completions are there for every command. Method: the commands themselves, and
// shells that read the scripts.
import type { Command } from 'commander'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { createProgram } from '../src/program.ts'
import { facts, table } from '../src/text.ts'
import { runHere, runProcessByNight } from './terminal.ts'

afterEach(() => vi.unstubAllEnvs())

/** All commands that do something, with the names before them. */
function commandsOf(command: Command, names: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[names.join(' '), command]]
  return command.commands.flatMap((sub) => commandsOf(sub, [...names, sub.name()]))
}

test('the help of each command shows an example of it', async () => {
  const ours = commandsOf(createProgram()).filter(([name]) => !/^(?:complet|help)/.test(name))
  expect(ours.length).toBeGreaterThan(35)
  for (const [name, command] of ours) {
    let help = ''
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
    expect(help).toContain(`Example:\n  orrery ${name}`)
  }
})

test('shells complete commands, and their scripts are sound', async () => {
  expect(
    (await runProcessByNight({ args: ['complete', '--', 'snapshot', ''], variables: {} })).stdout,
  ).toMatch(/^restore\t/m)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runProcessByNight({ args: ['completion', shell], variables: {} })
    expect(code).toBe(0)
    expect(stdout).toContain('orrery')
    if (shell !== 'bash') continue
    const checked = spawn('bash', ['-n'])
    checked.stdin.end(stdout)
    expect(await once(checked, 'close')).toEqual([0, null])
  }
})

/** Lines but those that are copied whole: commands. */
function proseOf(text: string): string[] {
  return text.split('\n').filter((line) => !/^Usage:|^ +orrery /.test(line))
}

test.each([40, 60, 80, 120])('help of every command fits %i columns', async (columns) => {
  vi.stubEnv('COLUMNS', String(columns))
  const program = createProgram()
  const commands = [program, ...program.commands, ...commandsOf(program).map(([, one]) => one)]
  for (const command of commands) {
    let help = ''
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
    const longest = Math.max(...proseOf(help).map((line) => line.length))
    expect([command.name(), longest > 20, longest <= columns]).toEqual([command.name(), true, true])
  }
})

test('a table that is too wide has a line for each value', () => {
  const uuid = '0b0e1f2a-0000-4000-8000-000000000001'
  const rows = [
    ['Ida', uuid, 'A text of several words that is longer than the line'],
    ['Jo', uuid, '-'],
  ]
  const wide = table(['NAME', 'ID', 'TEXT'], rows, 'None.')
  expect(wide.split('\n')).toHaveLength(3)
  vi.stubEnv('COLUMNS', '40')
  const narrow = table(['NAME', 'ID', 'TEXT'], rows, 'None.')
  expect(narrow).toBe(
    [
      `NAME  Ida\nID\n  ${uuid}\nTEXT`,
      '  A text of several words that is longer\n  than the line\n',
      `NAME  Jo\nID\n  ${uuid}\nTEXT  -`,
    ].join('\n'),
  )
  vi.stubEnv('COLUMNS', '100')
  expect(table(['NAME', 'ID', 'TEXT'], rows, 'None.').split('\n')).toHaveLength(3)
  expect(facts([['state', 'running']])).toBe('state  running')
})

test.each(['snapshot', 'snapshots', 'players', 'player', 'gate', 'backups', 'maneuver', 'metric'])(
  'the noun %s is a command',
  async (noun) => {
    const { code, stdout } = await runHere({ args: [noun, '--help'], variables: {} })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: orrery /)
  },
)

test('the version is printed, and a guess is near what was typed', async () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string }
  const run = (word: string) => runHere({ args: [word], variables: {} })
  expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect(await run('bogus')).toMatchObject({ code: 2, stderr: "error: unknown command 'bogus'\n" })
  expect((await run('statsu')).stderr).toContain('(Did you mean status?)')
  expect((await run('--jsn')).stderr).toContain('(Did you mean --json?)')
})
