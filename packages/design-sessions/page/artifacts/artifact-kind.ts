import type { Artifact } from '../../src/records/artifacts.ts'
import type { Sent } from '../kit/api.ts'
import { type RecordKind, recordArticle } from '../kit/record-list.ts'
import { renderButton, said } from './rendering.ts'

export interface ArtifactParts extends Pick<RecordKind<Artifact>, 'nothing' | 'shown'> {
  readonly type: 'diagram' | 'document'
  /** of the button that renders it */
  readonly renderName: string
  readonly editor: NonNullable<RecordKind<Artifact>['editor']>
}

/** Diagrams or documents of a version, with what their rendering says. */
export function artifactKind(
  path: string,
  { type, renderName, shown, ...parts }: ArtifactParts,
): RecordKind<Artifact> {
  const kind: RecordKind<Artifact> = {
    ...parts,
    path: `${path}/artifacts`,
    filter: `?artifact_type=${type}`,
    noun: type,
    fields: [],
    initial: {},
    title: ({ name }) => name,
    shown: (row) => [...said(row), ...shown(row)],
    actions: (row, article) => {
      if (!row.source_code) return []
      const show = (now: Sent<Artifact>): void => article.replaceWith(recordArticle(kind, now))
      const at = `${kind.path}/${row.id}`
      return [renderButton({ path: at, row, article, name: renderName, show })]
    },
  }
  return kind
}
