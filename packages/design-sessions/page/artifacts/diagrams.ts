import type { Artifact } from '../../src/records/artifacts.ts'
import { ask, readRecord, type Sent } from '../kit/api.ts'
import { button, element, failure } from '../kit/element.ts'
import { fill } from '../kit/loading.ts'
import { type RecordKind, recordArticle, recordList } from '../kit/record-list.ts'
import { diagramEditor } from './diagram-editor.ts'
import { downloads } from './downloads.ts'
import { picture } from './picture.ts'

/** Between two looks at a diagram that is being drawn. */
const LOOK_MS = 1000

/** Diagrams of a version, each with its source, and its picture beside that while it is written. */
export function diagrams(path: string): Promise<HTMLElement> {
  const kind: RecordKind<Artifact> = {
    path: `${path}/artifacts`,
    filter: '?artifact_type=diagram',
    noun: 'diagram',
    nothing: 'No diagrams yet.',
    fields: [],
    initial: {},
    title: ({ name }) => name,
    editor: (row, ends) => diagramEditor(path, row, ends),
    shown: (row) => diagramNodes(path, row),
    actions: (row, article) => {
      const show = (now: Sent<Artifact>): void => article.replaceWith(recordArticle(kind, now))
      if (row.render_status === 'rendering') lookAgain(`${kind.path}/${row.id}`, article, show)
      return [drawButton(`${kind.path}/${row.id}`, row, article, show)]
    },
  }
  return recordList(kind)
}

function drawButton(
  path: string,
  { name }: Sent<Artifact>,
  article: HTMLElement,
  show: (now: Sent<Artifact>) => void,
): Node {
  const draw = button('Draw again', () => {
    draw.disabled = true
    readRecord<Artifact>(`${path}/render`, { method: 'POST' }).then(
      ({ row }) => show(row),
      (error: unknown) => {
        draw.disabled = false
        article.append(failure(error))
      },
    )
  })
  draw.ariaLabel = `Draw again: ${name}`
  return draw
}

/** Shows a diagram again as soon as it is drawn, while it is shown. */
function lookAgain(path: string, article: HTMLElement, show: (now: Sent<Artifact>) => void): void {
  const look = async (): Promise<void> => {
    if (!article.isConnected) return
    const { row } = await readRecord<Artifact>(path)
    if (row.render_status === 'rendering') lookAgain(path, article, show)
    else if (article.isConnected && !article.querySelector('form')) show(row)
  }
  // Where it fails, the diagram stays as it is shown.
  setTimeout(() => void look().catch(() => undefined), LOOK_MS)
}

function diagramNodes(path: string, row: Sent<Artifact>): readonly Node[] {
  const { id, name, output_paths: files, render_status: status, render_error: error } = row
  const file = files.find((one) => one.endsWith('.svg'))
  const nodes: Node[] = []
  // With a picture it is a note.
  const tone = status === 'error' ? 'bad text' : 'pale text'
  if (error !== null) nodes.push(element('p', { className: tone }, error))
  if (row.outputs_stale)
    nodes.push(element('p', { className: 'bad' }, 'The picture is an old one.'))
  if (file === undefined) nodes.push(element('p', { className: 'pale' }, `Not drawn: ${status}`))
  else {
    const place = element('div', {})
    nodes.push(place)
    const output = `${path}/artifacts/${id}/outputs/${file}`
    void fill(place, async () => picture(await (await ask(output)).blob(), name))
    nodes.push(downloads(path, row, files))
  }
  return nodes
}
