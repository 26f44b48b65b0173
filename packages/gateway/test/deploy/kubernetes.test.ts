// Law: manifests of Kubernetes are what its published schemas allow, set only variables of the
// server and probe only routes that it has.
import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { environmentHelp } from '../../src/config.ts'
import type { Loose } from '../player-client.ts'

const MANIFESTS = new URL('../../deploy/cluster/kubernetes/', import.meta.url)
const FILES = readdirSync(MANIFESTS)

const VARIABLES = new Set(environmentHelp().match(/\b[A-Z]+(?:_[A-Z]+)*\b/g))

function read(name: string): string {
  return readFileSync(new URL(name, MANIFESTS), 'utf8')
}

const SCHEMAS = new URL('_schemas/', import.meta.resolve('kubernetes-models'))

interface Validate {
  (data: unknown): boolean
  readonly errors?: readonly unknown[] | null
}

const DOCUMENTS = FILES.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => {
    const content: Loose = document.toJS()
    return [file, content.kind, content] as [string, string, Loose]
  }),
)

/** Such as `IoK8sApiAppsV1StatefulSet`. */
async function validatorOf({ apiVersion, kind }: Loose): Promise<Validate> {
  const [version, group = 'core'] = apiVersion.split('/').toReversed()
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
  const name = `IoK8sApi${capital(group)}${capital(version)}${kind}`
  const { validate } = await import(new URL(`${name}.js`, SCHEMAS).href)
  return validate
}

/** The same value; notes what is read of it, since the schemas let unknown keys pass unread. */
function noting(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copies = new Map<PropertyKey, unknown>()
  for (const [key, part] of Object.entries(value)) {
    const place = `${path}/${key}`
    if (!Array.isArray(value)) unread.add(place)
    copies.set(key, noting(part, place, unread))
  }
  return new Proxy(value, {
    get: (target, key) => {
      unread.delete(`${path}/${String(key)}`)
      return copies.has(key) ? copies.get(key) : Reflect.get(target, key)
    },
  })
}

/** What is wrong with a manifest by its schema, and its keys that the schema has not. */
async function faults(document: Loose): Promise<readonly unknown[]> {
  const validate = await validatorOf(document)
  const unread = new Set<string>()
  const isValid = validate(noting(document, '', unread))
  return isValid ? [...unread] : [...(validate.errors ?? []), ...unread]
}

test('a misspelt key and a wrong value of a manifest are faults', async () => {
  const [, , service] = DOCUMENTS.find(([, kind]) => kind === 'Service') ?? []
  const { spec } = service
  expect(await faults({ ...service, spec: { ...spec, selektor: {} } })).toEqual(['/spec/selektor'])
  expect(await faults({ ...service, spec: { ...spec, type: 'Open' } })).not.toEqual([])
})

test.each(DOCUMENTS)('%s: %s is what the schema of Kubernetes allows', async (_, __, document) => {
  expect(await faults(document)).toEqual([])
})

test('manifests set only variables of the server, and reach it where it listens', () => {
  const text = FILES.map(read).join('')
  const containers = DOCUMENTS.flatMap(([, , { spec }]) => spec?.template?.spec.containers ?? [])
  const settings = DOCUMENTS.flatMap(([, , { data, stringData }]) =>
    Object.keys({ ...data, ...stringData }),
  )
  const own = new Set(['POD_NAME', 'NATS_PASSWORD'])
  const names = containers.flatMap(({ env }) => env.map(({ name }: Loose) => name))
  expect([...names, ...settings].filter((name) => !VARIABLES.has(name) && !own.has(name))).toEqual(
    [],
  )
  expect(new Set(text.match(/\/health\/\w+/g))).toEqual(new Set(['/health/live', '/health/ready']))
})
