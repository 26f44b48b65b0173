// A process that owns the embedded database in argv[2], or that of DATABASE_URL, brings it up to
// the migrations in argv[3], stores a row, reports it, and stays.
import { migrate, openDatabase } from '../src/index.ts'

const [, , directory = '', migrations] = process.argv
const url = process.env['DATABASE_URL']
try {
  const server = url === undefined ? {} : { url, exclusive: true }
  const database = await openDatabase({ ...server, directory, schema: 'game' })
  const { sql, close } = database
  process.once('SIGTERM', () => void close())
  if (migrations !== undefined) await migrate(database, new URL(migrations))
  await sql`create table if not exists saying (word text)`
  await sql`insert into saying values ('kept')`
  process.stdout.write('stored\n')
} catch (error) {
  console.error(`${Object(error).code}: ${Object(error).message}`)
  process.exitCode = 1
}
