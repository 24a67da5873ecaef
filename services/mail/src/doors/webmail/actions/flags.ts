import { type MessageMark, messageMarks } from '@stoa/mail-model/message-actions.ts'
import { changeKeywords, folderByRole, getMessages, type MailTx, moveMessages, refuse } from '../../../store/store.ts'
import type { ActionInput, ActionResult } from './actions.ts'

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
export const changeFlags = async (
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
