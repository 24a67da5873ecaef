/** What an export includes of a message besides its bytes. */
export type ExportedMark = { keywords: readonly string[]; isDeleted: boolean; receivedAt: Date }

const PIECE_BYTES = 65_536
const LF = 0x0a
const CR = 0x0d

/**
 * A message of an mbox file in the form mboxrd: lines end with LF, and one that begins with `From `, after any number of
 * `>`, gets another `>`. Flags are in the fields that mail programs read them from.
 */
export function* mboxMessage(bytes: Buffer, mark: ExportedMark): Generator<Buffer> {
  yield Buffer.from(`From MAILER-DAEMON ${asctime(mark.receivedAt)}\n${flagFields(mark)}`)
  let isLineStart = true
  let endsLine = true
  for (const piece of pieces(bytes)) {
    const text = piece.toString('latin1').replaceAll('\r\n', '\n')
    const quoted = text.replace(isLineStart ? /^(?=>*From )/gm : /(?<=\n)(?=>*From )/g, '>')
    isLineStart = text.endsWith('\n')
    endsLine = isLineStart
    yield Buffer.from(quoted, 'latin1')
  }
  yield Buffer.from(endsLine ? '\n' : '\n\n')
}

/** Cut behind line ends; a line that is longer than a piece is cut anywhere, but never inside of CRLF. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + PIECE_BYTES, bytes.length)
    if (end < bytes.length) {
      const line = bytes.lastIndexOf(LF, end - 1)
      if (line >= start) end = line + 1
      else if (bytes[end - 1] === CR) end -= 1
    }
    yield bytes.subarray(start, end)
    start = end
  }
}

const flagFields = ({ keywords, isDeleted }: ExportedMark): string => {
  const has = (keyword: string): boolean => keywords.includes(keyword)
  const status = has('$seen') ? 'RO' : 'O'
  const more = [
    has('$answered') ? 'A' : '',
    isDeleted ? 'D' : '',
    has('$flagged') ? 'F' : '',
    has('$draft') ? 'T' : '',
  ].join('')
  const others = keywords.filter((keyword) => !KNOWN.has(keyword))
  return [
    `Status: ${status}`,
    ...(more === '' ? [] : [`X-Status: ${more}`]),
    ...(others.length === 0 ? [] : [`X-Keywords: ${others.join(' ')}`]),
    '',
  ].join('\n')
}

const KNOWN: ReadonlySet<string> = new Set(['$seen', '$answered', '$flagged', '$draft'])

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** C's asctime format, in UTC. */
const asctime = (at: Date): string =>
  [
    DAYS[at.getUTCDay()],
    MONTHS[at.getUTCMonth()],
    String(at.getUTCDate()).padStart(2),
    at.toISOString().slice(11, 19),
    at.getUTCFullYear(),
  ].join(' ')

/** The name of a message in a folder `cur` of a Maildir: when it came, what it is, and its flags in order. */
export const maildirName = (id: string, { keywords, isDeleted, receivedAt }: ExportedMark): string => {
  const flags = MAILDIR_FLAGS.filter(([, keyword]) => keywords.includes(keyword)).map(([letter]) => letter)
  const all = isDeleted ? [...flags, 'T'] : flags
  return `${Math.floor(receivedAt.getTime() / 1000)}.${id}.stoa:2,${all.join('')}`
}

/** In the order of the letters, as the format wants it; T, for deleted, is the last. */
const MAILDIR_FLAGS = [
  ['D', '$draft'],
  ['F', '$flagged'],
  ['P', '$forwarded'],
  ['R', '$answered'],
  ['S', '$seen'],
] as const
