// Goal: help and completions are there for every command. Method: the commands themselves, and
// shells that read the scripts.
import type { Command } from 'commander'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createProgram } from '../src/program.ts'
import { runProcess } from './terminal.ts'

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
    (await runProcess({ args: ['complete', '--', 'snapshot', ''], variables: {} })).stdout,
  ).toMatch(/^restore\t/m)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await runProcess({ args: ['completion', shell], variables: {} })
    expect(code).toBe(0)
    expect(stdout).toContain('orrery')
    if (shell !== 'bash') continue
    const checked = spawn('bash', ['-n'])
    checked.stdin.end(stdout)
    expect(await once(checked, 'close')).toEqual([0, null])
  }
})
