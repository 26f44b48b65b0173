// Sections 1.1 and 1.2: uploads.
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { expect } from 'vitest'
import { type Json, NO_ID, type Place, ask, fileForm, newSession, uploaded } from '../ask.ts'
import { type Cases, answers, id, missing, needsParent, read, stamps } from './case.ts'

const VERSION = `/versions/${NO_ID}`
const MIB = 1_048_576

/** A connection on which a multipart body has begun, after these headers. */
function begun({ url }: Place, path: string, headers: string, begin: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`POST /api/v1${path}/uploads HTTP/1.1\r\nHost: ${hostname}\r\n`)
  socket.write(`Content-Type: multipart/form-data; boundary=x\r\n${headers}\r\n\r\n${begin}`)
  return socket
}

const FILE_PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

const chunk = (bytes: string): string => `${bytes.length.toString(16)}\r\n${bytes}\r\n`

/** The status line of the answer to an upload of chunks that is too long and does not end. */
function endlessUpload(stage: Place, path: string): Promise<string> {
  const socket = begun(stage, path, 'Transfer-Encoding: chunked', chunk(FILE_PART))
  const piece = chunk('x'.repeat(MIB))
  // No more than is refused: whoever still writes while the server closes may lose its answer.
  for (let i = 0; i <= 100; i++) socket.write(piece)
  return new Promise((resolve, reject) => {
    let answer = ''
    const statusLine = (): void => resolve(answer.split('\r\n')[0])
    socket.on('data', (part) => {
      answer += part.toString()
      if (answer.includes('\r\n\r\n')) statusLine()
    })
    socket.on('error', reject)
    socket.on('close', statusLine)
  })
}

export const uploads: Cases = {
  '1.1 upload': async (stage) => {
    const { path, version } = await newSession(stage)
    const raw = fileForm('numbers', '12345')
    const { status, body } = await ask(stage, 'POST', `${path}/uploads`, { raw })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id,
        version_id: version.id,
        original_filename: 'numbers',
        file_size: 5,
        content_type: 'application/octet-stream',
        ...stamps,
      },
    })
  },
  '1.2 GET /versions/{v}/uploads': async (stage) => {
    const { path } = await newSession(stage)
    expect(await read(stage, `${path}/uploads`)).toEqual([])
    const [one, two] = [await uploaded(stage, path, 'one'), await uploaded(stage, path, 'two')]
    expect(await read(stage, `${path}/uploads`)).toEqual([two, one])
    await needsParent(stage, 'GET', `${VERSION}/uploads`, 'Version')
  },
  '1.2 POST /versions/{v}/uploads': async (stage) => {
    const { path } = await newSession(stage)
    const post = async (raw: RequestInit['body'], type?: string): Promise<number> => {
      const headers = type === undefined ? {} : { 'content-type': type }
      return (await ask(stage, 'POST', `${path}/uploads`, { raw, headers })).status
    }
    expect(await post(fileForm('a.txt', ''))).toBe(400)
    expect(await post(fileForm('', 'nameless'))).toBe(400)
    expect(await post(fileForm('..', 'x'))).toBe(400)
    expect(await post(fileForm('a.txt', 'x', '', 'other'))).toBe(422)
    expect(await post('{}')).toBe(415)
    expect(await post('x', 'multipart/form-data; charset=x')).toBe(400)
    for (const field of ['file', 'other']) {
      const head = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\n`
      for (const raw of [`${head}\r\nabc`, head, '--x', '--y--', '', '--x--\r\n']) {
        const status = await post(raw, 'multipart/form-data; boundary=x')
        expect([raw, status === 400 || status === 422]).toEqual([raw, true])
      }
    }
    const elsewhere = { raw: fileForm('x', 'x') }
    const lost = await ask(stage, 'POST', `${VERSION}/uploads`, elsewhere)
    expect([lost.status, lost.body]).toEqual([404, { detail: 'Version not found' }])
    expect((await ask(stage, 'PUT', `${path}/uploads`, elsewhere)).status).toBe(405)
    const keyed = async (name: string, key: string): Promise<string> => {
      const raw = fileForm(name, name)
      const headers = { 'idempotency-key': key }
      const { status, body } = await ask(stage, 'POST', `${path}/uploads`, { raw, headers })
      return status === 201 ? body.id : String(status)
    }
    const twice = await Promise.all([keyed('a.txt', 'one'), keyed('a.txt', 'one')])
    expect(new Set([...twice, await keyed('a.txt', 'one')]).size).toBe(1)
    expect(await keyed('a.txt', 'two')).not.toBe(twice[0])
    expect(await keyed('a.txt', 'x'.repeat(4097))).toBe('400')
    const list: Json[] = await read(stage, `${path}/uploads`)
    expect(list).toHaveLength(2)
    for (const { id } of list) await ask(stage, 'DELETE', `${path}/uploads/${id}`)
    // One byte more than allowed, and many more without a Content-Length.
    if (IS_NIGHT) {
      expect(await post(fileForm('large.bin', new Uint8Array(100 * MIB + 1)))).toBe(413)
    }
    expect(await endlessUpload(stage, path)).toBe('HTTP/1.1 413 Payload Too Large')
    expect(await read(stage, `${path}/uploads`)).toEqual([])
  },
  '1.2 GET /versions/{v}/uploads/{u}/download': async (stage) => {
    const { path, version } = await newSession(stage)
    const content = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256)
    const raw = new FormData()
    raw.append('comment', 'is ignored')
    const file = new Blob([content], { type: 'image/svg+xml' })
    raw.append('file', file, '../../etc/Plan "B" für 雪.svg')
    const { body: upload }: Json = await ask(stage, 'POST', `${path}/uploads`, { raw })
    expect(upload).toMatchObject({
      version_id: version.id,
      original_filename: 'Plan "B" für 雪.svg',
      content_type: 'image/svg+xml',
      file_size: content.length,
    })
    const target = `${path}/uploads/${upload.id}/download`
    const download = await fetch(`${stage.url}/api/v1${target}`)
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(content)
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-disposition':
        `attachment; filename="Plan _B_ f_r _.svg"; ` +
        `filename*=UTF-8''Plan%20%22B%22%20f%C3%BCr%20%E9%9B%AA.svg`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    await missing(stage, ['GET', `${path}/uploads/${NO_ID}/download`], 'Upload')
    for (const [name, type, stored] of [
      ['a.csv', 'TEXT/CSV', ['a.csv', 'text/csv']],
      ['a.csv', 'nonsense', ['a.csv', 'application/octet-stream']],
      // A mark that reverses what follows, a control character, and more than 255 characters.
      ['a\u202egpj.exe', 'text/csv', ['agpj.exe', 'text/csv']],
      ['a\u0007.csv', 'text/csv', ['a.csv', 'text/csv']],
      ['x'.repeat(300), 'text/csv', ['x'.repeat(255), 'text/csv']],
    ] as const) {
      const { original_filename, content_type } = await uploaded(stage, path, name, { type })
      expect([original_filename, content_type]).toEqual(stored)
    }
  },
  '1.2 DELETE /versions/{v}/uploads/{u}': async (stage) => {
    const { path } = await newSession(stage)
    const before = readdirSync(stage.files()).length
    const upload = await uploaded(stage, path, 'gone.txt')
    expect(readdirSync(stage.files())).toHaveLength(before + 1)
    const place = `${path}/uploads/${upload.id}`
    await answers(stage, ['DELETE', place], { status: 204 })
    await missing(stage, ['GET', `${place}/download`], 'Upload')
    await missing(stage, ['DELETE', place], 'Upload')
    expect(readdirSync(stage.files())).toHaveLength(before)
  },
  '1.11 upload broken off': async (stage) => {
    const { path } = await newSession(stage)
    const before = readdirSync(stage.files())
    const socket = begun(stage, path, 'Content-Length: 1000000', `${FILE_PART}abc`)
    await expect.poll(() => readdirSync(stage.files()).length).toBe(before.length + 1)
    socket.destroy()
    await expect.poll(() => readdirSync(stage.files())).toEqual(before)
  },
}
