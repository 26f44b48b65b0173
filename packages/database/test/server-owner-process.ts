// A process that owns the schema `game` of the server in DATABASE_URL, says so, and stays.
import { openDatabase } from '../src/index.ts'

const url = process.env['DATABASE_URL'] ?? ''
await openDatabase({ url, directory: '', schema: 'game', exclusive: true })
process.stdout.write('owned\n')
