import type { AuditEntry } from '../../src/records/audit.ts'
import type { Sent } from '../kit/api.ts'
import { element } from '../kit/element.ts'
import { filtered } from '../kit/filtered.ts'
import { listing } from '../kit/listing.ts'

const KINDS = {
  project: 'Project',
  version: 'Version',
  question: 'Question',
  adr: 'Decision',
  artifact: 'Diagram or document',
  coverage_item: 'Coverage item',
  inventory_item: 'Inventory',
  upload: 'File',
}

const ACTIONS: Readonly<Record<AuditEntry['action'], string>> = {
  create: 'created',
  change: 'changed',
  delete: 'deleted',
  clone: 'copied',
  import: 'imported',
}

/** Who changed what in a project, the newest first. */
export function history(project: string): Promise<HTMLElement> {
  return filtered([{ name: 'kind', label: 'Records', choices: KINDS }], (query) =>
    listing<AuditEntry>(`/audit${query}&project_id=${project}`, entry, 'No changes yet.'),
  )
}

function entry({ at, author, action, kind, title, changes }: Sent<AuditEntry>): Node {
  const name = Object.entries(KINDS).find(([key]) => key === kind)?.[1] ?? kind
  const what = `${author ?? 'Somebody'} ${ACTIONS[action]} ${name.toLowerCase()}: ${title}`
  const when = `${at.slice(0, 16).replace('T', ' ')} UTC`
  const rows = Object.entries(changes).flatMap(([field, value]) => [
    element('dt', {}, field.replaceAll('_', ' ')),
    element('dd', {}, typeof value === 'string' ? value : JSON.stringify(value)),
  ])
  return element(
    'div',
    { className: 'entry' },
    element('p', {}, what, ' ', element('span', { className: 'pale' }, when)),
    ...(rows.length > 0
      ? [element('details', {}, element('summary', {}, 'Fields'), element('dl', {}, ...rows))]
      : []),
  )
}
