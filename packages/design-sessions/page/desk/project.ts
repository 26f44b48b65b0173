import type { Adr } from '../../src/records/adrs.ts'
import type { Project } from '../../src/records/projects.ts'
import type { Version } from '../../src/records/versions.ts'
import { read, type Sent } from '../kit/api.ts'
import { diagrams } from '../artifacts/diagrams.ts'
import { documents } from '../artifacts/documents.ts'
import { element, prose } from '../kit/element.ts'
import { gate } from '../session/gate.ts'
import { listing } from '../kit/listing.ts'
import { fill } from '../kit/loading.ts'
import { questions } from '../session/questions.ts'
import { reportForm } from '../artifacts/report-form.ts'

/** All there is of a version of a project, by default the last. */
export async function projectPage(
  clientId: string,
  projectId: string,
  versionId: string | undefined,
): Promise<readonly Node[]> {
  const project = await read<Sent<Project>>(`/clients/${clientId}/projects/${projectId}`)
  const versions = await read<readonly Sent<Version>[]>(`/projects/${projectId}/versions`)
  const version = versions.find(({ id }) => id === versionId) ?? versions.at(-1)
  const title = element('h1', {}, project.name)
  const about = project.description === null ? [] : [prose(project.description)]
  if (!version) return [title, ...about, prose('This project has no versions yet.')]
  const path = `/versions/${version.id}`
  const links = versions.map(({ id, version_number: number, status }) =>
    element(
      'a',
      { href: `#/${clientId}/${projectId}/${id}`, ariaCurrent: id === version.id ? 'page' : null },
      `v${number} (${status})`,
    ),
  )
  const sections: readonly (readonly [string, () => Promise<Node>])[] = [
    ['Coverage gate', () => gate(path)],
    ['Questions', () => questions(path)],
    ['Decisions', () => listing<Adr>(`${path}/adrs`, decision, 'No decisions yet.')],
    ['Diagrams', () => diagrams(path)],
    ['Documents', () => documents(path)],
    ['Report', () => reportForm(path, project.name)],
  ]
  return [
    title,
    ...about,
    element('nav', { ariaLabel: 'Versions' }, ...links),
    ...(await Promise.all(sections.map(([name, load]) => part(name, load)))),
  ]
}

/** One part that fails leaves the others. */
async function part(name: string, load: () => Promise<Node>): Promise<Node> {
  const content = element('div', {})
  await fill(content, load)
  return element('section', { ariaLabel: name }, element('h2', {}, name), content)
}

function decision({
  adr_number: number,
  title,
  status,
  updated_at: time,
  ...adr
}: Sent<Adr>): Node {
  const name = `ADR-${String(number).padStart(3, '0')} ${title}`
  const parts = [
    ['Context', adr.context],
    ['Decision', adr.decision],
    ['Consequences', adr.consequences],
  ]
  return element(
    'article',
    {},
    element('h3', {}, name),
    element('p', { className: 'pale' }, `${status}, ${time.slice(0, 10)}`),
    element(
      'details',
      {},
      element('summary', {}, 'Text'),
      ...parts.flatMap(([heading, text]) => [element('h4', {}, heading), prose(text)]),
    ),
  )
}
