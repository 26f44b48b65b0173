// A process that owns the embedded database in argv[2], stores a row, says so, and stays.
import { openDatabase } from '../src/index.ts'

const directory = process.argv[2] ?? ''
const { sql } = await openDatabase({ directory, schema: 'game' })
await sql`create table if not exists saying (word text)`
await sql`insert into saying values ('kept')`
process.stdout.write('stored\n')
