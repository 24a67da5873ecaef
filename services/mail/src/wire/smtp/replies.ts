/** An answer of ours: RFC 5321 §4.2 with the status of RFC 3463. */
export type Reply = {
  readonly code: number
  /** Null where RFC 2034 §4 wants none: greetings, EHLO, 3xx. */
  readonly status: string | null
  readonly text: string
  /** The connection ends after it. */
  readonly closes?: boolean
}

export const reply = (code: number, status: string, text: string): Reply => ({ code, status, text })
export const closing = (code: number, status: string, text: string): Reply => ({ code, status, text, closes: true })

/** The reply that a handler threw; anything else that is thrown is an error of ours. */
export class Refused extends Error {
  readonly reply: Reply

  constructor(refusal: Reply) {
    super(`${refusal.code} ${refusal.status} ${refusal.text}`)
    this.name = 'Refused'
    this.reply = refusal
  }
}

export const refuse = (code: number, status: string, text: string): never => {
  throw new Refused(reply(code, status, text))
}

/** RFC 5321 §4.5.3.1.5, and room for the code and status. */
const MAX_TEXT = 480
/** A text of many lines is cut rather than sent whole. */
const MAX_LINES = 20

/** The bytes of a reply. Whatever its text has, it stays one reply. */
export const replyText = ({ code, status, text }: Reply): string => {
  const lines = text
    .split(/[\r\n]+/)
    .slice(0, MAX_LINES)
    .map(printable)
  return lines
    .map(
      (line, index) =>
        `${code}${index === lines.length - 1 ? ' ' : '-'}${status === null ? '' : `${status} `}${line}\r\n`,
    )
    .join('')
}

const printable = (line: string): string => line.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_TEXT)
