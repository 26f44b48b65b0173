import type postgres from 'postgres'
import { pauses } from '../pauses.ts'
import type { Uploads } from '../records/upload-files.ts'
import { ensureReadable } from '../records/version-texts.ts'
import { type ChunkIndex, IndexBuilder, type SourceText } from './chunk-index.ts'
import { parsedFile, passages } from './markdown.ts'
import { isIndexable, uploadChunks } from './upload-text.ts'

/** Indexes of versions kept in memory. */
const INDEXES_MAX = 16

/** Uploads of a version that are searched, the newest first. */
const UPLOADS_MAX = 64

/** Texts of records of a version that are searched. */
const TEXT_BYTES_MAX = 8 * 1_048_576

export type VersionTexts = 'uploads' | 'records'

/** An index, and what the next one of the same texts is made with. */
interface Made {
  readonly state: string
  readonly builder: IndexBuilder
  readonly index: Promise<ChunkIndex>
}

/** Indexes of versions' own texts, made when they are searched and as long as they are current. */
export class VersionIndexes {
  readonly #sql: postgres.Sql
  readonly #uploads: Pick<Uploads, 'path'>
  readonly #made = new Map<string, Made>()

  constructor(sql: postgres.Sql, uploads: Pick<Uploads, 'path'>) {
    this.#sql = sql
    this.#uploads = uploads
  }

  /** @throws {HttpError} 409 when a version's records hold too much text */
  async index(versionId: string, texts: VersionTexts): Promise<ChunkIndex> {
    const key = `${texts} ${versionId}`
    const state = await this.#state(versionId, texts)
    const known = this.#made.get(key)
    const builder = (texts === 'uploads' && known?.builder) || new IndexBuilder()
    const index =
      known?.state === state ? known.index : this.#build(versionId, texts, builder, known)
    // The least recently used one is dropped first.
    this.#made.delete(key)
    this.#made.set(key, { state, builder, index })
    const [oldest] = this.#made.keys()
    if (this.#made.size > INDEXES_MAX) this.#made.delete(oldest)
    // A failure is not kept.
    index.catch(() => this.#made.delete(key))
    return index
  }

  async #state(versionId: string, texts: VersionTexts): Promise<string> {
    const tables = texts === 'uploads' ? ['upload'] : ['adr', 'question', 'artifact']
    const counts = tables.map(
      (table) => `select count(*) || ' ' || coalesce(max(updated_at)::text, '') as state
        from ${table} where version_id = $1`,
    )
    const [{ state }] = await this.#sql.unsafe<[{ state: string }]>(
      `select string_agg(state, ' ') as state from (${counts.join(' union all ')}) as part`,
      [versionId],
    )
    return state
  }

  async #build(
    versionId: string,
    texts: VersionTexts,
    builder: IndexBuilder,
    before?: Made,
  ): Promise<ChunkIndex> {
    const sources =
      texts === 'uploads'
        ? await this.#uploadTexts(
            versionId,
            (await before?.index.catch(() => undefined))?.sources ?? [],
          )
        : await this.#recordTexts(versionId)
    return builder.build(sources, pauses())
  }

  /** @param before  those that are known: the bytes of an upload do not change */
  async #uploadTexts(
    versionId: string,
    before: readonly SourceText[],
  ): Promise<readonly SourceText[]> {
    const known = new Map(before.map((source) => [source.name, source]))
    const rows = await this.#sql<{ id: string; name: string; type: string }[]>`
      select id, original_filename as name, content_type as type from upload
      where version_id = ${versionId} order by ordinal desc`
    const sources: SourceText[] = []
    for (const { id, name, type } of rows.filter(isIndexable).slice(0, UPLOADS_MAX)) {
      const source = `upload:${id}:${name}`
      const earlier = known.get(source)
      if (earlier && earlier.chunks.length > 0) {
        sources.push(earlier)
        continue
      }
      // Bytes that are no text, and a file that is gone, are passed over.
      const chunks = await uploadChunks({ name, type, path: this.#uploads.path(id) }).catch(
        () => [],
      )
      sources.push({ name: source, title: name, chunks })
    }
    return sources
  }

  async #recordTexts(versionId: string): Promise<readonly SourceText[]> {
    const sql = this.#sql
    await ensureReadable(sql, versionId, ['question', 'adr', 'artifact'], TEXT_BYTES_MAX)
    const records = await sql<{ kind: string; id: string; title: string; text: string }[]>`
      select 'decision' as kind, id, title,
        concat_ws(${'\n\n'}, title, context, decision, consequences) as text
      from adr where version_id = ${versionId}
      union all select 'question', id, question_text,
        concat_ws(${'\n\n'}, question_text, answer_text)
      from question where version_id = ${versionId}
      union all select 'document', id, name, source_code
      from artifact where version_id = ${versionId} and artifact_type = 'document'
        and source_code is not null`
    return records.map(({ kind, id, title, text }) => {
      const found = kind === 'document' ? parsedFile(text).chunks : []
      const whole = passages(text).map((content) => ({
        section: '',
        item: null,
        priority: null,
        content,
      }))
      return { name: `${kind}:${id}:${title}`, title, chunks: found.length > 0 ? found : whole }
    })
  }
}
