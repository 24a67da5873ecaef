const LF = 10
const CR = 13
const DOT = 46

const DOT_BYTES = Buffer.from('.')
const CRLF = Buffer.from('\r\n')
const CR_BYTES = Buffer.from('\r')

/**
 * A message as it is sent: every line ends with CR LF, and those that begin with a dot get another one (RFC 1939 §3).
 * With `bodyLines`, the header and so many lines of the body (§7, TOP). What comes after is not read.
 */
export async function* wireLines(
  source: AsyncIterable<Buffer>,
  { bodyLines }: { bodyLines?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const scan: Scan = { last: LF, isEmptyLine: true, isHeader: true, linesLeft: bodyLines ?? Number.POSITIVE_INFINITY }
  for await (const chunk of source) {
    const pieces = scanChunk(scan, chunk)
    if (pieces.length > 0) yield pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
    if (isDone(scan)) return
  }
  if (scan.last !== LF) yield CRLF
}

type Scan = {
  last: number
  /** So far, whatever ends it. */
  isEmptyLine: boolean
  isHeader: boolean
  linesLeft: number
}

const isDone = ({ isHeader, linesLeft, last }: Scan): boolean => !isHeader && linesLeft <= 0 && last === LF

const scanChunk = (scan: Scan, chunk: Buffer): Buffer[] => {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = 0; at < chunk.length && !isDone(scan); ) {
    if (scan.last === LF && chunk[at] === DOT) {
      pieces.push(chunk.subarray(from, at), DOT_BYTES)
      from = at
    }
    const lf = chunk.indexOf(LF, at)
    const end = lf === -1 ? chunk.length : lf
    noteText(scan, chunk, at, end)
    if (lf === -1) {
      at = chunk.length
      continue
    }
    if (scan.last !== CR) {
      pieces.push(chunk.subarray(from, lf), CR_BYTES)
      from = lf
    }
    endLine(scan)
    at = lf + 1
    if (isDone(scan)) {
      pieces.push(chunk.subarray(from, at))
      return pieces
    }
  }
  pieces.push(chunk.subarray(from))
  return pieces
}

const noteText = (scan: Scan, chunk: Buffer, start: number, end: number): void => {
  if (end <= start) return
  // A lone CR that something else follows is text.
  const isCrOnly = end - start === 1 && chunk[start] === CR && scan.isEmptyLine && scan.last === LF
  if (!isCrOnly) scan.isEmptyLine = false
  scan.last = chunk[end - 1] ?? LF
}

const endLine = (scan: Scan): void => {
  if (scan.isHeader) scan.isHeader = !scan.isEmptyLine
  else scan.linesLeft -= 1
  scan.last = LF
  scan.isEmptyLine = true
}
