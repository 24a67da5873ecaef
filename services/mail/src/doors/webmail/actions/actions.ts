import { type MessageMark, messageMarks } from '@stoa/mail-model/message-actions.ts'
import { z } from 'zod'
import {
  changeKeywords,
  destroyMessages,
  folderByRole,
  forgetDeletedMessages,
  getMessages,
  type MailTx,
  moveMessages,
  openMailbox,
  refuse,
  snooze,
} from '../../../store/store.ts'

/** What can be done to many messages, in the form in which a job keeps it. */
export const mailAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flags'), add: z.array(z.string()), remove: z.array(z.string()) }),
  z.object({ kind: z.literal('move'), folderId: z.uuid() }),
  /** `purge`: cannot be restored either. */
  z.object({ kind: z.literal('delete'), permanent: z.boolean(), purge: z.boolean().default(false) }),
  z.object({ kind: z.literal('snooze'), until: z.iso.datetime().nullable() }),
])
export type MailAction = z.output<typeof mailAction>

export type ActionInput = { addressId: string; messageIds: readonly string[]; now: Date }
export type ActionResult = { updated: number; notFound: readonly string[] }

/** Does it to as many messages as one transaction takes. Refuses as the store does. */
export const applyAction = async (tx: MailTx, input: ActionInput, action: MailAction): Promise<ActionResult> => {
  // The lock keeps others from changing the messages that are read below.
  await openMailbox(tx, input.addressId)
  switch (action.kind) {
    case 'flags':
      return changeFlags(tx, input, action)
    case 'delete':
      return deleteMessages(tx, input, action)
    case 'move':
      return moved(await moveMessages(tx, { ...input, folderId: action.folderId }))
    case 'snooze':
      return moved(await snooze(tx, { ...input, until: action.until === null ? null : new Date(action.until) }))
  }
}

const moved = (result: { moved: readonly string[]; notFound: readonly string[] }): ActionResult => ({
  updated: result.moved.length,
  notFound: result.notFound,
})

/** The keyword of each mark (RFC 8621 §4.1.1); every other word is a label, and a keyword as it is. */
const KEYWORDS: Readonly<Record<MessageMark, string>> = {
  seen: '$seen',
  flagged: '$flagged',
  answered: '$answered',
  forwarded: '$forwarded',
  junk: '$junk',
}
const NOT_JUNK = '$notjunk'

/** Sets and clears marks and labels. Junk is moved to its folder, and what is none to the inbox; both are learned from. */
const changeFlags = async (
  tx: MailTx,
  { addressId, messageIds, now }: ActionInput,
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<ActionResult> => {
  const isJunk = add.includes('junk')
  const isHam = !isJunk && remove.includes('junk')
  const { updated, unchanged, notFound } = await changeKeywords(tx, {
    addressId,
    messageIds,
    add: [...add.map(keywordOf), ...(isHam ? [NOT_JUNK] : [])],
    remove: [...remove.map(keywordOf), ...(isJunk ? [NOT_JUNK] : [])],
  })
  const found = [...updated.keys(), ...unchanged]
  if (isJunk)
    await moveMessages(tx, { addressId, messageIds: found, folderId: await roleId(tx, addressId, 'junk'), now })
  if (isHam) await leaveJunk(tx, { addressId, messageIds: found, now })
  return { updated: found.length, notFound }
}

const isMark = (word: string): word is MessageMark => messageMarks.some((mark) => mark === word)

const keywordOf = (word: string): string => (isMark(word) ? KEYWORDS[word] : word)

/** Messages that are not in Junk stay where they are. */
const leaveJunk = async (tx: MailTx, { addressId, messageIds, now }: ActionInput): Promise<void> => {
  const junk = await roleId(tx, addressId, 'junk')
  const inside = (await getMessages(tx, addressId, messageIds)).filter(({ folderIds }) => folderIds.includes(junk))
  if (inside.length === 0) return
  const folderId = await roleId(tx, addressId, 'inbox')
  await moveMessages(tx, { addressId, messageIds: inside.map(({ id }) => id), folderId, now })
}

const roleId = async (tx: MailTx, addressId: string, role: 'junk' | 'inbox'): Promise<string> =>
  (await folderByRole(tx, addressId, role))?.id ?? refuse('no_such_folder', `there is no folder with the role ${role}`)

/** Throws messages away: into the trash, and for good what is nowhere but there. `permanent`: for good in any case. */
const deleteMessages = async (
  tx: MailTx,
  input: ActionInput,
  { permanent, purge }: { permanent: boolean; purge: boolean },
): Promise<ActionResult> => {
  const { addressId, now } = input
  const messageIds = [...new Set(input.messageIds)]
  if (purge) return purgeMessages(tx, { addressId, messageIds, now })
  if (permanent) return destroy(tx, { addressId, messageIds, now })
  const trash = (await folderByRole(tx, addressId, 'trash'))?.id ?? refuse('no_such_folder', 'there is no trash')
  const known = await getMessages(tx, addressId, messageIds)
  const isTrash = (message: { folderIds: readonly string[] }) => message.folderIds.every((id) => id === trash)
  const gone = known.filter(isTrash).map(({ id }) => id)
  const destroyed = await destroy(tx, { addressId, messageIds: gone, now })
  const others = messageIds.filter((id) => !gone.includes(id))
  const { moved, notFound } = await moveMessages(tx, { addressId, messageIds: others, folderId: trash, now })
  return { updated: destroyed.updated + moved.length, notFound: [...destroyed.notFound, ...notFound] }
}

/** For good: they cannot be restored. */
const purgeMessages = async (tx: MailTx, input: ActionInput): Promise<ActionResult> => {
  const { destroyed, notFound } = await destroyMessages(tx, input)
  await forgetDeletedMessages(tx, input.addressId, destroyed)
  return { updated: destroyed.length, notFound }
}

const destroy = async (tx: MailTx, input: ActionInput): Promise<ActionResult> => {
  const { destroyed, notFound } = await destroyMessages(tx, input)
  return { updated: destroyed.length, notFound }
}
