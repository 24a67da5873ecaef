const CR = 13
const LF = 10
const DOT = 46
const CRLF = Buffer.from('\r\n')

/**
 * Makes every line end CRLF: a bare LF and a lone CR become one. What is signed and what is sent is this form, so that
 * no peer can see another end of the message than we do (SMTP smuggling).
 */
export const createLineEnds = (): { push(chunk: Buffer): Buffer; end(): Buffer } => {
  // A CR at the end of a chunk waits for what follows.
  let hasCr = false
  return {
    push(chunk) {
      const bytes = hasCr ? Buffer.concat([CR_BYTE, chunk]) : chunk
      hasCr = bytes.at(-1) === CR
      const whole = hasCr ? bytes.subarray(0, -1) : bytes
      return isClean(whole) ? whole : rewrite(whole)
    },
    end: () => (hasCr ? CRLF : EMPTY),
  }
}

/** Converts a message in memory; without a copy when there is nothing to change. */
export const withLineEnds = (bytes: Buffer): Buffer => {
  if (isClean(bytes) && bytes.at(-1) !== CR) return bytes
  const lines = createLineEnds()
  return Buffer.concat([lines.push(bytes), lines.end()])
}

/** Doubles the dot at the start of each line (RFC 5321 §4.5.2) and adds the end of the message. */
export const createDotStuffing = (): { push(chunk: Buffer): Buffer[]; end(): Buffer } => {
  // The message begins as if after a line end.
  let last = LF
  let beforeLast = CR
  return {
    push(chunk) {
      const pieces: Buffer[] = []
      let from = 0
      if (chunk[0] === DOT && last === LF) pieces.push(DOT_BYTE)
      for (let at = chunk.indexOf(LINE_DOT); at !== -1; at = chunk.indexOf(LINE_DOT, at + 2)) {
        pieces.push(chunk.subarray(from, at + 2), DOT_BYTE)
        from = at + 2
      }
      pieces.push(from === 0 ? chunk : chunk.subarray(from))
      if (chunk.length > 1) beforeLast = chunk.at(-2) ?? CR
      else if (chunk.length === 1) beforeLast = last
      last = chunk.at(-1) ?? last
      return pieces
    },
    end: () => (last === LF && beforeLast === CR ? END : END_AFTER_TEXT),
  }
}

const EMPTY = Buffer.alloc(0)
const CR_BYTE = Buffer.from([CR])
const DOT_BYTE = Buffer.from('.')
const LINE_DOT = Buffer.from('\n.')
const END = Buffer.from('.\r\n')
const END_AFTER_TEXT = Buffer.from('\r\n.\r\n')

const isClean = (bytes: Buffer): boolean => {
  for (let from = 0; ; ) {
    const lf = bytes.indexOf(LF, from)
    const cr = bytes.indexOf(CR, from)
    if (lf === -1 && cr === -1) return true
    if (cr !== lf - 1 || cr === -1) return false
    from = lf + 1
  }
}

const rewrite = (bytes: Buffer): Buffer => {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte !== CR && byte !== LF) continue
    pieces.push(bytes.subarray(from, at), CRLF)
    if (byte === CR && bytes[at + 1] === LF) at += 1
    from = at + 1
  }
  pieces.push(bytes.subarray(from))
  return Buffer.concat(pieces)
}
