import { readFlags, type StoredFlags } from '../flags.ts'
import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import type { ZonedTime } from '../parse/dates.ts'
import type { Literal } from '../parse/segments.ts'

/** Bytes that a message is put together of. */
export type AppendPart =
  | { readonly kind: 'text'; readonly literal: Literal }
  | { readonly kind: 'url'; readonly url: string }

/** A message of an APPEND or REPLACE. */
export type AppendMessage = {
  readonly flags: StoredFlags
  /** Null: now. */
  readonly receivedAt: ZonedTime | null
  readonly parts: readonly AppendPart[]
}

const MAX_MESSAGES = 1_000
/** Each may be read from another message. */
const MAX_URLS = 100

/** All messages after the name of the folder (RFC 9051 §6.3.12, RFC 3502). */
export const parseAppendMessages = (args: Arguments): AppendMessage[] => {
  const messages: AppendMessage[] = []
  do {
    messages.push(parseAppendMessage(args))
    if (messages.length > MAX_MESSAGES) bad('Too many messages')
  } while (args.take(' '))
  return messages
}

/** `(\Seen) "1-Feb-2026 10:00:00 +0000" {310}` */
export const parseAppendMessage = (args: Arguments): AppendMessage => {
  const flags = args.peek() === '(' ? args.flagList() : []
  if (flags.length > 0 || args.peek() === ' ') args.space()
  const receivedAt = args.peek() === '"' ? args.dateTime() : null
  if (receivedAt) args.space()
  return { flags: readFlags(flags), receivedAt, parts: parseData(args) }
}

const parseData = (args: Arguments): AppendPart[] => {
  const kind = args.takeKeyword('CATENATE', 'UTF8')
  if (kind === null) return [{ kind: 'text', literal: args.literal() }]
  args.space()
  if (kind === 'CATENATE') return parseCatenate(args)
  // RFC 6855 §4
  args.expect('(')
  const literal = args.literal()
  args.expect(')')
  return [{ kind: 'text', literal }]
}

/** RFC 4469 §5 */
const parseCatenate = (args: Arguments): AppendPart[] => {
  const parts = args.list((): AppendPart => {
    const kind = args.takeKeyword('TEXT', 'URL') ?? bad('Expected TEXT or URL')
    args.space()
    return kind === 'TEXT' ? { kind: 'text', literal: args.literal() } : { kind: 'url', url: args.astring() }
  })
  if (parts.length === 0) bad('Nothing to append')
  if (parts.filter(({ kind }) => kind === 'url').length > MAX_URLS) bad('Too many URLs')
  return parts
}
