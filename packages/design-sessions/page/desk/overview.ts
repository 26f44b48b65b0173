import type { Project } from '../../src/records/projects.ts'
import type { Version } from '../../src/records/versions.ts'
import { type Sent, ask } from '../kit/api.ts'
import { button, element, prose } from '../kit/element.ts'
import { lineField, proseField } from '../kit/field.ts'
import { fill } from '../kit/loading.ts'
import { recordForm } from '../kit/record-form.ts'
import { focusFirst, removal } from '../kit/record-list.ts'
import { addressOf } from './place.ts'
import { SCOPE_FIELDS } from './project-fields.ts'
import type { VersionPage } from './version-page.ts'

const VERSION_FIELDS = [
  lineField('label', 'Label', { empty: null }),
  proseField('notes', 'Notes', { empty: null }),
]

/** What a version is designed for, to be changed in place, and further versions. */
export async function overview(shown: VersionPage): Promise<Node> {
  const { version, place } = shown
  const path = `/projects/${place.project}/versions/${version.id}`
  const about = element('article', { tabIndex: -1, ariaLabel: 'About this version' })
  const show = (now: Sent<Version>): void => {
    const edit = button('Edit', () => {
      const form = (): Promise<Node> => recordForm<Version>(options)
      void fill(about, form).then(() => focusFirst(about))
    })
    const options = {
      path,
      name: `Change version ${version.version_number}`,
      fields: [...VERSION_FIELDS, ...SCOPE_FIELDS],
      saved: (stored: Sent<Version>): void => {
        show(stored)
        about.focus()
      },
      cancelled: (): void => show(now),
    }
    const gone = (): void => {
      location.hash = addressOf({ client: place.client, project: place.project })
    }
    const remove = removal(path, `version ${now.version_number}`, now.updated_at, gone)
    const title = element('h3', {}, `Version ${now.version_number}`)
    const buttons = element('div', { className: 'row' }, edit, remove)
    about.replaceChildren(element('div', { className: 'head' }, title, buttons), ...facts(now))
  }
  show(version)
  return element('div', {}, about, newVersion(shown))
}

function facts(of: Sent<Version> | Sent<Project>): Node[] {
  const { description, cloud_providers, architecture_pattern, compliance_frameworks } = of
  const rows: readonly (readonly [string, string | null])[] = [
    ['Label', 'label' in of ? of.label : null],
    ['Providers', cloud_providers.join(', ')],
    ['Pattern', architecture_pattern],
    ['Compliance', compliance_frameworks.join(', ')],
    ['Notes', 'notes' in of ? of.notes : null],
  ]
  const list = rows.flatMap(([name, text]) =>
    text ? [element('dt', {}, name), element('dd', {}, text)] : [],
  )
  return [
    prose(description ?? 'Nothing is written about it yet.'),
    ...(list.length > 0 ? [element('dl', {}, ...list)] : []),
  ]
}

/** A button that becomes the form of the next version, which may begin as a clone. */
export function newVersion({
  version,
  place,
}: Pick<VersionPage, 'place'> & Partial<VersionPage>): HTMLElement {
  const part = element('div', {})
  const open = button('New version', () => void fill(part, form).then(() => focusFirst(part)))
  const close = (): void => part.replaceChildren(open)
  const copies = element('input', { type: 'checkbox', checked: true })
  const cloned = async (id: string): Promise<Node> => {
    const body = { target_version_id: id, include_coverage: true }
    if (version && copies.checked)
      await ask(`/versions/${version.id}/artifacts/clone`, { method: 'POST', body })
    location.hash = addressOf({ ...place, version: id, section: 'overview', record: undefined })
    return open
  }
  const form = async (): Promise<Node> => {
    const made = await recordForm<Version>({
      path: `/projects/${place.project}/versions`,
      name: 'New version',
      saveName: 'Create version',
      initial: { version_number: '', label: null },
      fields: [
        lineField('version_number', 'Number', {
          empty: 'absent',
          hint: 'The next minor one if this is empty.',
        }),
        lineField('label', 'Label', { empty: null }),
      ],
      saved: ({ id }) => void fill(part, () => cloned(id)),
      cancelled: close,
    })
    const text = ` Begin with all that ${version?.version_number ?? ''} holds`
    if (version) made.prepend(element('label', {}, copies, text))
    return made
  }
  close()
  return part
}
