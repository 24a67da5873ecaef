import { isKeyword, MAX_KEYWORDS } from '../../../store/store.ts'
import type { Args, JmapCall } from '../method.ts'
import { failProperties, failSet } from '../set-error.ts'
import { isRecord, parseUtcDate } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { isObjectId } from './ids.ts'

/** The mailboxes, keywords and date of a new message. */
export type Filing = { readonly folderIds: string[]; readonly keywords: string[]; readonly receivedAt: Date }

/** The metadata of a message that is created, imported or copied. */
export const readFiling = (call: Pick<JmapCall, 'createdIds'>, object: Args, otherwise: Date): Filing => ({
  folderIds: readMailboxIds(call, object.mailboxIds ?? null),
  keywords: readKeywords(object.keywords ?? {}),
  receivedAt: readReceivedAt(object.receivedAt ?? null) ?? otherwise,
})

/** The folders of a message, at least one. */
export const readMailboxIds = (call: Pick<JmapCall, 'createdIds'>, value: unknown): string[] => {
  const names = namesOf(value)
  if (!names || names.length === 0)
    return failProperties(['mailboxIds'], 'A message must be in at least one mailbox, each with the value true.')
  const ids = names.map((name) => realId(call, name))
  // Whether they are there is the store's to say.
  return ids.every(isObjectId) ? ids : failProperties(['mailboxIds'], NO_MAILBOX)
}

export const NO_MAILBOX = 'The mailbox does not exist.'

/** Keywords in lower case, as they are stored. */
export const readKeywords = (value: unknown): string[] => {
  const names = namesOf(value)
  if (!names?.every(isKeyword))
    return failProperties(['keywords'], 'Keywords must be ASCII words, each with the value true.')
  const keywords = [...new Set(names.map((name) => name.toLowerCase()))]
  return keywords.length > MAX_KEYWORDS ? failKeywords() : keywords
}

export const failKeywords = (): never =>
  failSet('tooManyKeywords', `A message can have up to ${MAX_KEYWORDS} keywords.`)

export const readReceivedAt = (value: unknown): Date | null => {
  if (value === null) return null
  const date = parseUtcDate(value)
  const isShown = date && date.getUTCFullYear() >= 1900 && date.getUTCFullYear() <= 9998
  return isShown ? date : failProperties(['receivedAt'], 'Must be a UTC date.')
}

/** The names of a set as JMAP writes it, or null if it is none. */
const namesOf = (value: unknown): string[] | null =>
  isRecord(value) && Object.values(value).every((each) => each === true) ? Object.keys(value) : null
