// Goal: a document shows as many pictures as its memory limit allows, with a note in place of the
// others. Method: pictures of many MiB put into a real database; the PDF is read by an independent
// library.
import { afterAll, expect, test } from 'vitest'
import { createDocuments } from '../../src/documents/documents.ts'
import { createArtifact } from '../../src/records/artifact-changes.ts'
import type { Artifact } from '../../src/records/artifacts.ts'
import { createRenderer } from '../../src/rendering/renderer.ts'
import { newVersion, useTables } from '../indexing/fixture.ts'
import { pdfPages } from './pdf-pages.ts'
import { PATIENCE_MS } from '../patience.ts'

const tables = useTables()
const renderer = createRenderer({ timeoutMs: PATIENCE_MS })
afterAll(() => renderer.close())

test('the largest pictures are replaced by a note', async () => {
  const { sql } = tables
  const versionId = await newVersion(sql, 'pictures')
  const made = (artifact_type: Artifact['artifact_type'], name: string): Promise<Artifact> => {
    const plain = { detail_level: 'logical', source_code: 'x', sort_order: 0 } as const
    return createArtifact(sql, versionId, { ...plain, artifact_type, name })
  }
  for (const [name, bytes] of [
    ['small', 10],
    ['large', 11_000_000],
    ['larger', 12_000_000],
  ] as const) {
    const { id } = await made('diagram', name)
    await sql`
      insert into render_output (artifact_id, filename, content_type, bytes)
      select ${id}, 'diagram.svg', 'image/svg+xml', convert_to(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="50"><desc>'
        || repeat('x', ${bytes}::integer) || '</desc><text x="9" y="30">drawn '
        || ${name}::text || '</text></svg>', 'UTF8')`
  }
  const documents = createDocuments({ sql, renderer })
  const { texts } = await pdfPages(await documents.artifactPdf(await made('pdf_report', 'All')))
  const text = texts.join(' ')
  for (const shown of ['drawn small', 'drawn large']) expect(text).toContain(shown)
  expect(text).not.toContain('drawn larger')
  expect(text.match(/Left out: the pictures of this document have more than 20 MiB/g)).toHaveLength(
    1,
  )
})
