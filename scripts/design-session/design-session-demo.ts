/**
 * `scripts/orrery design-session-demo` walks a whole architecture design session through the API.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { commandLine } from '../command/command-line.ts'
import {
  CLIENT,
  DECISIONS,
  DIAGRAMS,
  DOCUMENTS,
  FACTS,
  HOSTING_ANSWER,
  PROJECT,
  QUESTIONS,
} from './design-session-story.ts'

/** A suggestion or hit above this is relevant. */
const RELEVANT = 0.5

/** Coverage items that one request takes. */
const BATCH_MAX = 500

const HELP = `Usage: scripts/orrery design-session-demo [--out FILE] [--url URL [--token TOKEN]]

Runs a whole session, from an empty service to the report as PDF, and prints one line for each step.
Without --url it starts the service on a temporary directory and stops it afterwards.

  --out FILE     where the report goes (default: design-session-report.pdf in the system's directory
                 for temporary files)
  --url URL      a service that runs, such as http://127.0.0.1:3001
  --token TOKEN  its bearer token, if it has one
`

const { values: options } = commandLine('design-session-demo', HELP, {
  out: { type: 'string' },
  url: { type: 'string' },
  token: { type: 'string' },
})
const out = options.out ?? join(tmpdir(), 'design-session-report.pdf')

// Answers are read as the API's document describes them.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

let address = options.url ?? ''

async function answer(method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(new URL(`/api/v1${path}`, address), {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (response.ok) return response
  throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

async function send(method: string, path: string, body?: object): Promise<Json> {
  return (await answer(method, path, body)).json()
}

let steps = 0

function say(what: string): void {
  console.log(`${String((steps += 1)).padStart(2)}  ${what}`)
}

const begun = performance.now()
const directory = mkdtempSync(join(tmpdir(), 'design-session-demo-'))
let service: ChildProcess | undefined
try {
  if (options.url === undefined) {
    service = startedService()
    address = await announced(service)
    say(`Service: listens on ${address}`)
  }
  await indexReady()
  const { project, path } = await newVersion()
  await patternConfirmed(project, path)
  const library = await loaded(project)
  await factsSaid(path)
  await questions(path)
  await decisions(path)
  await gateOpened(path)
  await gapsClosed(path, library)
  await diagrams(path)
  await documents(path)
  await report(path)
  await standing(path)
  say(`Done in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  if (service && service.exitCode === null && service.kill()) await once(service, 'exit')
  rmSync(directory, { recursive: true, force: true })
}

function startedService(): ChildProcess {
  const main = fileURLToPath(import.meta.resolve('@orrery/design-sessions/main'))
  return spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: directory,
      // What is found must not depend on how many vectors are made by then.
      KNOWLEDGE_VECTORS: 'false',
      DESIGN_SESSIONS_PORT: '0',
      LOG_LEVEL: 'error',
    },
  })
}

/** The address that a service writes once it listens. */
async function announced({ stdout }: ChildProcess): Promise<string> {
  if (stdout) {
    for await (const line of createInterface(stdout)) {
      const found = /listens on (\S+)/.exec(line)?.[1]
      if (found !== undefined) return found
    }
  }
  throw new Error('The service did not start.')
}

async function indexReady(): Promise<void> {
  let status = await send('GET', '/knowledge/reindex/status')
  if (!status.indexed && !status.reindexing) await send('POST', '/knowledge/reindex')
  while (!status.indexed) {
    await setTimeout(200)
    status = await send('GET', '/knowledge/reindex/status')
    const failure = status.reindex_last_error
    if (failure !== null) throw new Error(`The library was not indexed: ${failure}`)
  }
  const { knowledge_file_count: files, total_embeddings: passages } = status
  say(`Index: ready, ${files} files, ${passages} items and passages`)
}

async function newVersion(): Promise<{ project: Json; path: string }> {
  const clients: Json[] = await send('GET', '/clients')
  const known = clients.find(({ name }) => name === CLIENT)
  const client = known ?? (await send('POST', '/clients', { name: CLIENT }))
  say(`Client: ${client.name} (${known ? 'known' : 'new'})`)
  // A second walk on the same service is a second project.
  const projects: Json[] = await send('GET', `/clients/${client.id}/projects`)
  const name = projects.length === 0 ? PROJECT.name : `${PROJECT.name} (${projects.length + 1})`
  const project = await send('POST', `/clients/${client.id}/projects`, { ...PROJECT, name })
  say(`Project: ${project.name} on ${project.cloud_providers.join(' and ')}`)
  const version = await send('POST', `/projects/${project.id}/versions`, {})
  say(`Version: ${version.version_number}`)
  return { project, path: `/versions/${version.id}` }
}

async function patternConfirmed({ id, client_id }: Json, path: string): Promise<void> {
  const { next } = await send('GET', `${path}/workflow`)
  say(`Next by the workflow: rule ${next.rule}, ${next.what}`)
  const architecture_pattern = 'hybrid-cloud'
  await send('PATCH', `/clients/${client_id}/projects/${id}`, { architecture_pattern })
  say(`Pattern: ${architecture_pattern}, confirmed`)
}

/** The text of the files that the session loads, by their paths. */
async function loaded({ id, description }: Json): Promise<Map<string, string>> {
  const files: Json[] = await send('GET', `/projects/${id}/knowledge-files`)
  const texts = new Map<string, string>()
  const load = async (path: string): Promise<void> => {
    texts.set(path, (await send('GET', `/knowledge/${path}`)).content)
  }
  for (const { path } of files) await load(path)
  say(`Library: ${files.length} files loaded by the project's providers and pattern`)
  const exclude_files = [...texts.keys()]
  const asked = { query: description, top_k: 20, exclude_files }
  const { results } = await send('POST', '/knowledge/search', asked)
  const hits = results.filter(({ score }: Json) => score > RELEVANT)
  const sources = Map.groupBy(hits, ({ source_file }: Json) => String(source_file))
  const more = [...sources].filter(([, found]) => found.length > 1).map(([source]) => source)
  say(
    `Discovery: ${results.length} hits, ${hits.length} relevant; to be read as well: ${
      more.join(', ') || 'none'
    }`,
  )
  return texts
}

async function factsSaid(path: string): Promise<void> {
  const { critical_to_ask: all } = await send('GET', `${path}/facts`)
  const { critical_to_ask: left } = await send('PUT', `${path}/facts`, FACTS)
  say(`Facts: ${Object.keys(FACTS).length} said, ${left} of ${all} critical items are to be asked`)
}

async function questions(path: string): Promise<void> {
  const { steps: rules } = await send('GET', `${path}/workflow`)
  const { request } = rules.find(({ rule }: Json) => rule === 6).todo[0]
  const first = { ...request.body, answer_text: HOSTING_ANSWER }
  for (const { answer_text, ...asked } of [first, ...QUESTIONS]) {
    const { id } = await send('POST', `${path}/questions`, asked)
    const body = { answer_text, status: 'answered' }
    const { suggestions } = await send('PATCH', `${path}/questions/${id}`, body)
    const used = suggestions.filter(
      ({ score, priority }: Json) => score > RELEVANT && priority !== null,
    )
    const items = used.map(({ source_file, checklist_item, priority }: Json) => ({
      knowledge_file: source_file,
      item_text: checklist_item,
      priority,
      status: 'addressed',
      question_id: id,
    }))
    await recordCoverage(path, items)
    const found = `${suggestions.length} suggestions, ${used.length} covered by the answer`
    say(`Question: ${asked.question_text} (${found})`)
  }
}

async function recordCoverage(path: string, items: readonly object[]): Promise<void> {
  for (let first = 0; first < items.length; first += BATCH_MAX) {
    const part = items.slice(first, first + BATCH_MAX)
    await send('POST', `${path}/coverage/batch`, { items: part })
  }
}

async function decisions(path: string): Promise<void> {
  for (const decision of DECISIONS) {
    const { adr_number: number, title } = await send('POST', `${path}/adrs`, decision)
    say(`Decision ${number}: ${title}`)
  }
}

/** Completes the steps before the diagrams, until the gate opens. */
async function gateOpened(path: string): Promise<void> {
  const { blockers } = await send('GET', `${path}/coverage/gate`)
  const files = new Set(blockers.map(({ knowledge_file }: Json) => knowledge_file))
  say(`Gate: closed by ${blockers.length} critical items of ${files.size} files`)
  const settled = { status: 'deferred', reason: 'Left to the detailed design' }
  const items = blockers.map(({ knowledge_file, item_text, priority }: Json) => ({
    knowledge_file,
    item_text,
    priority,
    ...settled,
  }))
  await recordCoverage(path, items)
  const { open, categories } = await send('GET', `${path}/coverage/gate`)
  if (!open) throw new Error('The gate is still closed')
  say(`Gate: open, ${categories.length} categories covered`)
}

/** Defers recommended and optional items, and searches again for each decision. */
async function gapsClosed(path: string, library: ReadonlyMap<string, string>): Promise<void> {
  const put = { status: 'deferred', reason: 'For the next version' }
  const items = [...library].flatMap(([knowledge_file, text]) =>
    [...text.matchAll(/^- \[ \] \*\*\[(Recommended|Optional)\]\*\* (.+)$/gm)].map(
      ([, priority, item_text]) => ({ knowledge_file, item_text, priority, ...put }),
    ),
  )
  await recordCoverage(path, items)
  const summary = await send('GET', `${path}/coverage/summary`)
  const { total, critical_addressed: addressed } = summary
  say(`Coverage: ${total} items, ${addressed} critical ones addressed, ${items.length} put off`)
  for (const { title, decision } of DECISIONS) {
    const query = `${title}. ${decision}`
    const { results } = await send('POST', '/knowledge/search', { query, top_k: 5 })
    const best = results[0] ? `${results[0].source_file}, ${results[0].score}` : 'nothing'
    say(`Searched once more for “${title}”: ${best}`)
  }
}

async function rendered(path: string, artifact: object): Promise<Json> {
  const { id } = await send('POST', `${path}/artifacts?require_gate=true`, artifact)
  let drawn = await send('POST', `${path}/artifacts/${id}/render`)
  while (drawn.render_status === 'rendering') {
    await setTimeout(500)
    drawn = await send('GET', `${path}/artifacts/${id}`)
  }
  if (drawn.render_status === 'success') return drawn
  throw new Error(`${drawn.name} did not render: ${drawn.render_error}`)
}

async function diagrams(path: string): Promise<void> {
  for (const diagram of DIAGRAMS) {
    const { name, engine, output_paths } = await rendered(path, diagram)
    say(`Diagram: ${name}, by ${engine}: ${output_paths.join(', ')}`)
  }
}

async function documents(path: string): Promise<void> {
  const version_id = path.split('/').at(-1)
  for (const [template_name, name] of Object.entries(DOCUMENTS)) {
    const filled = await send('POST', '/templates/render', { template_name, version_id })
    const { source_code } = filled
    await rendered(path, { name, artifact_type: 'document', source_code, sort_order: 10 })
    say(`Document: ${name}, from ${template_name}, ${source_code.length} characters`)
  }
}

async function report(path: string): Promise<void> {
  const { id } = await rendered(path, {
    name: 'Report',
    artifact_type: 'pdf_report',
    sort_order: 20,
  })
  const response = await answer('GET', `${path}/artifacts/${id}/outputs/report.pdf`)
  const bytes = Buffer.from(await response.arrayBuffer())
  writeFileSync(out, bytes)
  say(`Report: ${out}, ${Math.ceil(bytes.byteLength / 1024)} KiB`)
}

/** State of the session by all rules of the workflow. */
async function standing(path: string): Promise<void> {
  const { steps: rules, next } = await send('GET', `${path}/workflow`)
  const applicable = rules.filter((step: Json) => step.applicable)
  const done = applicable.filter((step: Json) => step.done)
  const left = next ? `; next: ${next.what}` : ''
  say(`Workflow: ${done.length} of ${applicable.length} rules done${left}`)
}
