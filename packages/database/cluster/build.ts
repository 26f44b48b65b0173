// Makes `postgresql-18.zst`, the empty cluster that first starts unpack: `initdb` of the installed
// binaries, one database, nothing that belongs to this machine. To be run again for a new major.
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { postgresBinaries } from '../src/binaries.ts'
import type { PackedIndex } from '../src/cluster.ts'

const DATABASE = 'orrery'
const INITDB = [
  `--username=${DATABASE}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--wal-segsize=4',
  '--data-checksums',
  '--no-instructions',
]

/** Connections come through a socket that only its owner reaches, or with a password. */
const ACCESS = 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n'

/** What `initdb` takes from this machine, or a start makes again. */
const LEFT_OUT = /^(?:postgresql\.auto\.conf|postmaster\.opts|pg_stat\/.*)$/

const STATEMENTS: readonly (readonly [database: string, statement: string])[] = [
  ['postgres', `create database ${DATABASE} template template0`],
  [DATABASE, 'drop database postgres'],
  [DATABASE, 'update pg_database set datistemplate = false'],
  [DATABASE, 'drop database template1'],
  [DATABASE, 'drop database template0'],
  // Those of this machine's locales; PostgreSQL's own have smaller numbers.
  [DATABASE, 'delete from pg_collation where oid >= 10000'],
  [DATABASE, 'vacuum (full, freeze, analyze)'],
  [DATABASE, 'select pg_switch_wal()'],
]

// PostgreSQL refuses root, and `initdb` refuses users without an entry in /etc/passwd.
const maker = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const parent = mkdtempSync(join(tmpdir(), 'orrery-cluster-'))
const directory = join(parent, 'data')
try {
  if (maker.uid !== undefined) chownSync(parent, maker.uid, maker.gid)
  const binaries = postgresBinaries(maker)
  const run = (program: string, args: readonly string[], input = ''): void =>
    void execFileSync(join(binaries, 'bin', program), args, { ...maker, cwd: parent, input })
  run('initdb', [`--pgdata=${directory}`, ...INITDB])
  for (const [database, statement] of STATEMENTS)
    run('postgres', ['--single', '-j', '-D', directory, database], `${statement};\n\n`)
  writeFileSync(join(directory, 'pg_hba.conf'), ACCESS)
  writeFileSync(join(directory, 'postgresql.conf'), '# The settings are given at each start.\n')
  writeFileSync(new URL('postgresql-18.zst', import.meta.url), packed())
} finally {
  rmSync(parent, { recursive: true })
}

function packed(): Buffer {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()
  // The first segment of the log is in use; those behind it are spare.
  const spare = new Set(names.filter((name) => /^pg_wal\/[0-9A-F]{24}$/.test(name)).slice(1))
  const kept = names.filter((name) => !LEFT_OUT.test(name) && !spare.has(name))
  const isDirectory = (name: string): boolean => statSync(join(directory, name)).isDirectory()
  const files = kept.filter((name) => !isDirectory(name))
  const contents = files.map((name) => readFileSync(join(directory, name)))
  const index: PackedIndex = {
    directories: kept.filter(isDirectory),
    files: files.map((name, i) => [name, contents[i]?.length ?? 0]),
  }
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...contents])
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
}
