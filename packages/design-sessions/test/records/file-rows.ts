// Artifacts, their cloning, and uploads: sections 1.1 and 1.2 of the contract.
import { expect } from 'vitest'
import { type Json, ask, created, newSession } from '../ask.ts'
import { NOBODY, type Row, TIME, UUID } from './row.ts'

const stamps = { created_at: expect.stringMatching(TIME), updated_at: expect.stringMatching(TIME) }
const id = expect.stringMatching(UUID)

const DECISION = { title: 'T', context: 'C', decision: 'D', consequences: 'E' }

export const fileRows: readonly Row[] = [
  [
    'an artifact has every field, and its engine by its type',
    async (place) => {
      const { path, version } = await newSession(place)
      const diagram = await created(place, `${path}/artifacts`, {
        name: 'Overview',
        artifact_type: 'diagram',
      })
      expect(diagram).toEqual({
        id,
        version_id: version.id,
        name: 'Overview',
        artifact_type: 'diagram',
        detail_level: 'conceptual',
        engine: 'd2',
        source_code: null,
        output_paths: [],
        outputs_stale: false,
        render_status: 'pending',
        render_error: null,
        sort_order: 0,
        ...stamps,
      })
      for (const [artifact_type, engine] of [
        ['document', 'markdown'],
        ['pdf_report', 'weasyprint'],
      ]) {
        const made = await created(place, `${path}/artifacts`, { name: 'N', artifact_type })
        expect(made.engine).toBe(engine)
      }
      for (const engine of ['diagrams_py', 'graphviz', 'mermaid']) {
        const asked = { name: 'N', artifact_type: 'diagram', engine, sort_order: 3 }
        expect((await created(place, `${path}/artifacts`, asked)).engine).toBe(engine)
      }
    },
  ],
  [
    'each engine is taken for each type, as clients of the origin send them',
    async (place) => {
      const { path } = await newSession(place)
      for (const artifact_type of ['diagram', 'document', 'pdf_report']) {
        for (const engine of ['d2', 'diagrams_py', 'markdown', 'weasyprint']) {
          const asked = { name: 'N', artifact_type, engine }
          expect((await created(place, `${path}/artifacts`, asked)).engine).toBe(engine)
        }
      }
    },
  ],
  [
    'artifacts stand by sort_order and name, are filtered, changed and deleted; the type is fixed',
    async (place) => {
      const { path } = await newSession(place)
      const artifacts = `${path}/artifacts`
      for (const [name, sort_order, artifact_type] of [
        ['b', 1, 'document'],
        ['a', 1, 'diagram'],
        ['z', 0, 'diagram'],
      ]) {
        await created(place, artifacts, { name, sort_order, artifact_type })
      }
      const listed = (await ask(place, 'GET', artifacts)).body
      expect(listed.map(({ name }: Json) => name)).toEqual(['z', 'a', 'b'])
      const documents = await ask(place, 'GET', `${artifacts}?artifact_type=document`)
      expect(documents.body.map(({ name }: Json) => name)).toEqual(['b'])
      const one = `${artifacts}/${listed[0].id}`
      const json = { name: 'y', detail_level: 'deployment', artifact_type: 'document' }
      const changed = (await ask(place, 'PATCH', one, { json })).body
      expect(changed).toMatchObject({ name: 'y', detail_level: 'deployment' })
      expect(changed.artifact_type).toBe('diagram')
      expect((await ask(place, 'GET', one)).body).toEqual(changed)
      expect((await ask(place, 'DELETE', one)).status).toBe(204)
      expect((await ask(place, 'DELETE', one)).body).toEqual({ detail: 'Artifact not found' })
    },
  ],
  [
    'another source renews its stamp; the same source leaves it',
    async (place) => {
      const { path } = await newSession(place)
      const source_code = '# D\n\nLast updated: 2001-02-03 04:05 CET\n'
      const made = await created(place, `${path}/artifacts`, {
        name: 'D',
        artifact_type: 'document',
        source_code,
      })
      expect(made.source_code).toBe(source_code)
      const one = `${path}/artifacts/${made.id}`
      const same = await ask(place, 'PATCH', one, { json: { source_code, name: 'E' } })
      expect(same.body.source_code).toBe(source_code)
      const json = { source_code: `${source_code}More.` }
      const { status, body } = await ask(place, 'PATCH', one, { json })
      expect(status).toBe(200)
      const stamp = /^# D\n\nLast updated: (\d{4}-\d\d-\d\d \d\d:\d\d) UTC\nMore\.$/
      const at = Date.parse(`${stamp.exec(body.source_code)?.[1]}Z`)
      expect(Math.abs(at - Date.now())).toBeLessThan(120_000)
    },
  ],
  [
    'cloning copies artifacts, decisions, questions, inventory, coverage if asked to',
    async (place) => {
      const { project, path } = await newSession(place)
      const target = await created(place, `/projects/${project.id}/versions`, {})
      const empty = await ask(place, 'POST', `${path}/artifacts/clone`, {
        json: { target_version_id: target.id },
      })
      expect([empty.status, empty.body]).toEqual([201, []])
      const picture = await created(place, `${path}/artifacts`, {
        name: 'Picture',
        artifact_type: 'diagram',
        source_code: 'a -> b',
        sort_order: 2,
      })
      await created(place, `${path}/artifacts`, {
        name: 'Text',
        artifact_type: 'document',
        source_code: `![p](artifact:${picture.id}) artifact:${NOBODY}`,
        sort_order: 3,
      })
      const old = await created(place, `${path}/adrs`, DECISION)
      await ask(place, 'POST', `${path}/adrs/${old.id}/supersede`, { json: DECISION })
      const question = await created(place, `${path}/questions`, { question_text: 'Q' })
      await ask(place, 'PATCH', `${path}/questions/${question.id}`, { json: { answer_text: 'A' } })
      await created(place, `${path}/inventory`, { name: 'I', data: 'x' })
      const item = {
        knowledge_file: 'f.md',
        item_text: 'I',
        priority: 'Critical',
        status: 'deferred',
        reason: 'R',
        question_id: question.id,
      }
      await created(place, `${path}/coverage`, item)

      const json = { target_version_id: target.id.toUpperCase() }
      const copy = await ask(place, 'POST', `${path}/artifacts/clone`, { json })
      expect(copy.status).toBe(201)
      const [first, second] = copy.body
      expect(first).toMatchObject({ name: 'Picture', render_status: 'pending', output_paths: [] })
      expect(second.source_code).toBe(`![p](artifact:${first.id}) artifact:${NOBODY}`)
      const below = `/versions/${target.id}`
      expect((await ask(place, 'GET', `${below}/artifacts`)).body).toEqual(copy.body)
      const adrs = (await ask(place, 'GET', `${below}/adrs`)).body
      expect(adrs.map((adr: Json) => adr.adr_number)).toEqual([1, 2])
      expect(adrs[0]).toMatchObject({ status: 'superseded', superseded_by: adrs[1].id })
      const [asked] = (await ask(place, 'GET', `${below}/questions`)).body
      expect(asked).toMatchObject({ question_text: 'Q', answer_text: 'A' })
      expect((await ask(place, 'GET', `${below}/inventory`)).body).toHaveLength(1)
      expect((await ask(place, 'GET', `${below}/coverage`)).body).toEqual([])

      await ask(place, 'POST', `${path}/artifacts/clone`, { json })
      const more = (await ask(place, 'GET', `${below}/adrs`)).body
      expect(more.map((adr: Json) => adr.adr_number)).toEqual([1, 2, 3, 4])
      expect(more[2].superseded_by).toBe(more[3].id)

      const covered = { ...json, include_coverage: true }
      await ask(place, 'POST', `${path}/artifacts/clone`, { json: covered })
      const [coverage, ...others] = (await ask(place, 'GET', `${below}/coverage`)).body
      expect(others).toEqual([])
      const copied = (await ask(place, 'GET', `${below}/questions`)).body.at(-1)
      expect(coverage).toMatchObject({ ...item, question_id: copied.id })
    },
  ],
  [
    'cloning needs another version that is there',
    async (place) => {
      const { version, path } = await newSession(place)
      const clone = (of: string, target_version_id: unknown): Promise<Json> =>
        ask(place, 'POST', `${of}/artifacts/clone`, { json: { target_version_id } })
      expect((await clone(path, version.id)).status).toBe(422)
      expect((await clone(path, 'none')).status).toBe(422)
      expect((await clone(path, NOBODY)).status).toBe(404)
      const none = await clone(`/versions/${NOBODY}`, version.id)
      expect([none.status, none.body]).toEqual([404, { detail: 'Version not found' }])
    },
  ],
  [
    'an upload keeps its bytes, name and type',
    async (place) => {
      const { path, version } = await newSession(place)
      const uploads = `${path}/uploads`
      const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256)
      const upload = async (name: string, type: string): Promise<Json> => {
        const raw = new FormData()
        raw.append('comment', 'of no use')
        raw.append('file', new Blob([bytes], { type }), name)
        return (await ask(place, 'POST', uploads, { raw })).body
      }
      const first = await upload('../../etc/Plan "B" für 雪.svg', 'image/svg+xml')
      expect(first).toEqual({
        id,
        version_id: version.id,
        original_filename: 'Plan "B" für 雪.svg',
        content_type: 'image/svg+xml',
        file_size: bytes.length,
        ...stamps,
      })
      const second = await upload('x', '')
      expect(second.content_type).toBe('application/octet-stream')
      const listed = (await ask(place, 'GET', uploads)).body
      expect(listed).toEqual([second, first])
      const file = await fetch(`${place.url}/api/v1${uploads}/${first.id}/download`)
      expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes)
      const { headers } = file
      expect(headers.get('content-type')).toBe('image/svg+xml')
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="Plan _B_ f_r _.svg"; ` +
          `filename*=UTF-8''Plan%20%22B%22%20f%C3%BCr%20%E9%9B%AA.svg`,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
      expect((await ask(place, 'DELETE', `${uploads}/${first.id}`)).status).toBe(204)
      expect((await ask(place, 'GET', `${uploads}/${first.id}/download`)).status).toBe(404)
      expect((await ask(place, 'DELETE', `${uploads}/${first.id}`)).status).toBe(404)
    },
  ],
  [
    'an upload needs a file that has a name and bytes',
    async (place) => {
      const { path } = await newSession(place)
      const form = (field: string, name: string, text: string): FormData => {
        const raw = new FormData()
        raw.append(field, new Blob([text]), name)
        return raw
      }
      const post = async (raw: RequestInit['body'], to = path): Promise<number> =>
        (await ask(place, 'POST', `${to}/uploads`, { raw })).status
      expect(await post(form('file', 'a.txt', ''))).toBe(400)
      expect(await post(form('file', '..', 'x'))).toBe(400)
      expect(await post(form('other', 'a.txt', 'x'))).toBe(422)
      expect(await post('{}')).toBe(415)
      expect(await post(form('file', 'a.txt', 'x'), `/versions/${NOBODY}`)).toBe(404)
      const headers = { 'content-type': 'multipart/form-data; boundary=x' }
      for (const field of ['file', 'other']) {
        const head = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\n`
        for (const raw of [`${head}\r\nabc`, head, '--x', '--y--', '', '--x--\r\n']) {
          const { status } = await ask(place, 'POST', `${path}/uploads`, { raw, headers })
          expect([raw, status === 400 || status === 422]).toEqual([raw, true])
        }
      }
      const raw = form('file', 'a.txt', 'x')
      const none = await ask(place, 'POST', `${path}/uploads`, {
        raw: 'x',
        headers: { 'content-type': 'multipart/form-data; charset=x' },
      })
      expect(none.status).toBe(400)
      expect((await ask(place, 'PUT', `${path}/uploads`, { raw })).status).toBe(405)
      expect((await ask(place, 'GET', `${path}/uploads`)).body).toEqual([])
    },
  ],
]
