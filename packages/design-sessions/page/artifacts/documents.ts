import type { Artifact } from '../../src/records/artifacts.ts'
import type { VersionPage } from '../desk/version-page.ts'
import { element, prose } from '../kit/element.ts'
import { recordList } from '../kit/record-list.ts'
import { documentEditor } from './document-editor.ts'
import { downloads } from './downloads.ts'

/** Documents of a version: their Markdown, and each as a PDF. */
export function documents(shown: VersionPage): Promise<HTMLElement> {
  const { path } = shown
  return recordList<Artifact>({
    path: `${path}/artifacts`,
    filter: '?artifact_type=document',
    noun: 'document',
    nothing: 'No documents yet.',
    fields: [],
    initial: {},
    title: ({ name }) => name,
    editor: (row, ends) => documentEditor(shown, row, ends),
    shown: (row) => {
      const { source_code: text, render_error: error } = row
      if (!text) return [prose('Nothing is written yet.')]
      return [
        ...(error === null ? [] : [element('p', { className: 'bad text' }, error)]),
        element('details', {}, element('summary', {}, 'Text'), prose(text)),
        downloads(path, row),
      ]
    },
  })
}
