import { LABEL_NAME, type Label } from '@stoa/mail-model/labels.ts'

/** The labels among the keywords of a message: the marks of mail programs begin with `$` or a backslash. */
export const labelsOf = (keywords: readonly string[]): string[] =>
  keywords.filter((keyword) => LABEL_NAME.test(keyword) && !RESERVED.has(keyword))

// Spam programs set these without the sign
const RESERVED = new Set(['junk', 'nonjunk', 'notjunk', 'draft', 'deleted', 'recent', 'seen', 'flagged'])

type Known = Pick<Label, 'name' | 'display_name'>

/** The label that somebody means who typed this, if there is one. */
export const findLabel = <L extends Known>(typed: string, known: readonly L[]): L | undefined => {
  const wanted = folded(typed)
  return known.find(({ name, display_name }) => folded(display_name) === wanted || name === wanted)
}

const folded = (text: string): string => text.normalize('NFC').trim().toLowerCase()

/**
 * The name of a new label on messages: `Tax 2026` becomes `tax-2026`. Words without a Latin letter become a number; one
 * that another label has gets a number behind it. Empty when nothing was typed.
 */
export const newLabelName = (typed: string, known: readonly Known[]): string => {
  if (typed.trim() === '') return ''
  const base = plainName(typed) || `label-${hashOf(folded(typed))}`
  const taken = new Set(known.map(({ name }) => name))
  let name = base
  for (let nth = 2; taken.has(name) || RESERVED.has(name); nth += 1) name = `${base.slice(0, MAX_BASE)}-${nth}`
  return name
}

const plainName = (typed: string): string =>
  typed
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_BASE)

/** A keyword has at most 64 characters; the rest is room for a number. */
const MAX_BASE = 60

/** FNV-1a. */
const hashOf = (text: string): string => {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(36)
}
