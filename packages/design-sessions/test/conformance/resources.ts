// Section 1.1: every resource has exactly its fields, with the defaults of what was left out.
import { IS_NIGHT, byTier } from '@orrery/testkit/tier'
import { expect } from 'vitest'
import {
  DECISION,
  ITEM,
  type Json,
  NO_ID,
  ask,
  created,
  newName,
  newSession,
  uploaded,
} from '../ask.ts'
import {
  BLANK,
  type Cases,
  answers,
  change,
  id,
  idleIndex,
  missing,
  refuses,
  stamps,
  tooLong,
  NO_LISTS,
  NO_SCOPE,
} from './case.ts'

const SORT_ORDER = [null, 'first', '1', 1.5, 2 ** 31]

/** A body has no room for more than those of the night. */
const MANY = byTier({ gate: 20_000, night: 500_000 })

export const resources: Cases = {
  '1.1 client': async (stage) => {
    const name = newName('Zoë & Cie.')
    const slug = name.toLowerCase().replace('zoë & cie.', 'zoe-cie').replaceAll(' ', '-')
    const client = await created(stage, '/clients', { name, unknown: true })
    expect(client).toEqual({ id, name, slug, logo_path: null, metadata: {}, ...stamps })
    const path = `/clients/${client.id}`
    const changes = { name: `${name} 2`, logo_path: 'l.svg', metadata: { k: [1, { c: null }] } }
    const body = { ...client, ...changes, slug: `${slug}-2`, ...stamps }
    expect(await change(stage, path, changes)).toEqual(body)
    // Metadata is replaced as a whole, and its keys have no meaning.
    const keys = '{"only": true, "constructor": "a", "prototype": 1, "__proto__": {"b": 2}}'
    const metadata = JSON.parse(keys)
    expect(await change(stage, path, { metadata })).toEqual({ ...body, metadata })
    expect((await change(stage, path, { logo_path: null })).logo_path).toBeNull()
    const longest = { name: newName('N').padEnd(255, 'x'), logo_path: 'x'.repeat(500) }
    await created(stage, '/clients', longest)
    const bad = {
      name: [tooLong(255), ...BLANK],
      logo_path: [tooLong(500), 1],
      metadata: [null, [], 'text'],
    }
    await refuses(stage, ['POST', '/clients', { name: 'N' }], bad)
    await refuses(stage, ['PATCH', path], bad)
  },
  '1.1 project': async (stage) => {
    const { client, project } = await newSession(stage, { name: 'Shop 2.0' })
    // The pattern and the frameworks are additions: rule 4 chooses files by them.
    const own = { architecture_pattern: null, compliance_frameworks: [] }
    const body = {
      id,
      client_id: client.id,
      name: 'Shop 2.0',
      slug: 'shop-2-0',
      description: null,
      cloud_providers: [],
      status: 'draft',
      ...own,
      ...stamps,
    }
    expect(project).toEqual(body)
    const projects = `/clients/${client.id}/projects`
    const path = `${projects}/${project.id}`
    // Any status may follow any other.
    for (const status of ['archived', 'draft', 'active', 'draft']) {
      const changes = { description: 'D', cloud_providers: ['aws', 'any'], status }
      expect(await change(stage, path, changes)).toEqual({ ...body, ...changes })
    }
    const pattern = { cloud_providers: ['vmware'], architecture_pattern: 'hybrid-cloud' }
    expect(await change(stage, path, pattern)).toMatchObject({ ...pattern, description: 'D' })
    const bad = {
      name: [tooLong(255), ...BLANK],
      description: [1],
      cloud_providers: [null, 'aws', [1], [''], Array.from({ length: MANY }, () => 0)],
      status: ['running', 'done', null],
      architecture_pattern: ['spaghetti'],
    }
    await refuses(stage, ['POST', projects, { name: 'N' }], bad)
    await refuses(stage, ['PATCH', path], bad)
  },
  '1.1 version': async (stage) => {
    const { project, version } = await newSession(stage)
    const path = `/projects/${project.id}/versions`
    const body = {
      id,
      project_id: project.id,
      version_number: '0.1.0',
      label: null,
      status: 'draft',
      notes: null,
      ...NO_SCOPE,
      facts: {},
      ...stamps,
    }
    expect(version).toEqual(body)
    const made = await created(stage, path, { version_number: '2.0.0' })
    expect(made).toEqual({ ...body, version_number: '2.0.0' })
    for (const status of ['approved', 'draft', 'superseded', 'review']) {
      const changes = { label: 'L', status, notes: 'N' }
      const sent = { ...changes, version_number: '9.9.9' }
      expect(await change(stage, `${path}/${made.id}`, sent)).toEqual({
        ...made,
        ...changes,
        ...stamps,
      })
    }
    expect((await change(stage, `${path}/${made.id}`, { label: null })).label).toBeNull()
    const longest = { version_number: '9'.repeat(20), label: 'x'.repeat(255) }
    await created(stage, path, longest)
    const bad = { label: [tooLong(255), 1], status: ['done', 'DRAFT', null], notes: [1] }
    const version_number = [tooLong(20), ...BLANK]
    await refuses(stage, ['POST', path], { version_number, ...bad })
    await refuses(stage, ['PATCH', `${path}/${made.id}`], bad)
  },
  '1.1 question': async (stage) => {
    const { path, version } = await newSession(stage)
    const sent = { question_text: 'Q?', answer_text: 'not yet' }
    const question = await created(stage, `${path}/questions`, sent)
    expect(question).toEqual({
      id,
      version_id: version.id,
      question_text: 'Q?',
      answer_text: null,
      status: 'open',
      category: 'requirements',
      suggestions: expect.any(Array),
      ...stamps,
    })
    const words = 'requirements security scaling compliance cost operations networking storage'
    const categories = `${words} compute identity monitoring dr migration`.split(' ')
    const statuses = ['open', 'answered', 'deferred', 'not_applicable']
    for (const [i, category] of categories.entries()) {
      const changes = { category, status: statuses[i % 4] }
      const made = { question_text: 'Q', ...changes }
      expect(await created(stage, `${path}/questions`, made)).toMatchObject(changes)
      // By day once a status: both requests have one list of categories.
      if (!IS_NIGHT && i >= statuses.length) continue
      const at = `${path}/questions/${question.id}`
      expect(await change(stage, at, changes)).toMatchObject(changes)
    }
    const bad = {
      question_text: [...BLANK, 'x'.repeat(100_001)],
      status: ['x', null],
      category: ['x', '', null],
    }
    await refuses(stage, ['POST', `${path}/questions`, { question_text: 'Q' }], bad)
    const answer_text = [1]
    await refuses(stage, ['PATCH', `${path}/questions/${question.id}`], { ...bad, answer_text })
  },
  '1.1 suggestion': async (stage) => {
    await idleIndex(stage)
    const { path } = await newSession(stage)
    const { suggestions } = await created(stage, `${path}/questions`, {
      question_text: 'Has a threat model been drawn for every trust boundary?',
    })
    expect(suggestions[0]).toEqual({
      source_file: 'general/security.md',
      checklist_item: expect.stringContaining('threat model'),
      priority: 'critical',
      score: expect.any(Number),
    })
    // A passage is no suggestion.
    const { body } = await ask(stage, 'POST', '/knowledge/search', {
      json: { query: 'why boundaries of trust matter', top_k: 50, min_score: 0 },
    })
    const passage = body.results.find((one: Json) => one.checklist_item === null)
    const asked = await created(stage, `${path}/questions`, { question_text: passage.content })
    expect(asked.suggestions.filter((one: Json) => one.priority === null)).toEqual([])
  },
  '1.1 ADR': async (stage) => {
    const { path, version } = await newSession(stage)
    const adr = await created(stage, `${path}/adrs`, { ...DECISION, adr_number: 7 })
    const body = {
      id,
      version_id: version.id,
      adr_number: 1,
      status: 'proposed',
      ...NO_LISTS,
      superseded_by: null,
      ...DECISION,
      ...stamps,
    }
    expect(adr).toEqual(body)
    for (const status of ['accepted', 'deprecated', 'superseded', 'proposed']) {
      const changes = { status, title: 'T2', context: 'C2', decision: 'D2', consequences: '' }
      const sent = { ...changes, superseded_by: null, adr_number: 7 }
      const changed = await change(stage, `${path}/adrs/${adr.id}`, sent)
      expect(changed).toEqual({ ...body, ...changes })
      const made = await created(stage, `${path}/adrs`, { ...DECISION, status })
      expect(made.status).toBe(status)
    }
    const bad = {
      title: [tooLong(255), ...BLANK],
      context: BLANK,
      decision: BLANK,
      // It may be empty: files of MADR need none.
      consequences: [...BLANK.filter((one) => one !== ''), []],
      status: ['open', 7, null],
    }
    await refuses(stage, ['POST', `${path}/adrs`, DECISION], bad)
    await refuses(stage, ['PATCH', `${path}/adrs/${adr.id}`], bad)
  },
  '1.1 artifact': async (stage) => {
    const { path, version } = await newSession(stage)
    const artifacts = `${path}/artifacts`
    const engines = ['d2', 'diagrams_py', 'graphviz', 'mermaid', 'markdown', 'weasyprint']
    for (const [artifact_type, ofType] of [
      ['diagram', 'd2'],
      ['document', 'markdown'],
      ['pdf_report', 'weasyprint'],
    ] as const) {
      // The type chooses the engine that is left out, and goes with each of them.
      for (const engine of [undefined, ...engines]) {
        const artifact = await created(stage, artifacts, { name: 'A', artifact_type, engine })
        const body = {
          id,
          version_id: version.id,
          name: 'A',
          artifact_type,
          detail_level: 'conceptual',
          engine: engine ?? ofType,
          source_code: null,
          output_paths: [],
          outputs_stale: false,
          render_status: 'pending',
          render_error: null,
          sort_order: 0,
          ...stamps,
        }
        expect(artifact).toEqual(body)
        // By day of one engine: no other has levels of its own.
        if (engine && !IS_NIGHT) continue
        for (const detail_level of ['logical', 'detailed', 'deployment']) {
          const changes = { name: 'B', detail_level, sort_order: 3 }
          const sent = { ...changes, artifact_type: 'other' }
          const changed = await change(stage, `${artifacts}/${artifact.id}`, sent)
          expect(changed).toEqual({ ...body, ...changes })
        }
      }
    }
    const good = { name: 'A', artifact_type: 'diagram' }
    const own = await created(stage, artifacts, { ...good, sort_order: 3 })
    expect(own.sort_order).toBe(3)
    const bad = {
      name: [tooLong(255), ...BLANK],
      detail_level: ['security', null],
      engine: ['visio', null],
      // At most 262,144 bytes, not characters.
      source_code: [1, tooLong(262_144), '€'.repeat(90_000)],
      sort_order: SORT_ORDER,
    }
    await refuses(stage, ['POST', artifacts, good], { artifact_type: ['picture', null], ...bad })
    await refuses(stage, ['PATCH', `${artifacts}/${own.id}`], bad)
  },
  '1.1 coverage item': async (stage) => {
    const { path, version } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const item = await created(stage, `${path}/coverage`, ITEM)
    const body = {
      id,
      version_id: version.id,
      ...ITEM,
      status: 'pending',
      question_id: null,
      reason: null,
      owner: null,
      due_date: null,
      ...stamps,
    }
    expect(item).toEqual(body)
    for (const status of ['addressed', 'deferred', 'na', 'pending']) {
      const risk = { owner: 'O', due_date: '2027-02-28' }
      const changes = { status, question_id: question.id, reason: 'R', ...risk }
      const changed = await change(stage, `${path}/coverage/${item.id}`, changes)
      expect(changed).toEqual({ ...body, ...changes })
    }
    const risky = { owner: [tooLong(255), ''], due_date: ['2027-02-29', 'soon'] }
    const bad = { status: ['done', null], question_id: ['x', NO_ID], reason: [1], ...risky }
    await refuses(stage, ['PATCH', `${path}/coverage/${item.id}`], bad)
    await refuses(stage, ['POST', `${path}/coverage`, ITEM], {
      knowledge_file: [tooLong(255), ...BLANK],
      item_text: BLANK,
      priority: ['High', 'urgent', null],
      ...bad,
    })
  },
  '1.1 inventory item': async (stage) => {
    const { path, version } = await newSession(stage)
    const inventory = `${path}/inventory`
    const data = 'name;cpu\r\n"a ""b""";2\n\t☃'
    const item = await created(stage, inventory, { name: 'VMs', data })
    expect(item).toEqual({
      id,
      version_id: version.id,
      name: 'VMs',
      description: null,
      data_type: 'custom',
      data,
      sort_order: 0,
      ...stamps,
    })
    const bad = {
      name: [tooLong(255), ...BLANK],
      description: [1],
      data_type: [tooLong(50), null],
      data: [null, {}],
      sort_order: SORT_ORDER,
    }
    await refuses(stage, ['POST', inventory, { name: 'N', data: '' }], bad)
    await refuses(stage, ['PATCH', `${inventory}/${item.id}`], bad)
  },
  '1.1 knowledge file': async (stage) => {
    const { body } = await ask(stage, 'GET', '/knowledge')
    const path = 'general/high-availability.md'
    const entry = { path, name: 'High Availability', category: 'general' }
    expect(body.general.find((one: Json) => one.path === path)).toEqual(entry)
    expect(body.patterns[0].category).toBe('patterns')
    expect(body.providers.vmware[0].category).toBe('vmware')
    await answers(stage, ['GET', `/knowledge/${path}`], {
      status: 200,
      body: { path, name: 'High Availability', content: expect.stringContaining('\n## Checklist') },
    })
  },
  '1.1 search result': async (stage) => {
    await idleIndex(stage)
    const query = 'Has a threat model been drawn for every trust boundary?'
    const { results } = await answers(stage, ['POST', '/knowledge/search', { query }], {
      status: 200,
    })
    expect(results[0]).toEqual({
      id: expect.any(String),
      source_file: 'general/security.md',
      source_type: 'knowledge_file',
      section: 'Checklist',
      checklist_item: results[0].content,
      priority: 'critical',
      content: expect.stringContaining('threat model'),
      score: expect.any(Number),
      // An addition: why it was found.
      matched_terms: expect.arrayContaining(['threat']),
    })
    const { score } = results[0]
    expect(Math.round(score * 10_000) / 10_000).toBe(score)
  },
  '1.1 cascades': async (stage) => {
    const { client, project, version, path } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const item = await created(stage, `${path}/coverage`, { ...ITEM, question_id: question.id })
    const artifact = await created(stage, `${path}/artifacts`, {
      name: 'A',
      artifact_type: 'document',
    })
    await created(stage, `${path}/inventory`, { name: 'I', data: '' })
    const upload = await uploaded(stage, path, 'x.txt')
    await answers(stage, ['DELETE', `/clients/${client.id}`], { status: 204 })
    for (const below of [
      'questions',
      `questions/${question.id}`,
      `coverage/${item.id}`,
      'coverage/summary',
      `artifacts/${artifact.id}`,
      'adrs',
      'inventory',
      'uploads',
      `uploads/${upload.id}/download`,
    ]) {
      await missing(stage, ['GET', `${path}/${below}`], 'Version')
    }
    const versions = `/projects/${project.id}/versions`
    await missing(stage, ['GET', versions], 'Project')
    await missing(stage, ['GET', `${versions}/${version.id}`], 'Project')
    for (const above of ['', '/projects', `/projects/${project.id}`]) {
      await missing(stage, ['GET', `/clients/${client.id}${above}`], 'Client')
    }
  },
}
