// Section 1.1: every resource has exactly its fields, with the defaults of what was left out.
import { expect } from 'vitest'
import { type Json, ask, created, newName, newSession } from '../ask.ts'
import { type Cases, NOBODY, answers, id, idleIndex, refuses, stamps, tooLong } from './case.ts'

export const resources: Cases = {
  '1.1 client': async (stage) => {
    const name = newName('Zoë & Cie.')
    const slug = name.toLowerCase().replace('zoë & cie.', 'zoe-cie').replaceAll(' ', '-')
    const client = await created(stage, '/clients', { name, unknown: true })
    expect(client).toEqual({ id, name, slug, logo_path: null, metadata: {}, ...stamps })
    const path = `/clients/${client.id}`
    const changes = { name: `${name} 2`, logo_path: 'l.svg', metadata: { k: [1] } }
    const body = { ...client, ...changes, slug: `${slug}-2`, ...stamps }
    await answers(stage, ['PATCH', path, changes], { status: 200, body })
    await answers(stage, ['PATCH', path, { metadata: { n: 2 } }], {
      status: 200,
      body: { ...body, metadata: { n: 2 } },
    })
    const longest = { name: newName('N').padEnd(255, 'x'), logo_path: 'x'.repeat(500) }
    await created(stage, '/clients', longest)
    const bad = {
      name: [tooLong(255), null, '', ' ', 1],
      logo_path: [tooLong(500), 1],
      metadata: [null, [], 'text'],
    }
    await refuses(stage, ['POST', '/clients', { name: 'N' }], bad)
    await refuses(stage, ['PATCH', path], bad)
  },
  '1.1 project': async (stage) => {
    const { client, project } = await newSession(stage, { name: 'Shop 2.0' })
    // The pattern and the frameworks are ours: what rule 4 loads files by.
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
    // Their order is a custom, not a law.
    for (const status of ['archived', 'active', 'draft']) {
      const changes = { description: 'D', cloud_providers: ['aws', 'any'], status }
      await answers(stage, ['PATCH', `${projects}/${project.id}`, changes], {
        status: 200,
        body: { ...body, ...changes },
      })
    }
    const bad = {
      name: [tooLong(255), null, ' '],
      description: [1],
      cloud_providers: [null, 'aws', [1]],
      status: ['running', null],
    }
    await refuses(stage, ['POST', projects, { name: 'N' }], bad)
    await refuses(stage, ['PATCH', `${projects}/${project.id}`], bad)
  },
  '1.1 version': async (stage) => {
    const { project } = await newSession(stage)
    const path = `/projects/${project.id}/versions`
    const version = await created(stage, path, { version_number: '2.0.0' })
    const body = {
      id,
      project_id: project.id,
      version_number: '2.0.0',
      label: null,
      status: 'draft',
      notes: null,
      ...stamps,
    }
    expect(version).toEqual(body)
    for (const status of ['approved', 'draft', 'superseded', 'review']) {
      const changes = { label: 'L', status, notes: 'N' }
      const sent = { ...changes, version_number: '9.9.9' }
      await answers(stage, ['PATCH', `${path}/${version.id}`, sent], {
        status: 200,
        body: { ...body, ...changes },
      })
    }
    const longest = { version_number: '9'.repeat(20), label: 'x'.repeat(255) }
    await created(stage, path, longest)
    const bad = { label: [tooLong(255), 1], status: ['done', null], notes: [1] }
    const version_number = [tooLong(20), null, '', 1]
    await refuses(stage, ['POST', path], { version_number, ...bad })
    await refuses(stage, ['PATCH', `${path}/${version.id}`], bad)
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
      const body = expect.objectContaining(changes)
      await answers(stage, ['PATCH', `${path}/questions/${question.id}`, changes], {
        status: 200,
        body,
      })
      const made = { question_text: 'Q', ...changes }
      await answers(stage, ['POST', `${path}/questions`, made], { status: 201, body })
    }
    const bad = { question_text: [null, '', ' '], status: ['x', null], category: ['x', null] }
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
    // Of what is no item, its beginning.
    const { body } = await ask(stage, 'POST', '/knowledge/search', {
      json: { query: 'why boundaries of trust matter', top_k: 50, min_score: 0 },
    })
    const passage = body.results.find((one: Json) => one.checklist_item === null)
    const asked = await created(stage, `${path}/questions`, { question_text: passage.content })
    const shown = asked.suggestions.find((one: Json) => one.priority === null)
    expect(shown).toMatchObject({
      source_file: passage.source_file,
      checklist_item: passage.content.slice(0, 200),
    })
  },
  '1.1 ADR': async (stage) => {
    const { path, version } = await newSession(stage)
    const prose = { title: 'T', context: 'C', decision: 'D', consequences: 'E' }
    const adr = await created(stage, `${path}/adrs`, { ...prose, adr_number: 7 })
    const body = {
      id,
      version_id: version.id,
      adr_number: 1,
      status: 'proposed',
      superseded_by: null,
      ...prose,
      ...stamps,
    }
    expect(adr).toEqual(body)
    for (const status of ['accepted', 'deprecated', 'superseded', 'proposed']) {
      const changes = { status, title: 'T2', context: 'C2', decision: 'D2', consequences: 'E2' }
      const sent = { ...changes, superseded_by: adr.id, adr_number: 7 }
      await answers(stage, ['PATCH', `${path}/adrs/${adr.id}`, sent], {
        status: 200,
        body: { ...body, ...changes },
      })
    }
    const blank = [null, '', ' ', 1]
    const bad = {
      title: [tooLong(255), ...blank],
      context: blank,
      decision: blank,
      consequences: blank,
      status: ['open', null],
    }
    await refuses(stage, ['POST', `${path}/adrs`, prose], bad)
    await refuses(stage, ['PATCH', `${path}/adrs/${adr.id}`], bad)
  },
  '1.1 artifact': async (stage) => {
    const { path, version } = await newSession(stage)
    const artifacts = `${path}/artifacts`
    for (const [artifact_type, engine] of [
      ['diagram', 'd2'],
      ['document', 'markdown'],
      ['pdf_report', 'weasyprint'],
    ] as const) {
      const artifact = await created(stage, artifacts, { name: 'A', artifact_type, engine })
      const body = {
        id,
        version_id: version.id,
        name: 'A',
        artifact_type,
        detail_level: 'conceptual',
        engine,
        source_code: null,
        output_paths: [],
        outputs_stale: false,
        render_status: 'pending',
        render_error: null,
        sort_order: 0,
        ...stamps,
      }
      expect(artifact).toEqual(body)
      for (const detail_level of ['logical', 'detailed', 'deployment']) {
        const changes = { name: 'B', detail_level, sort_order: 3 }
        const sent = { ...changes, artifact_type: 'other' }
        await answers(stage, ['PATCH', `${artifacts}/${artifact.id}`, sent], {
          status: 200,
          body: { ...body, ...changes },
        })
      }
      // Ours: an engine by the type.
      const plain = await created(stage, artifacts, { name: 'P', artifact_type })
      expect(plain.engine).toBe(engine)
    }
    const good = { name: 'A', artifact_type: 'diagram' }
    const own = await created(stage, artifacts, { ...good, engine: 'diagrams_py' })
    const bad = {
      name: [tooLong(255), null, ' '],
      detail_level: ['security', null],
      engine: ['visio', null],
      source_code: [1],
      sort_order: [null, 'first', 1.5],
    }
    await refuses(stage, ['POST', artifacts, good], { artifact_type: ['x', null], ...bad })
    await refuses(stage, ['PATCH', `${artifacts}/${own.id}`], bad)
  },
  '1.1 coverage item': async (stage) => {
    const { path, version } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const sent = { knowledge_file: 'general/x.md', item_text: 'I', priority: 'Critical' }
    const item = await created(stage, `${path}/coverage`, sent)
    const body = {
      id,
      version_id: version.id,
      ...sent,
      status: 'pending',
      question_id: null,
      reason: null,
      ...stamps,
    }
    expect(item).toEqual(body)
    for (const status of ['addressed', 'deferred', 'na', 'pending']) {
      const changes = { status, question_id: question.id, reason: 'R' }
      await answers(stage, ['PATCH', `${path}/coverage/${item.id}`, changes], {
        status: 200,
        body: { ...body, ...changes },
      })
    }
    const bad = { status: ['done', null], question_id: ['x', NOBODY], reason: [1] }
    await refuses(stage, ['PATCH', `${path}/coverage/${item.id}`], bad)
    await refuses(stage, ['POST', `${path}/coverage`, sent], {
      knowledge_file: [tooLong(255), null, ''],
      item_text: [null, ' '],
      priority: ['High', null],
      ...bad,
    })
  },
  '1.1 inventory item': async (stage) => {
    const { path, version } = await newSession(stage)
    const item = await created(stage, `${path}/inventory`, { name: 'VMs', data: 'a,b\n1,2\n' })
    expect(item).toEqual({
      id,
      version_id: version.id,
      name: 'VMs',
      description: null,
      data_type: 'custom',
      data: 'a,b\n1,2\n',
      sort_order: 0,
      ...stamps,
    })
    const bad = {
      name: [tooLong(255), null, ' '],
      description: [1],
      data_type: [tooLong(50), null],
      data: [null, {}],
      sort_order: [null, '1'],
    }
    await refuses(stage, ['POST', `${path}/inventory`, { name: 'N', data: '' }], bad)
    await refuses(stage, ['PATCH', `${path}/inventory/${item.id}`], bad)
  },
  '1.1 upload': async (stage) => {
    const { path, version } = await newSession(stage)
    const form = new FormData()
    form.set('file', new Blob(['12345']), 'numbers')
    const { status, body } = await ask(stage, 'POST', `${path}/uploads`, { raw: form })
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
      // Ours: why it was found.
      matched_terms: expect.arrayContaining(['threat']),
    })
    const { score } = results[0]
    expect(Math.round(score * 10_000) / 10_000).toBe(score)
  },
  '1.1 cascades': async (stage) => {
    const { client, project, path } = await newSession(stage)
    const question = await created(stage, `${path}/questions`, { question_text: 'Q' })
    const item = await created(stage, `${path}/coverage`, {
      knowledge_file: 'f.md',
      item_text: 'I',
      priority: 'Optional',
      question_id: question.id,
    })
    const artifact = await created(stage, `${path}/artifacts`, {
      name: 'A',
      artifact_type: 'document',
    })
    const raw = new FormData()
    raw.set('file', new Blob(['x']), 'x.txt')
    const upload = (await ask(stage, 'POST', `${path}/uploads`, { raw })).body
    await answers(stage, ['DELETE', `/clients/${client.id}`], { status: 204 })
    const gone = { status: 404, body: 'Version not found' }
    for (const below of [
      `questions/${question.id}`,
      `coverage/${item.id}`,
      `artifacts/${artifact.id}`,
      'adrs',
      'inventory',
      'uploads',
      `uploads/${upload.id}/download`,
    ]) {
      await answers(stage, ['GET', `${path}/${below}`], gone)
    }
    const versions = `/projects/${project.id}/versions`
    await answers(stage, ['GET', versions], { status: 404, body: 'Project not found' })
  },
}
