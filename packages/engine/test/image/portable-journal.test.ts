/**
 * Law: a journal carried in a file comes back to the letter and names no player, or is refused by
 * name. Goal: every truncation, a flipped bit anywhere, foreign and newer files, broken records.
 */
import {
  type PortableJournal,
  type PortableRecord,
  addShip,
  createGameClock,
  packJournal,
  takeNamesOut,
  unpackJournal,
  universeImage,
} from '@orrery/engine/testing'
import { PHYSICS } from '@orrery/sim'
import { createHash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { START_INDEX, globeWorld, universeOf } from '../globe.ts'

const RECORDS: readonly PortableRecord[] = [
  {
    kind: 'command',
    systemId: 'alone',
    sequence: 1,
    index: START_INDEX,
    command: { kind: 'create_ship', shipId: 'late', name: 'Kane' },
  },
  {
    kind: 'command',
    systemId: 'alone',
    sequence: 2,
    index: START_INDEX + 4,
    command: { kind: 'control', ship: 1, control: { thrustLevel: 0.1 + 0.2 } },
  },
  {
    kind: 'command',
    systemId: 'alone',
    sequence: 3,
    index: START_INDEX,
    command: { kind: 'rename_ship', shipId: 'early', name: 'Lambert' },
  },
  {
    kind: 'clock',
    systemId: 'alone',
    sequence: 3,
    index: START_INDEX + 6400,
    remainder: ['1', '3'],
    tick: 100,
  },
  {
    kind: 'digest',
    systemId: 'alone',
    index: START_INDEX + 64,
    digest: '0123456789abcdef'.repeat(2),
  },
]

function spanOf(records: Iterable<PortableRecord>): PortableJournal {
  const world = globeWorld()
  addShip(world, 'early', 'Dallas')
  const nameless = takeNamesOut(world)
  const kept = Array.from(records, (record) =>
    record.kind === 'command' ? { ...record, command: nameless(record.command) } : record,
  )
  return {
    era: 3,
    image: universeImage(universeOf(world), createGameClock(START_INDEX), 7),
    records: kept,
  }
}

function refusal(reason: RegExp): object {
  return expect.objectContaining({
    code: 'ERR_FILE',
    message: expect.stringMatching(reason),
  })
}

it('brings back image and records, but no name that anybody has chosen', async () => {
  const before = spanOf(RECORDS)
  const { era, image, records } = await unpackJournal(await packJournal(before))
  expect(era).toBe(3)
  expect(image.header).toEqual(JSON.parse(JSON.stringify(before.image.header)))
  expect(Buffer.compare(image.bytes, before.image.bytes)).toBe(0)
  expect([...records]).toEqual([
    { ...RECORDS[0], command: { kind: 'create_ship', shipId: 'late', name: 'Ship 2' } },
    RECORDS[1],
    { ...RECORDS[2], command: { kind: 'rename_ship', shipId: 'early', name: 'Ship 1' } },
    RECORDS[3],
    RECORDS[4],
  ])
  const everything = JSON.stringify([image.header, ...records]) + String(Buffer.from(image.bytes))
  for (const name of ['Dallas', 'Kane', 'Lambert']) expect(everything).not.toContain(name)
})

it('refuses a file that is cut off at any byte, or has one more', async () => {
  const file = await packJournal(spanOf(RECORDS))
  for (let length = 0; length < file.length; length += length < 70 ? 1 : 97) {
    const cut = unpackJournal(file.subarray(0, length))
    await expect(cut, `${length} bytes`).rejects.toEqual(refusal(/no journal file|cut off/))
  }
  const longer = Buffer.concat([file, Buffer.alloc(1)])
  await expect(unpackJournal(longer)).rejects.toEqual(refusal(/behind its end/))
})

it('refuses a file with any bit flipped', async () => {
  const file = await packJournal(spanOf(RECORDS))
  for (let byte = 0; byte < file.length; byte += byte < 70 ? 1 : 97) {
    const flipped = Buffer.from(file)
    flipped[byte] ^= 1 << (byte % 8)
    const reason = /no journal file|of version|follow its head|damaged/
    await expect(unpackJournal(flipped), `byte ${byte}`).rejects.toEqual(refusal(reason))
  }
})

it('refuses foreign and newer files, with the reason', async () => {
  const foreign = Buffer.from('PK\u0003\u0004 a zip archive, of some length and no interest')
  await expect(unpackJournal(foreign)).rejects.toEqual(refusal(/"orreryJ\\n" is expected/))
  const newer = Buffer.from(await packJournal(spanOf([])))
  newer.writeUInt32LE(3, 8)
  await expect(unpackJournal(newer)).rejects.toEqual(refusal(/version 3 .* reads version 2/))
})

it('refuses a file of another physics, older or newer', async () => {
  const { header, bytes } = spanOf([]).image
  for (const physics of [PHYSICS - 1, PHYSICS + 1]) {
    const manifest = Buffer.from(
      JSON.stringify({ physics, era: 3, imageBytes: bytes.length, header }),
    )
    const length = Buffer.alloc(4)
    length.writeUInt32LE(manifest.length)
    const file = sealedFile(Buffer.concat([length, manifest, bytes]))
    await expect(unpackJournal(file)).rejects.toEqual(
      refusal(new RegExp(`made by physics ${physics}, and this program has physics ${PHYSICS}`)),
    )
  }
})

/** A file as a program with another physics would have packed it. */
function sealedFile(unpacked: Buffer): Buffer {
  const packed = zstdCompressSync(unpacked)
  const head = Buffer.alloc(60)
  head.write('orreryJ\n', 'latin1')
  head.writeUInt32LE(2, 8)
  head.writeBigUInt64LE(BigInt(packed.length), 12)
  head.writeBigUInt64LE(BigInt(unpacked.length), 20)
  createHash('sha256').update(head.subarray(0, 28)).update(packed).digest().copy(head, 28)
  return Buffer.concat([head, packed])
}

it('names the record that cannot be', async () => {
  const command = { kind: 'command', systemId: 'alone', sequence: 1, index: 4 }
  const remove = { kind: 'remove_ship', shipId: 'x' }
  const broken: readonly object[] = [
    { ...command, command: { kind: 'self_destruct' } },
    { ...command, index: 4.5, command: remove },
    { ...command, systemId: undefined, command: remove },
    { kind: 'digest', systemId: 'alone', index: 4, digest: 'short' },
    { kind: 'digest', index: 4, digest: '0123456789abcdef'.repeat(2) },
    { kind: 'rumour' },
  ]
  for (const [i, one] of broken.entries()) {
    const records = [RECORDS[1], one as PortableRecord]
    const { image } = spanOf([])
    const { records: back } = await unpackJournal(await packJournal({ era: 1, image, records }))
    expect(() => [...back], `record ${i}`).toThrow(refusal(/its record 2 is broken/))
  }
})
