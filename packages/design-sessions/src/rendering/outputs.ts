import type postgres from 'postgres'
import type { RenderedFile } from './renderer.ts'

/** One file that an artifact was last rendered to. */
export async function output(
  sql: postgres.ISql,
  artifactId: string,
  filename: string,
): Promise<RenderedFile | undefined> {
  const [row] = await sql<RenderedFile[]>`
    select filename, content_type as "contentType", bytes from render_output
    where artifact_id = ${artifactId} and filename = ${filename}`
  return row
}

/** The pictures that artifacts of a version were last rendered to, as SVG by their ids. */
export async function versionPictures(
  sql: postgres.ISql,
  versionId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ artifact_id: string; bytes: Uint8Array }[]>`
    select artifact_id, bytes from render_output join artifact on artifact.id = artifact_id
    where version_id = ${versionId} and content_type = 'image/svg+xml'`
  return new Map(rows.map(({ artifact_id, bytes }) => [artifact_id, Buffer.from(bytes).toString()]))
}

/** Replaces all files of an artifact. */
export async function replaceOutputs(
  sql: postgres.TransactionSql,
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
