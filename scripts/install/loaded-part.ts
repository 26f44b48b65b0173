/**
 * Cuts debug information and symbols off a program of Linux.
 *
 * @module
 */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'

/** 64 bits, little-endian. */
const ELF64 = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])

/**
 * Ends a file after its last segment: what follows are sections, which no loader reads. A file of
 * another format stays as it is. Source: System V ABI, "ELF Header" and "Program Header".
 *
 * @returns bytes saved
 */
export function keepLoadedPart(path: string): number {
  const program = readFileSync(path)
  if (!program.subarray(0, ELF64.length).equals(ELF64)) return 0
  const headers = Number(program.readBigUInt64LE(32))
  const [size, count] = [program.readUInt16LE(54), program.readUInt16LE(56)]
  let end = headers + size * count
  for (let at = headers; at < headers + size * count; at += size) {
    const segment = program.readBigUInt64LE(at + 8) + program.readBigUInt64LE(at + 32)
    end = Math.max(end, Number(segment))
  }
  if (end >= program.length) return 0
  // Where the table of sections begins, and how many there are with which names.
  program.writeBigUInt64LE(0n, 40)
  program.writeUInt16LE(0, 60)
  program.writeUInt16LE(0, 62)
  // The file may be a link into pnpm's store, and the program may be running.
  writeFileSync(`${path}.loaded`, program.subarray(0, end), { mode: statSync(path).mode })
  renameSync(`${path}.loaded`, path)
  return program.length - end
}
