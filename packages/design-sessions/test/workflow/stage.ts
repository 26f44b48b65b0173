// A small library as a value, and an app on it in process.
import { afterAll, beforeAll } from 'vitest'
import type { IndexStatus } from '../../src/indexing/index-status.ts'
import type { Condition } from '../../src/indexing/conditions.ts'
import type { Knowledge } from '../../src/indexing/knowledge.ts'
import type { ChecklistItem, SearchResult } from '../../src/indexing/knowledge-items.ts'
import type { Priority } from '../../src/records/suggestion.ts'
import { type Answer, type Json, ask as send, created } from '../ask.ts'
import { type DirectApp, openApp } from '../direct-app.ts'

const LIBRARY: Readonly<Record<string, readonly Priority[]>> = {
  'compliance/gdpr.md': ['critical'],
  'compliance/soc2.md': ['critical'],
  'failures/dns.md': ['critical', 'optional'],
  'frameworks/aws-well-architected.md': ['recommended'],
  'frameworks/gcp-well-architected.md': ['critical'],
  'general/on-prem-facilities.md': ['critical'],
  'general/security.md': ['critical', 'critical', 'recommended'],
  'patterns/hybrid-cloud.md': ['critical'],
  'patterns/microservices.md': ['critical'],
  'providers/aws/networking.md': ['critical'],
  'providers/ceph/storage.md': ['recommended'],
  'providers/hashicorp/vault.md': ['recommended'],
  'providers/prometheus-grafana/alerts.md': ['recommended'],
  'providers/vmware/licences.md': ['critical'],
}

/** Of items, by file and number. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  'failures/dns.md 0': { tenants: ['several'] },
  'failures/dns.md 1': { stage: ['detail', 'launch'] },
  'general/security.md 1': { stage: ['launch'] },
  'general/security.md 2': { tenants: ['several'], stage: ['detail', 'launch'] },
}

/** The items of a file. */
export function itemsOf(file: string): ChecklistItem[] {
  return (LIBRARY[file] ?? []).map((priority, i) => ({
    file,
    section: 'Checklist',
    text: `Is **${file}** item ${i} settled?`,
    priority,
    condition: CONDITIONS[`${file} ${i}`] ?? {},
  }))
}

/** What a test sets and reads. */
export interface State {
  isIndexed: boolean
  isIndexing: boolean
  /** the version whose uploads were searched for suggestions */
  suggestedFor: string | undefined
  /** files that a search finds */
  found: readonly string[]
}

/** The part of a library that the workflow reads. */
function knowledgeOf(state: State): Partial<Knowledge> {
  return {
    files: async () =>
      Object.keys(LIBRARY).map((path) => ({ path, name: path, category: 'of no matter' })),
    checklist: async (files) => files.flatMap(itemsOf),
    indexed: async () => state.isIndexed,
    status: async () => ({ reindexing: state.isIndexing }) as IndexStatus,
    search: async () => state.found.map((source_file) => ({ source_file }) as SearchResult),
    filesAbout: async (text) => new Set(text.includes('walls') ? ['general/security.md'] : []),
    suggestions: async (text, of) => {
      state.suggestedFor = of?.versionId
      if (text.includes('broken')) throw new Error('no index')
      return [{ source_file: 'f.md', checklist_item: text, priority: null, score: 0.6 }]
    },
  }
}

/** An app for the tests of a file, and short forms of requests to it. */
export interface Stage {
  readonly app: DirectApp
  readonly state: State
  readonly ask: (method: string, path: string, json?: unknown) => Promise<Answer>
  readonly made: (path: string, json: unknown) => Promise<Json>
  /** a rule of the workflow in a version */
  readonly step: (path: string, number: number) => Promise<Json>
}

export function useStage(): Stage {
  const state: State = { isIndexed: false, isIndexing: false, suggestedFor: undefined, found: [] }
  let app: DirectApp | undefined
  beforeAll(async () => {
    app = await openApp(knowledgeOf(state) as Knowledge)
  })
  afterAll(() => app?.close())
  const opened = (): DirectApp => {
    if (app === undefined) throw new Error('The app has not been opened')
    return app
  }
  const ask: Stage['ask'] = (method, path, json) => send(opened(), method, path, { json })
  return {
    get app() {
      return opened()
    },
    state,
    ask,
    made: (path, json) => created(opened(), path, json),
    step: async (path, number) => {
      const { body } = await ask('GET', `${path}/workflow`)
      return body.steps.find(({ rule }: Json) => rule === number)
    },
  }
}
