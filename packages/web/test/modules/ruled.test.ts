// Law: a rule on modules is said in the words of their panels, and by their names where no panel
// shows them.
import type { ModuleEntry, ModulePanel, RuleCondition, RuleRequest } from '@orrery/client'
import { expect, test } from 'vitest'
import { commandWords, conditionWords, drawnModules } from '../../src/modules/ruled.ts'
import { ruleSentence } from '../../src/orders/rule-words.ts'

const field = (
  label: string,
  column: string,
  kind: 'f64' | 'bit',
  words: readonly string[] = [],
) => {
  return { label, column, kind, unit: kind === 'bit' ? '' : 'kg', words }
}

const panel: ModulePanel = {
  title: 'Mining',
  fields: [
    field('Ore', 'ore', 'f64'),
    field('Hold', 'full', 'bit', ['has room', 'is full']),
    field('Drilling', 'drills', 'bit'),
  ],
  buttons: [{ label: 'Make fuel', command: 'refine', inputs: [] }],
  lists: [
    {
      label: 'Asteroids',
      table: 'asteroid',
      row: 'Asteroid',
      columns: [],
      buttons: [{ label: 'Drill', command: 'drill', inputs: [], row: 'asteroid' }],
      marker: false,
    },
  ],
}
const MINING: ModuleEntry = { module: 'mining', version: 1, stopped: {}, commands: [], panel }

const { panel: _panel, ...hidden } = { ...MINING, module: 'hidden' }
const modules = drawnModules([MINING, hidden])

const sentence = (condition: Partial<RuleCondition>, command = 'refine', module = 'mining') => {
  const rule: RuleRequest = {
    name: 'Mine',
    condition: { type: 'module', module: 'mining', ...condition },
    action: { type: 'event' },
    module_command: { module, command },
  }
  return ruleSentence(rule, () => '', {
    conditionWords: (one) => conditionWords(modules, one),
    commandWords: (one) => commandWords(modules, one),
  })
}

test.each([
  [{ column: 'ore', above: 7999.5 }, 'When Ore of Mining rises above 7,999.5 kg, '],
  [{ column: 'ore', below: 0.1 }, 'When Ore of Mining falls below 0.1 kg, '],
  [{ column: 'full', above: 1 }, 'When Hold of Mining: is full, '],
  [{ column: 'full', below: 0 }, 'When Hold of Mining: has room, '],
  [{ column: 'drills', below: 0 }, 'When Drilling of Mining: no, '],
  [{ column: 'tank', below: 5 }, 'When tank of mining falls below 5.000, '],
])('%j is %j', (condition, words) => {
  expect(sentence(condition)).toBe(`${words}order Make fuel of Mining.`)
})

test.each([
  ['drill', 'mining', 'order Drill of Mining.'],
  ['smelt', 'mining', 'order smelt of mining.'],
  ['refine', 'hidden', 'order refine of hidden.'],
])('%s of %s is %j', (command, module, words) => {
  expect(sentence({ column: 'ore', above: 1 }, command, module)).toContain(words)
})
