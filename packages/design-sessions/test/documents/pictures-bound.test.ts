// Goal: a document shows as many pictures as the limits of memory allow, with a note in place of
// the others. Method: pictures of many MiB put into a real database, and a render process with
// little memory; the PDF is read by an independent library.
import { existsSync } from 'node:fs'
import { byTier } from '@orrery/testkit/tier'
import { expect, test } from 'vitest'
import { Documents } from '../../src/documents/documents.ts'
import { createArtifact, type Artifact } from '../../src/records/artifacts.ts'
import { newVersion, useTables } from '../indexing/fixture.ts'
import { pdfTexts } from './pdf-pages.ts'
import { Renderer } from '../../src/rendering/renderer.ts'
import { PATIENT, sharedRenderer } from '../renderer.ts'

const tables = useTables()
const renderer = sharedRenderer()

test('the largest pictures are replaced by a note', async () => {
  const { sql } = tables
  const versionId = await newVersion(sql, 'pictures')
  const made = (artifact_type: Artifact['artifact_type'], name: string): Promise<Artifact> => {
    const plain = { detail_level: 'logical', source_code: 'x', sort_order: 0 } as const
    return createArtifact(sql, versionId, { ...plain, artifact_type, name })
  }
  for (const [name, bytes] of [
    ['small', 10],
    ['large', byTier({ gate: 1_000_000, night: 11_000_000 })],
    ['larger', byTier({ gate: 20_500_000, night: 12_000_000 })],
  ] as const) {
    const { id } = await made('diagram', name)
    await sql`update artifact set render_status = 'success' where id = ${id}`
    await sql`
      insert into render_output (artifact_id, filename, content_type, bytes)
      select ${id}, 'diagram.svg', 'image/svg+xml', convert_to(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="50"><desc>'
        || repeat('x', ${bytes}::integer) || '</desc><text x="9" y="30">drawn '
        || ${name}::text || '</text></svg>', 'UTF8')`
  }
  const documents = new Documents({ sql, renderer })
  const texts = await pdfTexts(await documents.artifactPdf(await made('pdf_report', 'All')))
  const text = texts.join(' ')
  for (const shown of ['drawn small', 'drawn large']) expect(text).toContain(shown)
  expect(text).not.toContain('drawn larger')
  expect(text.match(/Left out: the pictures of this document have more than 20 MiB/g)).toHaveLength(
    1,
  )
})

test.runIf(existsSync('/proc/self/status'))(
  'a diagram that needs too much memory has a note, and those after it are drawn',
  async () => {
    const { sql } = tables
    // D2 alone needs more than that.
    const small = new Renderer({ ...PATIENT, children: 1, bytesMax: 150 * 1_048_576 })
    const documents = new Documents({ sql, renderer: small })
    const document = await createArtifact(sql, await newVersion(sql, 'fences'), {
      artifact_type: 'document',
      detail_level: 'logical',
      name: 'Handbook',
      source_code: '```d2\na -> b\n```\n\n```dot\ndigraph { after }\n```',
      sort_order: 0,
    })
    const { outputs, notes } = await documents.outputs(document)
    await small.close()
    const html = Buffer.from(outputs[0].bytes).toString()
    expect(notes.join('\n')).toMatch(/^A diagram of a document: .*too much memory/)
    expect(html).toMatch(/Not drawn: .*too much memory/)
    expect(html.match(/<img /g)).toHaveLength(1)
  },
)
