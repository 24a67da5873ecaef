import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  changeKeywords,
  getMessages,
  type ListedMessage,
  listFolders,
  MAX_KEYWORDS,
  type MailTx,
  openMailbox,
  setFolders,
} from '../../../store/store.ts'
import type { Args, JmapCall } from '../method.ts'
import { setErrorOf } from '../refusals.ts'
import { failProperties, failSet, type SetError } from '../set-error.ts'
import { isRecord } from '../standard/arguments.ts'
import { failKeywords, NO_MAILBOX } from './filing.ts'
import { eachEmail } from './get.ts'
import { isObjectId } from './ids.ts'
import { type EmailPatch, type MemberChange, readEmailPatch } from './patch.ts'
import { readEmailProperties, WHOLE_BODY } from './properties.ts'

/** The result of each message that was to be changed. */
export type Updates = { updated: string[]; notUpdated: Map<string, SetError> }

type Change = EmailPatch & { readonly id: string }

/**
 * Changes keywords and mailboxes of messages: all of them in one transaction, those that change in the same way by one
 * statement. What is wrong with one of them keeps none of the others.
 */
export const updateEmails = async (
  call: JmapCall,
  access: MailboxAccess,
  patches: readonly (readonly [id: string, patch: Args])[],
): Promise<Updates> => {
  const notUpdated = new Map<string, SetError>()
  const changes: Change[] = []
  for (const [id, patch] of patches)
    await keepError(notUpdated, id, async () => {
      if (!isObjectId(id)) return failSet('notFound')
      changes.push({ id, ...readEmailPatch(call, patch) })
    })
  const wanted = await withoutOthers(call, access, changes, notUpdated)
  if (wanted.length === 0) return { updated: [], notUpdated }
  const updated = await call.parts.database.tx(async (tx) => {
    const refused = new Map<string, SetError>()
    const done = await applyAll(tx, access, wanted, { refused, now: call.parts.clock.now() })
    return { done, refused }
  })
  for (const [id, error] of updated.refused) notUpdated.set(id, error)
  return { updated: updated.done, notUpdated }
}

/** RFC 8620 §5.3: other properties may be given if they are what the message has. */
const withoutOthers = async (
  call: JmapCall,
  access: MailboxAccess,
  changes: readonly Change[],
  notUpdated: Map<string, SetError>,
): Promise<Change[]> => {
  const kept: Change[] = []
  for (const change of changes) {
    const properties = await otherValues(call, access, change)
    if (properties.length === 0) kept.push(change)
    else {
      const description = 'Only keywords and mailboxIds can be changed.'
      notUpdated.set(change.id, { type: 'invalidProperties', description, properties })
    }
  }
  return kept
}

const otherValues = async (call: JmapCall, access: MailboxAccess, { id, others }: Change): Promise<string[]> => {
  const names = Object.keys(others)
  if (names.length === 0) return []
  const view = { ...readEmailProperties(names), body: WHOLE_BODY }
  const differing: string[] = []
  await eachEmail(call, access, { ids: [id], view }, (_id, email) => {
    differing.push(...names.filter((name) => !isSame(others[name], email[name])))
  })
  return differing
}

/** Parts may be given with fewer properties than they have. */
const isSame = (given: unknown, actual: unknown): boolean => {
  if (Array.isArray(given))
    return (
      Array.isArray(actual) &&
      given.length === actual.length &&
      given.every((each, index) => isSame(each, actual[index]))
    )
  if (!isRecord(given)) return given === actual
  return isRecord(actual) && Object.keys(given).every((name) => isSame(given[name], actual[name]))
}

type Applying = { refused: Map<string, SetError>; now: Date }

const applyAll = async (
  tx: MailTx,
  access: MailboxAccess,
  changes: readonly Change[],
  { refused, now }: Applying,
): Promise<string[]> => {
  const { addressId, viewerId } = access
  // The mailbox is locked from here on.
  await openMailbox(tx, addressId)
  const ids = changes.map(({ id }) => id)
  const messages = new Map((await getMessages(tx, addressId, ids, viewerId)).map((message) => [message.id, message]))
  const folders = new Set((await listFolders(tx, addressId)).map(({ id }) => id))
  const good: { change: Change; folderIds: string[] | null }[] = []
  for (const change of changes)
    await keepError(refused, change.id, async () => {
      const message = messages.get(change.id) ?? failSet('notFound')
      checkKeywords(message, change)
      good.push({ change, folderIds: foldersOf(message, change, folders) })
    })
  const items = good.flatMap(({ change, folderIds }) => (folderIds ? [{ messageId: change.id, folderIds }] : []))
  if (items.length > 0) await setFolders(tx, { addressId, items, now })
  for (const { messageIds, keywords } of sameKeywords(good.map(({ change }) => change)))
    await changeKeywords(tx, { addressId, viewerId, messageIds, ...keywords })
  return good.map(({ change }) => change.id)
}

const checkKeywords = ({ keywords }: ListedMessage, change: Change): void => {
  if (!change.keywords) return
  const after = applied(keywords, change.keywords)
  if (after.length > MAX_KEYWORDS) failKeywords()
}

/** The folders that a message shall have; null when it has them. */
const foldersOf = ({ folderIds }: ListedMessage, change: Change, known: ReadonlySet<string>): string[] | null => {
  if (!change.folders) return null
  const after = applied(folderIds, change.folders)
  if (after.some((id) => !known.has(id))) return failProperties(['mailboxIds'], NO_MAILBOX)
  if (after.length === 0)
    return failProperties(
      ['mailboxIds'],
      'A message must be in at least one mailbox. To remove it from all, destroy it.',
    )
  return after.length === folderIds.length && after.every((id) => folderIds.includes(id)) ? null : after
}

const applied = (members: readonly string[], change: MemberChange): string[] =>
  'replace' in change
    ? [...change.replace]
    : [...new Set([...members.filter((each) => !change.remove.includes(each)), ...change.add])]

/** Messages that change in the same way, together. */
const sameKeywords = (changes: readonly Change[]): { messageIds: string[]; keywords: MemberChange }[] => {
  const groups = new Map<string, { messageIds: string[]; keywords: MemberChange }>()
  for (const { id, keywords } of changes) {
    if (!keywords) continue
    const key = JSON.stringify(keywords)
    const group = groups.get(key) ?? { messageIds: [], keywords }
    group.messageIds.push(id)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const keepError = async (errors: Map<string, SetError>, id: string, work: () => Promise<unknown>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    const refusal = setErrorOf(error)
    if (!refusal) throw error
    errors.set(id, refusal)
  }
}
