import type { CoverageItem } from '../records/coverage.ts'
import { literalLine } from './literal.ts'
import {
  type Template,
  answersOf,
  decisionTextsOf,
  decisionsOf,
  diagramsOf,
  factsOf,
  hint,
  joined,
  openPointsOf,
  emptyTable,
  titleOf,
} from './template-context.ts'

/** The structure of a system, for its engineers. */
export const architecture: Template = (context) =>
  joined(
    titleOf(context, 'architecture'),
    '[TOC]',
    '## Purpose and scope',
    factsOf(context),
    '## Requirements',
    answersOf(context, ['requirements', 'scaling'], 'Users, load, growth, response times, limits.'),
    '## Views',
    diagramsOf(context),
    '## Components',
    emptyTable(['Component', 'Task', 'Runs on', 'Depends on'], [['', '', '', '']]),
    '## Data',
    answersOf(context, ['storage'], 'What is kept where, for how long, and how it flows.'),
    '## Network',
    answersOf(context, ['networking'], 'Zones, addresses, entry points, connections outside.'),
    '## Security and identity',
    answersOf(
      context,
      ['security', 'identity', 'compliance'],
      'Who may do what; encryption, secrets, evidence.',
    ),
    '## Availability and recovery',
    answersOf(context, ['dr'], 'What may fail, how long it may last, how it comes back.'),
    '## Decisions',
    decisionsOf(context),
    '## Open points',
    openPointsOf(context),
  )

/** The complete design with reasons, for approval. */
export const designDocument: Template = (context) =>
  joined(
    titleOf(context, 'design document'),
    '[TOC]',
    '## Summary',
    factsOf(context),
    '## Goals and limits',
    answersOf(context, ['requirements'], 'What must be reached, and what is left out on purpose.'),
    '## Proposed design',
    diagramsOf(context),
    '## Compute and scaling',
    answersOf(context, ['compute', 'scaling'], 'Sizes, scaling rules, limits of the platform.'),
    '## Storage',
    answersOf(context, ['storage'], 'Kinds of storage, sizes, growth, protection.'),
    '## Network',
    answersOf(context, ['networking'], 'Zones, addresses, entry points, connections outside.'),
    '## Security, identity and compliance',
    answersOf(
      context,
      ['security', 'identity', 'compliance'],
      'Threats, controls, duties and their evidence.',
    ),
    '## Operation and recovery',
    answersOf(context, ['operations', 'monitoring', 'dr'], 'How it is run, watched and restored.'),
    '## Migration',
    answersOf(context, ['migration'], 'From what is there to what is planned, step by step.'),
    '## Decisions',
    decisionTextsOf(context),
    '## Alternatives',
    hint('What else was considered, and why it was not chosen.'),
    '## Risks and open points',
    openPointsOf(context),
    '## Approval',
    emptyTable(['Name', 'Role', 'Date'], [['', '', '']]),
  )

/** The operation of a system, for those on call. */
export const runbook: Template = (context) =>
  joined(
    titleOf(context, 'runbook'),
    '[TOC]',
    '## The system',
    factsOf(context),
    '## Who to call',
    emptyTable(['Part', 'Team', 'Reached by', 'Hours'], [['', '', '', '']]),
    '## Access',
    answersOf(context, ['identity'], 'Consoles and hosts, and how rights to them are got.'),
    '## Routine work',
    answersOf(context, ['operations'], 'What is done daily, weekly, monthly, and how.'),
    '## Start, stop, release, roll back',
    hint('Numbered steps, each with how to see that it worked.'),
    '## Monitoring and alerts',
    answersOf(context, ['monitoring'], 'What is watched, where, and at which values.'),
    emptyTable(['Alert', 'Means', 'First step', 'Escalate to'], [['', '', '', '']]),
    '## Scaling',
    answersOf(context, ['scaling'], 'What is scaled, at what sign, and how far.'),
    '## Backup and recovery',
    answersOf(context, ['dr', 'storage'], 'Backups, test restores, steps of a recovery.'),
    '## Security incidents',
    answersOf(context, ['security'], 'Whom to tell, what to cut off, what to keep as evidence.'),
    '## Known problems',
    openPointsOf(context),
  )

/** The costs of building and running a design. */
export const costEstimate: Template = (context) => {
  const providers = context.records?.project.cloud_providers ?? []
  const places = providers.length > 0 ? providers : ['']
  const items = ['Compute', 'Storage', 'Network', 'Data services', 'Licences', 'Support']
  return joined(
    titleOf(context, 'cost estimate'),
    '## What is estimated',
    factsOf(context),
    '## Assumptions',
    answersOf(context, ['cost'], 'Currency, region, price list and its date, load, hours, growth.'),
    '## Load',
    answersOf(context, ['scaling', 'compute'], 'Sizes and numbers that prices are multiplied by.'),
    '## Running costs per month',
    emptyTable(
      ['Provider', 'Item', 'Quantity', 'Unit price', 'Per month'],
      places.flatMap((provider) => items.map((item) => [provider, item, '', '', ''])),
    ),
    '## One-off costs',
    emptyTable(
      ['Item', 'Effort', 'Price'],
      ['Migration', 'Implementation', 'Training'].map((item) => [item, '', '']),
    ),
    '## Over three years',
    emptyTable(
      ['Scenario', 'First year', 'Second year', 'Third year', 'Total'],
      ['Low', 'Expected', 'High'].map((scenario) => [scenario, '', '', '', '']),
    ),
    '## Ways to save',
    hint('Commitments, sizes, schedules, tiers; each with what it saves and what it binds.'),
    '## Decisions that set the costs',
    decisionsOf(context),
  )
}

const MARKS: Readonly<Record<CoverageItem['status'], string>> = {
  addressed: '[x]',
  na: '[x]',
  deferred: '[ ]',
  pending: '[ ]',
}

const WORDS: Readonly<Record<CoverageItem['status'], string>> = {
  addressed: '',
  na: 'not applicable',
  deferred: 'deferred',
  pending: '',
}

/** The coverage of the checklists by a design. */
export const coverageChecklist: Template = (context) => {
  const coverage = context.records?.coverage ?? []
  const files = [...Map.groupBy(coverage, ({ knowledge_file: file }) => file)]
  const critical = coverage.filter(({ priority }) => priority === 'Critical')
  const open = critical.filter(({ status }) => status === 'pending' || status === 'deferred')
  return joined(
    titleOf(context, 'coverage checklist'),
    coverage.length === 0
      ? hint('One section per knowledge file, with its items: critical, recommended, optional.')
      : `${coverage.length} items; ${open.length} of ${critical.length} critical ones are open.`,
    ...files.map(([file, items]) =>
      [`## ${literalLine(file)}`, items.map(checkedItem).join('\n')].join('\n\n'),
    ),
    '## Open points',
    openPointsOf(context),
  )
}

function checkedItem({ item_text: text, priority, status, reason }: CoverageItem): string {
  const why = [WORDS[status], reason?.trim() ? literalLine(reason) : ''].filter((part) => part)
  const end = why.length > 0 ? ` (${why.join(': ')})` : ''
  return `- ${MARKS[status]} **[${priority}]** ${literalLine(text)}${end}`
}

/** The plan for infrastructure as code. */
export const iacPlan: Template = (context) =>
  joined(
    titleOf(context, 'infrastructure as code'),
    '## What is built',
    factsOf(context),
    '## Tool',
    hint('The tool the user chose, its version, and the record of that decision.'),
    decisionsOf(context),
    '## Repositories and modules',
    emptyTable(['Module', 'Creates', 'Inputs', 'Outputs', 'Depends on'], [['', '', '', '', '']]),
    '## Environments',
    emptyTable(
      ['Environment', 'Account or cluster', 'Differs in'],
      ['development', 'test', 'production'].map((name) => [name, '', '']),
    ),
    '## State and locking',
    hint('Where state is kept, encrypted, locked and backed up; who may read it.'),
    '## Secrets',
    answersOf(context, ['security', 'identity'], 'Where secrets live; none are in code or state.'),
    '## Network',
    answersOf(context, ['networking'], 'Zones, addresses, names, rules.'),
    '## Compute and storage',
    answersOf(context, ['compute', 'storage'], 'Sizes, images, disks, classes.'),
    '## Pipeline',
    hint('Format, validate, policy check, plan, review, apply, detection of drift.'),
    '## Order of building',
    hint('Numbered, each with how to see that it is right and how it is taken back.'),
    '## Open points',
    openPointsOf(context),
  )

export const TEMPLATES: Readonly<Record<string, Template>> = {
  architecture,
  'cost-estimate': costEstimate,
  'coverage-checklist': coverageChecklist,
  'design-document': designDocument,
  'iac-plan': iacPlan,
  runbook,
}
