import { readFileSync, readdirSync } from 'node:fs'
import type { CoverageItem } from '../records/coverage.ts'
import { literalLine } from '../markdown/literal.ts'
import {
  type Template,
  answersOf,
  decisionTextsOf,
  decisionsOf,
  diagramsOf,
  factsOf,
  openPointsOf,
  titleOf,
} from './template-context.ts'

const DIRECTORY = new URL('../../templates/', import.meta.url)

/** What replaces a mark such as `{{answers storage dr}}`; nothing is known without records. */
const PARTS: Readonly<Record<string, (...given: [...Parameters<Template>, string]) => string>> = {
  title: titleOf,
  facts: factsOf,
  diagrams: diagramsOf,
  decisions: decisionsOf,
  'decision-texts': decisionTextsOf,
  answers: answersOf,
  'open-points': openPointsOf,
  checklist: checklistOf,
}

const MARK = /^\{\{([\w-]+) ?([^{}]*)\}\}\n*/gm

/** Documents by name; comments in them are for their authors and are not shown. */
export const TEMPLATES: Readonly<Record<string, Template>> = Object.fromEntries(
  readdirSync(DIRECTORY).map((file) => {
    const text = readFileSync(new URL(file, DIRECTORY), 'utf8')
    const template: Template = (context) => {
      const filled = text.replaceAll(MARK, (_, name: string, words: string) => {
        const part = PARTS[name](context, words)
        return part === '' ? '' : `${part}\n\n`
      })
      return `${filled.trimEnd()}\n`
    }
    return [file.replace(/\.md$/, ''), template]
  }),
)

const WORDS: Readonly<Record<CoverageItem['status'], string>> = {
  addressed: '',
  na: 'not applicable',
  deferred: 'deferred',
  pending: '',
}

/** The coverage of the checklists, file by file. */
function checklistOf({ records }: Parameters<Template>[0]): string {
  const coverage = records?.coverage ?? []
  if (coverage.length === 0) return ''
  const critical = coverage.filter(({ priority }) => priority === 'Critical')
  const open = critical.filter(({ status }) => status === 'pending' || status === 'deferred')
  const files = [...Map.groupBy(coverage, ({ knowledge_file: file }) => file)]
  return [
    `${coverage.length} items; ${open.length} of ${critical.length} critical ones are open.`,
    ...files.map(([file, items]) => `## ${literalLine(file)}\n\n${items.map(item).join('\n')}`),
  ].join('\n\n')
}

function item({ item_text: text, priority, status, reason }: CoverageItem): string {
  const why = [WORDS[status], reason?.trim() ? literalLine(reason) : ''].filter((part) => part)
  const end = why.length > 0 ? ` (${why.join(': ')})` : ''
  const box = status === 'addressed' || status === 'na' ? '[x]' : '[ ]'
  return `- ${box} **[${priority}]** ${literalLine(text)}${end}`
}
