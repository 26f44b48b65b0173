// Goal: the commands of "From one machine to three" do what the page says, from an empty directory.
// Method: bash runs them as they are, but for the ports; skipped where PostgreSQL's or NATS's
// programs are missing. PostgreSQL refuses root, so there its programs run as another user.
import { freePort } from '@orrery/database/embedded'
import { NATS_SERVER } from '@orrery/testkit/nats-server'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const PAGE = new URL('../../deploy/cluster/three-machines.md', import.meta.url)
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Of PostgreSQL's programs for servers; Debian keeps them apart from the path. */
const FIND = 'PATH=$PATH:$(ls -d /usr/lib/postgresql/*/bin | tail -n 1); command -v'

const directory = mkdtempSync(join(tmpdir(), 'orrery-three-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function found(program: string): string {
  return spawnSync('bash', ['-c', `${FIND} ${program}`], { encoding: 'utf8' }).stdout.trim()
}

/** Programs that give up the rights of root, as the page's reader has none. */
function withoutRoot(programs: string): void {
  mkdirSync(programs)
  for (const name of ['initdb', 'pg_ctl', 'pg_basebackup']) {
    const user = 'setpriv --reuid=nobody --regid=nogroup --clear-groups'
    const text = `#!/bin/sh\nchown -R nobody:nogroup .\nexec ${user} ${found(name)} "$@"\n`
    writeFileSync(join(programs, name), text, { mode: 0o755 })
  }
}

/** The page's commands, on ports that are free. */
async function commands(): Promise<string> {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/^```sh\n(.*?)^```/gms)
  let script = Array.from(blocks, ([, block = '']) => block).join('\n')
  for (const port of ['5433', '5434', '4223', '3101', '3102', '3103', '3001', '3002']) {
    script = script.replaceAll(port, String(await freePort()))
  }
  return script
}

/** Ends what a failure leaves, with the shell itself. */
const END = `for data in primary standby; do pg_ctl stop --pgdata=$data --mode=immediate; done
kill -KILL -- -$$`

test.skipIf(!NATS_SERVER || !found('pg_basebackup'))(
  'a killed owner and a lost primary lose nothing',
  async () => {
    const [programs, workplace] = [join(directory, 'programs'), join(directory, 'workplace')]
    mkdirSync(workplace)
    chmodSync(directory, 0o755)
    if (process.getuid?.() === 0) withoutRoot(programs)
    const trap = `trap '{ ${END}; } >/dev/null 2>&1' EXIT`
    const script = `set -e\n${trap}\n${await commands()}\ntrap - EXIT`
    const PATH = `${programs}:${dirname(NATS_SERVER ?? '')}:${process.env['PATH']}`
    const env = { ...process.env, ORRERY: ROOT, PATH }
    const child = spawn('bash', ['-c', script], { cwd: workplace, env, detached: true })
    const end = (): void => void child.kill()
    process.once('exit', end)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
    }
    const [code] = await once(child, 'close')
    process.off('exit', end)
    expect([code, output]).toEqual([0, expect.stringMatching(/\b[1-9]\d* digests .* all equal/)])
  },
)
