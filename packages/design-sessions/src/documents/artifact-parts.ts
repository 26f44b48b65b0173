import type { Artifact } from '../records/artifacts.ts'
import { markdown, remark } from './parts.ts'
import type { PdfInput, PdfPart } from './pdf-input.ts'

/** Whether an artifact is shown by a picture, not by its text. */
export function isDrawn({ artifact_type: type, engine }: Artifact): boolean {
  return type === 'diagram' && engine !== 'markdown' && engine !== 'weasyprint'
}

/**
 * What a PDF shows of an artifact: a diagram's last good picture, or a document's text.
 *
 * @returns nothing when there is nothing to show
 */
export function artifactParts(
  artifact: Artifact,
  pictures: PdfInput['pictures'],
  lowered: number,
): readonly PdfPart[] {
  const { id, name, source_code: source, outputs_stale: isStale } = artifact
  if (!isDrawn(artifact)) return source?.trim() ? [markdown(source, lowered)] : []
  if (pictures[id] === undefined) return []
  return [
    { type: 'picture', artifact: id, alt: `${name} (diagram)` },
    ...(isStale ? [remark('The source has changed since this was rendered.')] : []),
  ]
}

/** A diagram's text, for want of its picture; nothing without source. */
export function sourceParts({
  source_code: source,
  render_error: error,
}: Artifact): readonly PdfPart[] {
  if (!source?.trim()) return []
  return [
    remark(error === null ? 'Not rendered; its source:' : `Not rendered: ${error}`),
    { type: 'pre', value: source, language: null },
  ]
}
