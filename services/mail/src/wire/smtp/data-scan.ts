/** The scanner's position in a line of a message. */
type LinePosition = 'start' | 'dot' | 'dot-cr' | 'text' | 'cr'

export type DataScan = {
  /**
   * `pieces` are content without the dots of RFC 5321 §4.5.2, `rest` is what follows the end. Only CRLF.CRLF ends a message,
   * and a lone CR or LF is a problem: servers that disagree on the end let mail be smuggled (CVE-2023-51764).
   */
  take(chunk: Buffer): DataStep
}

export type DataStep = {
  readonly pieces: readonly Buffer[]
  readonly state: 'open' | 'ended' | 'bare'
  readonly rest: Buffer
}

const LF = 10
const CR = 13
const DOT = 46
const NOTHING = Buffer.alloc(0)

/** Reads one message after DATA. */
export const scanData = (): DataScan => {
  let position: LinePosition = 'start'
  return {
    take(chunk) {
      const pieces: Buffer[] = []
      const breaks = lineBreaks(chunk)
      // Content that is not given out yet begins here.
      let from = 0
      let at = 0
      const give = (end: number) => {
        if (end > from) pieces.push(chunk.subarray(from, end))
      }
      // A CR that ended the chunk before was kept back.
      const heldCr = position === 'cr'
      while (at < chunk.length) {
        const byte = chunk[at]
        if (position === 'text') {
          at = breaks.next(at)
          if (at === chunk.length) break
          if (chunk[at] === LF) return { pieces, state: 'bare', rest: NOTHING }
          position = 'cr'
        } else if (position === 'cr') {
          if (byte !== LF) return { pieces, state: 'bare', rest: NOTHING }
          position = 'start'
          if (at === 0 && heldCr) {
            pieces.push(CRLF)
            from = 1
          }
        } else if (position === 'start') {
          if (byte === DOT) {
            give(at)
            from = at + 1
            position = 'dot'
          } else if (byte === LF) return { pieces, state: 'bare', rest: NOTHING }
          else position = byte === CR ? 'cr' : 'text'
        } else if (position === 'dot') {
          if (byte === LF) return { pieces, state: 'bare', rest: NOTHING }
          position = byte === CR ? 'dot-cr' : 'text'
        } else {
          if (byte !== LF) return { pieces, state: 'bare', rest: NOTHING }
          return { pieces, state: 'ended', rest: chunk.subarray(at + 1) }
        }
        at += 1
      }
      const end = position === 'cr' || position === 'dot-cr' ? chunk.length - 1 : chunk.length
      give(end)
      return { pieces, state: 'open', rest: NOTHING }
    },
  }
}

const CRLF = Buffer.from('\r\n')

/** The next CR or LF from a place on, each byte of the chunk being looked at once. */
const lineBreaks = (chunk: Buffer): { next(at: number): number } => {
  let cr = -1
  let lf = -1
  const found = (byte: number, at: number) => {
    const index = chunk.indexOf(byte, at)
    return index === -1 ? chunk.length : index
  }
  return {
    next(at) {
      if (cr < at) cr = found(CR, at)
      if (lf < at) lf = found(LF, at)
      return Math.min(cr, lf)
    },
  }
}
