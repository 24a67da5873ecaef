import { bad } from '../parse/bad-command.ts'
import { ancestorsOf, type ListedMailbox } from './mailboxes.ts'
import type { ListArguments, Selection } from './options.ts'
import { compilePattern, type Pattern } from './patterns.ts'
import { specialUseOf } from './special-use.ts'

/** A name to show, and the options that names below it fit which are not shown themselves (RFC 5258 §3.5). */
export type Shown = { readonly mailbox: ListedMailbox; readonly childInfo: readonly string[] }

/** The names that a LIST is about. */
export const selectMailboxes = (
  { selection, reference, patterns }: Pick<ListArguments, 'selection' | 'reference' | 'patterns'>,
  mailboxes: readonly ListedMailbox[],
): Shown[] => {
  const compiled = compileAll(reference, patterns)
  const matches = (name: string) => compiled.some((pattern) => pattern.matches(name))
  const fits = (mailbox: ListedMailbox) => fitsSelection(selection, mailbox)
  const fitBelow = selection.recursive ? parentsOfHidden(mailboxes, { fits, matches }) : new Set<string>()
  const childInfo = selection.subscribed ? ['SUBSCRIBED'] : ['SPECIAL-USE']
  return mailboxes
    .filter((mailbox) => matches(mailbox.name) && (fits(mailbox) || fitBelow.has(mailbox.name)))
    .map((mailbox) => ({ mailbox, childInfo: fitBelow.has(mailbox.name) ? childInfo : [] }))
}

export const compileAll = (reference: string, patterns: readonly string[]): Pattern[] =>
  patterns.map((pattern) => compilePattern(reference + pattern) ?? bad('Too many wildcards'))

const fitsSelection = ({ subscribed, specialUse }: Selection, mailbox: ListedMailbox): boolean => {
  if (subscribed && !mailbox.isSubscribed) return false
  if (specialUse && specialUseOf(mailbox) === null) return false
  // Names that are only subscribed to are no folders.
  return subscribed || mailbox.found !== null || mailbox.hasChildren
}

const parentsOfHidden = (
  mailboxes: readonly ListedMailbox[],
  { fits, matches }: { fits: (mailbox: ListedMailbox) => boolean; matches: (name: string) => boolean },
): Set<string> => {
  const parents = new Set<string>()
  for (const mailbox of mailboxes)
    if (fits(mailbox) && !matches(mailbox.name)) for (const parent of ancestorsOf(mailbox.name)) parents.add(parent)
  return parents
}
