import type { Artifact } from '../../src/records/artifacts.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { read } from '../kit/api.ts'
import { button, element, failure } from '../kit/element.ts'
import { type Choices, select } from '../kit/field.ts'
import { recordForm } from '../kit/record-form.ts'
import type { EditorEnds } from '../kit/record-list.ts'
import { ARTIFACT_FIELDS } from './diagram-editor.ts'
import { type SourceInput, sourceInput } from './source-input.ts'

/** A form for a document in Markdown, which may begin with a template. */
export async function documentEditor(
  shown: VersionPage,
  row: Pick<Artifact, 'id' | 'name'> | undefined,
  ends: EditorEnds<Artifact>,
): Promise<Node> {
  const source = sourceInput('Markdown')
  const list = `${shown.path}/artifacts`
  const isNew = row === undefined
  const form = await recordForm<Artifact>({
    path: isNew ? list : `${list}/${row.id}`,
    name: isNew ? 'New document' : `Change ${row.name}`,
    fields: [...ARTIFACT_FIELDS, { name: 'source_code', label: 'Markdown', make: () => source }],
    ...(isNew && {
      initial: { detail_level: 'conceptual', sort_order: 0, source_code: '' },
      constants: { artifact_type: 'document' },
      saveName: 'Create document',
    }),
    ...ends,
  })
  source.part.before(await templateChoice(shown, source))
  return form
}

/** Fills the source from a template, with the records of the version as they are now. */
async function templateChoice(
  { project, version }: VersionPage,
  source: SourceInput,
): Promise<Node> {
  const names = await read<readonly string[]>('/templates')
  const choices: Choices = Object.fromEntries(
    names.map((name) => [name, name.replaceAll('-', ' ')]),
  )
  const chosen = select(choices)
  chosen.ariaLabel = 'Template'
  const state = element('span', {})
  const insert = async (): Promise<void> => {
    const body = {
      template_name: chosen.value,
      project_name: project.name,
      version_id: version.id,
    }
    const request = { method: 'POST', body } as const
    const made = await read<{ source_code: string }>('/templates/render', request)
    const before = String(source.get())
    source.set(before === '' ? made.source_code : `${before}\n\n${made.source_code}`)
    source.part.dispatchEvent(new Event('input', { bubbles: true }))
    state.replaceChildren()
  }
  const use = button('Add this template', () => {
    insert().catch((error: unknown) => state.replaceChildren(failure(error)))
  })
  return element('div', { className: 'row field' }, chosen, use, state)
}
