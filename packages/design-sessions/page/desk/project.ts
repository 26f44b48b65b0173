import type { Client } from '../../src/records/clients.ts'
import type { Project } from '../../src/records/projects.ts'
import type { Version } from '../../src/records/versions.ts'
import { read, type Sent } from '../kit/api.ts'
import { element, prose } from '../kit/element.ts'
import { fill } from '../kit/loading.ts'
import { newVersion } from './overview.ts'
import { type Place, addressOf } from './place.ts'
import { SECTIONS, type SectionName } from './sections.ts'
import type { VersionPage } from './version-page.ts'

const isSection = (name: string): name is SectionName => Object.hasOwn(SECTIONS, name)

/** One section of a version of a project, by default of the last. */
export async function projectPage(place: Place): Promise<readonly Node[]> {
  const [client, project, versions] = await Promise.all([
    read<Sent<Client>>(`/clients/${place.client}`),
    read<Sent<Project>>(`/clients/${place.client}/projects/${place.project}`),
    read<readonly Sent<Version>[]>(`/projects/${place.project}/versions`),
  ])
  const version = versions.find(({ id }) => id === place.version) ?? versions.at(-1)
  const title = element('div', {}, element('h1', {}, project.name), prose(client.name))
  if (!version) {
    const nothing = prose('This project has no versions yet.')
    return [title, nothing, newVersion({ place })]
  }
  const section =
    place.section !== undefined && isSection(place.section) ? place.section : 'overview'
  const shown = { place, project, version, versions, path: `/versions/${version.id}` }
  return [title, ...navigation(shown, section), ...(await sectionNodes(shown, section))]
}

function navigation({ place, version, versions }: VersionPage, section: SectionName): Node[] {
  const at = { client: place.client, project: place.project }
  const link = (text: string, isHere: boolean, to: Partial<Place>): Node =>
    element('a', { href: addressOf({ ...at, ...to }), ariaCurrent: isHere ? 'page' : null }, text)
  const toVersions = versions.map(({ id, version_number: number, status }) =>
    link(`v${number} (${status})`, id === version.id, { version: id, section }),
  )
  const toSections = Object.entries(SECTIONS).map(([name, { title }]) =>
    link(title, name === section, { version: version.id, section: name }),
  )
  return [
    element('nav', { ariaLabel: 'Versions' }, ...toVersions),
    element('nav', { ariaLabel: 'Sections', className: 'tabs' }, ...toSections),
  ]
}

/** The parts of a section; one that fails leaves the others. */
async function sectionNodes(shown: VersionPage, name: SectionName): Promise<readonly Node[]> {
  const parts = SECTIONS[name].parts
  return Promise.all(
    parts.map(async ([title, load]) => {
      const content = element('div', {})
      await fill(content, () => load(shown))
      const heading = element('h2', { tabIndex: -1 }, title)
      return element('section', { ariaLabel: title }, heading, content)
    }),
  )
}
