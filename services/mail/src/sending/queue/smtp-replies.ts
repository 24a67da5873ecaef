/** A peer's reply, with text that is safe to store and show. */
export type Reply = {
  code: number
  /** RFC 3463, when the peer gives one. */
  status: string | null
  /** All lines joined, without their codes. */
  text: string
  lines: readonly string[]
}

/** RFC 5321 §4.5.3.1.5 says 512 for a line; some say more, nobody needs this much. */
const MAX_LINE_BYTES = 4_096
const MAX_LINES = 256
/** The longest reply that is kept for traces. */
const MAX_TEXT = 1_000

/** A reply that is none: too long, or not of RFC 5321's form. */
export class BadReply extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BadReply'
  }
}

/** Puts bytes together to replies; bounded, whatever the peer sends. Throws `BadReply`. */
export const createReplyReader = () => {
  let rest: Buffer = Buffer.alloc(0)
  let lines: string[] = []
  let code = ''

  const takeLine = (line: string): Reply | null => {
    const match = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(line)
    if (!match) throw new BadReply('invalid SMTP reply')
    const [, digits = '', separator = ' ', text = ''] = match
    if (lines.length > 0 && digits !== code) throw new BadReply('inconsistent codes in the SMTP reply')
    code = digits
    lines.push(text)
    if (lines.length > MAX_LINES) throw new BadReply('the SMTP reply has too many lines')
    if (separator === '-') return null
    const reply = toReply(Number(digits), lines)
    lines = []
    return reply
  }

  return {
    push(chunk: Buffer): Reply[] {
      const replies: Reply[] = []
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        if (end > MAX_LINE_BYTES) throw new BadReply('a line of the SMTP reply is too long')
        const reply = takeLine(rest.toString('utf8', 0, rest[end - 1] === 13 ? end - 1 : end))
        if (reply) replies.push(reply)
        rest = rest.subarray(end + 1)
      }
      if (rest.length > MAX_LINE_BYTES) throw new BadReply('a line of the SMTP reply is too long')
      return replies
    },
    /** Whether something has come that is no whole reply yet. */
    hasRest: () => rest.length > 0 || lines.length > 0,
  }
}

export const isPositive = ({ code }: Reply): boolean => code >= 200 && code < 400
export const isPermanent = ({ code }: Reply): boolean => code >= 500

/** The reply as stored and shown: the code and the text of the peer. */
export const replyText = (reply: Reply): string => `${reply.code} ${reply.text}`.trim()

const toReply = (code: number, lines: readonly string[]): Reply => {
  const safe = lines.map(printable)
  const status = /^([245]\.\d{1,3}\.\d{1,3})(?:\s|$)/.exec(safe[0] ?? '')?.[1] ?? null
  return { code, status, text: safe.join(' ').slice(0, MAX_TEXT).toWellFormed(), lines: safe }
}

const printable = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
