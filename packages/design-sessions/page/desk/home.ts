import type { Client } from '../../src/records/clients.ts'
import type { Project } from '../../src/records/projects.ts'
import type { Sent } from '../kit/api.ts'
import { element, prose } from '../kit/element.ts'
import { lineField } from '../kit/field.ts'
import { fill } from '../kit/loading.ts'
import { recordList } from '../kit/record-list.ts'
import { importForm } from './import.ts'
import { addressOf } from './place.ts'
import { PROJECT_FIELDS } from './project-fields.ts'

const CLIENT_FIELDS = [
  lineField('name', 'Name', { isRequired: true }),
  lineField('logo_path', 'Logo', {
    empty: null,
    hint: 'The name of an upload of any version of this client, for the cover of reports.',
  }),
]

/** Clients; the projects of one are loaded when it is opened. */
export async function home(): Promise<readonly Node[]> {
  const clients = await recordList<Client>({
    path: '/clients',
    noun: 'client',
    nothing: 'There are no clients yet.',
    heading: 'h2',
    fields: CLIENT_FIELDS,
    initial: { name: '', logo_path: null },
    title: ({ name }) => name,
    shown: ({ id }) => [projectsOf(id), importForm(id)],
  })
  return [element('h1', {}, 'Projects'), clients]
}

function projectsOf(client: string): Node {
  const place = element('div', {})
  const details = element('details', {}, element('summary', {}, 'Projects'), place)
  const load = (): Promise<Node> =>
    recordList<Project>({
      path: `/clients/${client}/projects`,
      noun: 'project',
      nothing: 'No projects yet.',
      fields: PROJECT_FIELDS,
      initial: { name: '', cloud_providers: [], compliance_frameworks: [], status: 'draft' },
      title: ({ name }) => name,
      shown: (project) => projectNodes(client, project),
    })
  details.addEventListener('toggle', () => void fill(place, load), { once: true })
  return details
}

function projectNodes(client: string, { id, name, status, description }: Sent<Project>): Node[] {
  const link = element('a', { href: addressOf({ client, project: id }) }, `Open ${name}`)
  return [
    element('p', { className: 'row' }, link, element('span', { className: 'pale' }, status)),
    ...(description === null ? [] : [prose(description)]),
  ]
}
