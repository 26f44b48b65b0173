// What linters find in the document of an API, by the rules that they recommend. Each takes a third
// of a second to load: only those that are used.
import type { RulesetDefinition } from '@stoplight/spectral-core'
import { parentPort, workerData } from 'node:worker_threads'
import { IS_NIGHT } from '../runs/tier.ts'

async function redoclyFaults(document: object): Promise<readonly string[]> {
  const { createConfig, lintFromString } = await import('@redocly/openapi-core')
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: JSON.stringify(document), config })
  return found.map(
    ({ severity, ruleId, location: [place] }) =>
      `redocly ${severity} ${ruleId} at ${place?.pointer ?? '#'}`,
  )
}

const SEVERITIES = ['error', 'warn', 'info', 'hint']

async function spectralFaults(document: object): Promise<readonly string[]> {
  const { default: core } = await import('@stoplight/spectral-core')
  const { default: rulesets } = await import('@stoplight/spectral-rulesets')
  const spectral = new core.Spectral()
  // Its types want `extends` or `rules` in the rules that are extended.
  const oas = rulesets.oas as unknown as RulesetDefinition
  spectral.setRuleset({ extends: [[oas, 'recommended']] })
  const found = await spectral.run({ ...document })
  return found.map(
    ({ severity, code, path }) => `spectral ${SEVERITIES[severity]} ${code} at ${path.join('/')}`,
  )
}

async function asyncApiFaults(document: object): Promise<readonly string[]> {
  const { Parser } = await import('@asyncapi/parser')
  const found = await new Parser().validate(JSON.stringify(document))
  return found.map(
    ({ severity, code, path }) => `asyncapi ${SEVERITIES[severity]} ${code} at ${path.join('/')}`,
  )
}

async function openApiFaults(document: object): Promise<readonly string[]> {
  const found = await redoclyFaults(document)
  // The rules of both are nearly the same; a second reading of a document takes seconds.
  return IS_NIGHT ? [...found, ...(await spectralFaults(document))] : found
}

const document = workerData as object
const found = 'asyncapi' in document ? asyncApiFaults(document) : openApiFaults(document)
parentPort?.postMessage(await found)
