import type { Artifact } from '../../src/records/artifacts.ts'
import { ask, type Sent } from '../kit/api.ts'
import { element } from '../kit/element.ts'
import { fill } from '../kit/loading.ts'
import { recordList } from '../kit/record-list.ts'
import { artifactKind } from './artifact-kind.ts'
import { diagramEditor } from './diagram-editor.ts'
import { downloads } from './downloads.ts'
import { picture } from './picture.ts'

/** Diagrams of a version, each with its source, and its picture beside that while it is written. */
export function diagrams(path: string): Promise<HTMLElement> {
  return recordList(
    artifactKind(path, {
      type: 'diagram',
      nothing: 'No diagrams yet.',
      renderName: 'Draw again',
      editor: (row, ends) => diagramEditor(path, row, ends),
      shown: (row) => diagramNodes(path, row),
    }),
  )
}

function diagramNodes(path: string, row: Sent<Artifact>): readonly Node[] {
  const { id, name, output_paths: files, render_status: status } = row
  const file = files.find((one) => one.endsWith('.svg'))
  if (file === undefined) return [element('p', { className: 'pale' }, `Not drawn: ${status}`)]
  const place = element('div', {})
  const output = `${path}/artifacts/${id}/outputs/${file}`
  void fill(place, async () => picture(await (await ask(output)).blob(), name))
  const old = element('p', { className: 'bad' }, 'The picture is an old one.')
  return [...(row.outputs_stale ? [old] : []), place, downloads(path, row)]
}
