/** A whole message in one frame, from a server: not masked. @source RFC 6455, 5.2 */
const WHOLE_TEXT = 0x81
const WHOLE_BINARY = 0x82
const LENGTH_IN_2_BYTES = 126
const LENGTH_IN_8_BYTES = 127

/** Bytes of the WebSocket header before a message of so many bytes. */
export function headerLength(messageBytes: number): number {
  if (messageBytes < LENGTH_IN_2_BYTES) return 2
  return messageBytes < 65_536 ? 4 : 10
}

/** Writes the WebSocket header of a message to the beginning of a buffer. */
export function writeHeader(out: Buffer, messageBytes: number, isBinary: boolean): void {
  out[0] = isBinary ? WHOLE_BINARY : WHOLE_TEXT
  const header = headerLength(messageBytes)
  if (header === 2) {
    out[1] = messageBytes
  } else if (header === 4) {
    out[1] = LENGTH_IN_2_BYTES
    out.writeUInt16BE(messageBytes, 2)
  } else {
    out[1] = LENGTH_IN_8_BYTES
    out.writeUInt32BE(Math.floor(messageBytes / 2 ** 32), 2)
    out.writeUInt32BE(messageBytes % 2 ** 32, 6)
  }
}
