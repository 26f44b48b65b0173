import type { Client } from '../../src/records/clients.ts'
import type { Project } from '../../src/records/projects.ts'
import type { Sent } from '../kit/api.ts'
import { element, prose } from '../kit/element.ts'
import { listing } from '../kit/listing.ts'
import { fill } from '../kit/loading.ts'

/** Clients; the projects of one are loaded when it is opened. */
export async function home(): Promise<readonly Node[]> {
  const clients = await listing<Client>('/clients', clientPart, 'There are no clients yet.')
  return [element('h1', {}, 'Projects'), clients]
}

function clientPart({ id, name }: Sent<Client>): Node {
  const projects = element('div', {})
  const details = element('details', {}, element('summary', {}, name), projects)
  const shown = (project: Sent<Project>): Node => projectPart(id, project)
  const load = (): Promise<Node> =>
    listing<Project>(`/clients/${id}/projects`, shown, 'No projects yet.')
  details.addEventListener('toggle', () => void fill(projects, load), { once: true })
  return element('article', {}, details)
}

function projectPart(clientId: string, { id, name, status, description }: Sent<Project>): Node {
  const link = element('a', { href: `#/${clientId}/${id}` }, name)
  return element(
    'div',
    {},
    element('p', { className: 'row' }, link, element('span', { className: 'pale' }, status)),
    ...(description === null ? [] : [prose(description)]),
  )
}
