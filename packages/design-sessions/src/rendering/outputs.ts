import type { ISql, TransactionSql } from 'postgres'
import type { RenderedFile } from '../engines/drawing.ts'

/** One output of an artifact. */
export async function output(
  sql: ISql,
  artifactId: string,
  filename: string,
): Promise<RenderedFile | undefined> {
  const [row] = await sql<RenderedFile[]>`
    select filename, content_type as "contentType", bytes from render_output
    where artifact_id = ${artifactId} and filename = ${filename}`
  return row
}

/** Changes whenever a file is rendered again. */
export async function outputMark(
  sql: ISql,
  artifactId: string,
  filename: string,
): Promise<string | undefined> {
  const [row] = await sql<{ mark: string }[]>`
    select xmin::text as mark from render_output
    where artifact_id = ${artifactId} and filename = ${filename}`
  return row?.mark
}

/** Bytes of all pictures in one document: the limit of a single one. */
const PICTURES_BYTES_MAX = 20 * 1_048_576

/** Replaces a picture that exceeds the limit; as wide as a page. */
const LEFT_OUT = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="40">
<rect x=".5" y=".5" width="599" height="39" fill="#f5f7fa" stroke="#cbd2d9"/>
<text x="300" y="25" text-anchor="middle" font-family="Arial" font-size="13" fill="#616e7c">
Left out: the pictures of this document have more than ${PICTURES_BYTES_MAX / 1_048_576} MiB.
</text></svg>`

/**
 * SVG pictures of a version; above the limit a note replaces the largest. The first of an artifact
 * has its id, a further one also its file name: `id/name`.
 *
 * @param ids  of some artifacts; all by default
 */
export async function versionPictures(
  sql: ISql,
  versionId: string,
  ids?: ReadonlySet<string>,
): Promise<Readonly<Record<string, string>>> {
  const rows = await sql<{ key: string; bytes: Uint8Array | null }[]>`
    select key, case when total <= ${PICTURES_BYTES_MAX} then bytes end as bytes
    from (
      select bytes, sum(octet_length(bytes)) over (order by octet_length(bytes), id) as total,
        case when array_position(output_paths, filename) > 1 then id || '/' || filename
          else id::text end as key
      from render_output join artifact on artifact.id = artifact_id
      where version_id = ${versionId} and content_type = 'image/svg+xml'
        and ${ids ? sql`id = any(${[...ids]}::uuid[])` : sql`true`}
    ) as picture`
  return Object.fromEntries(
    rows.map(({ key, bytes }) => [key, bytes ? Buffer.from(bytes).toString() : LEFT_OUT]),
  )
}

export async function replaceOutputs(
  sql: TransactionSql,
  artifactId: string,
  files: readonly RenderedFile[],
): Promise<void> {
  await sql`delete from render_output where artifact_id = ${artifactId}`
  for (const { filename, contentType, bytes } of files) {
    await sql`
      insert into render_output (artifact_id, filename, content_type, bytes)
      values (${artifactId}, ${filename}, ${contentType}, ${Buffer.from(bytes)})`
  }
}
