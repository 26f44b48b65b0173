import type { Artifact } from '../../src/records/artifacts.ts'
import type { DiagramEngine } from '../../src/engines/drawing.ts'
import { choiceField, type Field, lineField, numberField } from '../kit/field.ts'
import { recordForm } from '../kit/record-form.ts'
import type { EditorEnds } from '../kit/record-list.ts'
import { readRecord } from '../kit/api.ts'
import { livePreview } from './live-preview.ts'
import { sourceInput } from './source-input.ts'

const ENGINES: Readonly<Record<DiagramEngine, string>> = {
  d2: 'D2',
  mermaid: 'Mermaid',
  graphviz: 'Graphviz',
  diagrams_py: 'Python (diagrams)',
}

const LEVELS: Readonly<Record<Artifact['detail_level'], string>> = {
  conceptual: 'Conceptual',
  logical: 'Logical',
  detailed: 'Detailed',
  deployment: 'Deployment',
}

/** What any artifact has beside its source. */
export const ARTIFACT_FIELDS = [
  lineField('name', 'Name', { isRequired: true }),
  choiceField('detail_level', 'Level of detail', LEVELS),
  numberField('sort_order', 'Order', { hint: 'Of the report: small numbers first.' }),
]

/** A form for a diagram: its source, and beside it what that draws. */
export async function diagramEditor(
  path: string,
  row: Pick<Artifact, 'id' | 'name'> | undefined,
  ends: EditorEnds<Artifact>,
): Promise<Node> {
  const source = sourceInput('Source')
  const engine = choiceField('engine', 'Language', ENGINES).make()
  const fields: readonly Field[] = [
    ...ARTIFACT_FIELDS,
    { name: 'engine', label: 'Language', make: () => engine },
    { name: 'source_code', label: 'Source', make: () => source },
  ]
  const list = `${path}/artifacts`
  const preview = livePreview(path, source, () => ({
    engine: engine.get() as string,
    source: source.get() as string,
  }))
  const isNew = row === undefined
  const form = await recordForm<Artifact>({
    path: isNew ? list : `${list}/${row.id}`,
    name: isNew ? 'New diagram' : `Change ${row.name}`,
    fields,
    ...(isNew && {
      initial: { engine: 'd2', detail_level: 'conceptual', sort_order: 0, source_code: '' },
      constants: { artifact_type: 'diagram' },
      saveName: 'Create diagram',
    }),
    saved: (stored) => {
      const draw = `${list}/${stored.id}/render`
      if (stored.render_status !== 'pending' || !stored.source_code) ends.saved(stored)
      else {
        // It can be drawn later, too.
        void readRecord<Artifact>(draw, { method: 'POST' })
          .then(
            ({ row }) => row,
            () => stored,
          )
          .then(ends.saved)
      }
    },
    cancelled: ends.cancelled,
  })
  form.classList.add('editor')
  form.append(preview.part)
  source.part.addEventListener('input', preview.changed)
  engine.part.addEventListener('change', preview.changed)
  preview.changed()
  return form
}
