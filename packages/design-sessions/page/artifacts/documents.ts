import type { VersionPage } from '../desk/version-page.ts'
import { element, prose } from '../kit/element.ts'
import { recordList } from '../kit/record-list.ts'
import { artifactKind } from './artifact-kind.ts'
import { documentEditor } from './document-editor.ts'
import { downloads } from './downloads.ts'

/** Documents of a version: their Markdown, and each as a page and as a PDF. */
export function documents(shown: VersionPage): Promise<HTMLElement> {
  const { path } = shown
  return recordList(
    artifactKind(path, {
      type: 'document',
      nothing: 'No documents yet.',
      renderName: 'Render',
      editor: (row, ends) => documentEditor(shown, row, ends),
      shown: (row) => {
        const { source_code: text, render_status: status } = row
        if (!text) return [prose('Nothing is written yet.')]
        return [
          element('p', { className: 'pale' }, `As a page: ${status}`),
          element('details', {}, element('summary', {}, 'Text'), prose(text)),
          downloads(path, row),
        ]
      },
    }),
  )
}
