import type { Arguments } from '../parse/arguments.ts'
import { bad } from '../parse/bad-command.ts'
import { readStatusItems, type StatusItem } from './status.ts'

/** Which names are shown (RFC 5258 §3.1, RFC 6154 §3). */
export type Selection = {
  readonly subscribed: boolean
  readonly specialUse: boolean
  /** Includes parents of folders that match. */
  readonly recursive: boolean
}

/** What is shown of them. */
export type Return = {
  readonly subscribed: boolean
  readonly children: boolean
  readonly specialUse: boolean
  readonly status: readonly StatusItem[] | null
}

export type ListArguments = {
  readonly selection: Selection
  readonly reference: string
  readonly patterns: readonly string[]
  readonly returns: Return
  /** Some part of it is not in RFC 3501: `""` is a pattern like others. */
  readonly isExtended: boolean
}

const MAX_PATTERNS = 100
const NO_SELECTION: Selection = { subscribed: false, specialUse: false, recursive: false }
const NO_RETURN: Return = { subscribed: false, children: false, specialUse: false, status: null }

/** The arguments of LIST (RFC 9051 §6.3.9). */
export const readList = (args: Arguments): ListArguments => {
  const hasSelection = args.peek() === '('
  const selection = hasSelection ? readSelection(args) : NO_SELECTION
  if (hasSelection) args.space()
  const reference = args.mailbox()
  args.space()
  const isList = args.peek() === '('
  const patterns = args.oneOrList(() => args.listMailbox())
  if (patterns.length > MAX_PATTERNS) bad('Too many patterns')
  const hasReturn = !args.isAtEnd()
  const returns = hasReturn ? readReturn(args) : NO_RETURN
  return { selection, reference, patterns, returns, isExtended: hasSelection || isList || hasReturn }
}

const readSelection = (args: Arguments): Selection => {
  const words = args.list(() => args.keyword())
  const known = ['SUBSCRIBED', 'REMOTE', 'RECURSIVEMATCH', 'SPECIAL-USE']
  for (const word of words) if (!known.includes(word)) bad(`Unknown selection option ${word}`)
  const selection = {
    subscribed: words.includes('SUBSCRIBED'),
    specialUse: words.includes('SPECIAL-USE'),
    recursive: words.includes('RECURSIVEMATCH'),
  }
  // RFC 5258 §3.1: alone it asks for the parents of nothing.
  if (selection.recursive && !selection.subscribed && !selection.specialUse)
    bad('RECURSIVEMATCH requires another selection option')
  return selection
}

const readReturn = (args: Arguments): Return => {
  args.space()
  if (!args.takeKeyword('RETURN')) bad('Expected RETURN')
  args.space()
  let returns = NO_RETURN
  args.list(() => {
    returns = { ...returns, ...readReturnOption(args) }
  })
  return returns
}

const readReturnOption = (args: Arguments): { [K in keyof Return]?: Return[K] } => {
  const word = args.keyword()
  switch (word) {
    case 'SUBSCRIBED':
      return { subscribed: true }
    case 'CHILDREN':
      return { children: true }
    case 'SPECIAL-USE':
      return { specialUse: true }
    case 'STATUS':
      args.space()
      return { status: readStatusItems(args) }
    default:
      return bad(`Unknown return option ${word}`)
  }
}
