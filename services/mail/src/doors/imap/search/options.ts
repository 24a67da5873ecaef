import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import { type ImapSession, isUtf8 } from '../session.ts'

/** A window of the results, counted from 1, or from the end when both are negative (RFC 9394 §3.1). */
export type Partial = { readonly first: number; readonly last: number }

/** What is returned of the results (RFC 9051 §6.4.4, RETURN; RFC 5267, RFC 9394). */
export type ReturnOptions = {
  readonly min: boolean
  readonly max: boolean
  readonly all: boolean
  readonly count: boolean
  readonly save: boolean
  readonly partial: Partial | null
  /** Changes are reported as long as the folder is selected. */
  readonly update: boolean
}

const NOTHING: ReturnOptions = {
  min: false,
  max: false,
  all: false,
  count: false,
  save: false,
  partial: null,
  update: false,
}
export const RETURN_ALL: ReturnOptions = { ...NOTHING, all: true }

/** `RETURN (…) ` if it comes next, else null. */
export const readReturn = (args: Arguments): ReturnOptions | null => {
  if (!args.takeKeyword('RETURN')) return null
  args.space()
  let options = NOTHING
  args.list(() => {
    options = { ...options, ...readOption(args, options) }
  })
  args.space()
  const returnsPart = options.min || options.max || options.count || options.save || options.partial || options.update
  return returnsPart || options.all ? options : RETURN_ALL
}

const readOption = (args: Arguments, known: ReturnOptions): { [K in keyof ReturnOptions]?: ReturnOptions[K] } => {
  switch (args.keyword()) {
    case 'MIN':
      return { min: true }
    case 'MAX':
      return { max: true }
    case 'COUNT':
      return { count: true }
    case 'SAVE':
      return { save: true }
    case 'UPDATE':
      return { update: true }
    // RFC 5267 §4.2: a hint that more will be asked of these results.
    case 'CONTEXT':
      return {}
    case 'ALL':
      return known.partial ? bad('ALL and PARTIAL cannot be combined') : { all: true }
    case 'PARTIAL':
      return known.partial || known.all ? bad('ALL and PARTIAL cannot be combined') : { partial: readPartial(args) }
    default:
      return bad('Unknown return option')
  }
}

const readPartial = (args: Arguments): Partial => {
  args.space()
  const text = args.match(/-?[1-9][0-9]{0,9}:-?[1-9][0-9]{0,9}(?=[ )])/y) ?? bad('Expected a range such as 1:100')
  const [one = 0, other = 0] = text.split(':').map(Number)
  if (one < 0 !== other < 0) bad('A range cannot mix positions from the start and the end')
  return Math.abs(one) <= Math.abs(other) ? { first: one, last: other } : { first: other, last: one }
}

const CHARSETS = ['US-ASCII', 'UTF-8', 'ASCII', 'UTF8']
/** RFC 9051 §7.1 */
export const BAD_CHARSET = 'BADCHARSET (US-ASCII UTF-8)'

/** Whether texts in this charset can be read. If not, the rest of the command is not looked at. */
export const readCharset = (args: Arguments, session: ImapSession): boolean => {
  // RFC 6855 §3: once UTF-8 was agreed on there is nothing to name.
  if (session.enabled.has('UTF8=ACCEPT') && isUtf8(session)) bad('Leave out the charset; text is always UTF-8')
  return readNamedCharset(args)
}

/** Reads a charset where it is mandatory: SORT and THREAD. */
export const readNamedCharset = (args: Arguments): boolean => {
  const isKnown = CHARSETS.includes(args.astring().toUpperCase())
  if (isKnown) args.space()
  else skip(args)
  return isKnown
}

const skip = (args: Arguments): void => {
  while (!args.isAtEnd()) {
    if (args.peek() === '{') args.literal()
    else args.match(/.+/sy)
  }
}
