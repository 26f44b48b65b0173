// Goal: `scripts/orrery ephemeris` answers in the promised shape and refuses bad values with one
// line. Method: the exit code and both streams of the script, as a process once with an answer and
// at night once with a refusal.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readmeSample } from '@orrery/testkit/readme-sample'
import { IS_NIGHT } from '@orrery/testkit/tier'
import { describe, expect, test } from 'vitest'
import { type Outcome, runHere } from '../command-here.ts'

const SCRIPT = new URL('../../sky/ephemeris.ts', import.meta.url)
const checkState = new URL(
  '../../../packages/catalog/test/data/check-state-jd2451564.587.json',
  import.meta.url,
)

function asProcess(...args: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(SCRIPT), ...args], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { code: status ?? -1, stdout, stderr }
}

function ephemeris(...args: string[]): Promise<Outcome> {
  return runHere(SCRIPT, args, { directory: process.cwd(), env: process.env })
}

describe('ephemeris command', () => {
  test('puts Earth within 20 km of JPL at JD 2451564.58715491', () => {
    const { code, stdout, stderr } = asProcess(
      '--body',
      'earth',
      '--center',
      'SUN',
      '--jd-tdb',
      '2451564.58715491',
      '--json',
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const answer = JSON.parse(stdout)
    expect(Object.keys(answer)).toEqual(['body', 'center', 'frame', 'jd_tdb', 'r_m', 'v_m_s'])
    expect(answer).toMatchObject({ body: 'Earth', center: 'Sun', frame: 'ICRF' })
    expect(answer.jd_tdb).toBe(2451564.58715491)
    const { Earth, Sun } = JSON.parse(readFileSync(checkState, 'utf8')).bodies
    for (let axis = 0; axis < 3; axis++) {
      expect(Math.abs(answer.r_m[axis] / 1000 - (Earth.r_km[axis] - Sun.r_km[axis]))).toBeLessThan(
        20,
      )
      const speed = Earth.v_km_s[axis] - Sun.v_km_s[axis]
      expect(Math.abs(answer.v_m_s[axis] / 1000 - speed)).toBeLessThan(1e-5)
    }
  })

  test('prints the sample of its README to the last digit', async () => {
    const args = '--body Earth --center Sun --at 2026-11-21T00:00:00 --json'
    const readme = new URL('../../README.md', import.meta.url)
    const sample = readmeSample(readme, `scripts/orrery ephemeris ${args}`)
    expect((await ephemeris(...args.split(' '))).stdout).toBe(`${sample.join('\n')}\n`)
  })

  test('lists all bodies as an array or a table', async () => {
    const at = ['--at', '2000-01-01T11:58:55.816Z']
    const { code, stdout, stderr } = await ephemeris(...at, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const rows = JSON.parse(stdout)
    expect(rows.length).toBe(34)
    expect(rows[0]).toMatchObject({ body: 'Sun', center: 'barycenter', jd_tdb: 2451545 })
    expect(rows[3].r_m[0]).toBeCloseTo(-27566632259.08748, 2)
    const table = await ephemeris('--at', '2000-01-01T12:00:00', '--scale', 'tdb')
    expect(table.code).toBe(0)
    expect(table.stdout.split('\n')[0]).toBe('ICRF axes, origin barycenter, JD 2451545 TDB')
    expect(table.stdout).toMatch(/^Earth\s+-27566632259\.087\s/m)
  })

  test('dates before J2000 and leap seconds are instants too', async () => {
    const before = await ephemeris(
      '--at',
      '1999-12-31',
      '--body',
      'Moon',
      '--center',
      'Earth',
      '--json',
    )
    const { r_m: r } = JSON.parse(before.stdout)
    expect(Math.hypot(...r)).toBeGreaterThan(3.5e8)
    expect(Math.hypot(...r)).toBeLessThan(4.1e8)
    const run = IS_NIGHT ? asProcess : ephemeris
    const refused = await run('--at', '2016-12-30T23:59:60Z')
    expect(refused.code).toBe(2)
  })

  test('help goes to stdout', async () => {
    const { code, stdout } = await ephemeris('--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/--jd-tdb/)
  })

  const refusals: [string[], RegExp][] = [
    [['--body', 'Erth', '--at', '2026-11-21'], /Erth.*Earth/],
    [['--jd-tdb', '2400000.5'], /1990-01-01 to 2050-12-31/],
    [['--at', '2026-02-30'], /2026-02-30/],
    [['--at', '2026-11-21', '--jd-tdb', '2451545'], /either/],
    [['--speed'], /speed/],
    [['--center', 'moonbase', '--at', '2026-11-21'], /moonbase/],
    [['--at', '1989-12-31T23:00:00'], /1990-01-01 to 2050-12-31/],
    [['--at', '2051-01-01'], /1990-01-01 to 2050-12-31/],
    [['--jd-tdb', 'NaN'], /NaN/],
    [['--jd-tdb', '1e7'], /1e7/],
    [['--at', 'tomorrow'], /tomorrow/],
    [['--at', '2026-11-21T25:00'], /25:00/],
    [['--at', '2026-11-21', '--scale', 'gps'], /gps/],
    [['--jd-tdb', '2451545', '--scale', 'utc'], /TDB/],
    [[], /--at/],
  ]
  test.each(refusals)('refuses %j with one line and exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await ephemeris(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n').length).toBe(1)
  })
})
