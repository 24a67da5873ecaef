import { destroyMessages, folderByRole, getMessages, type MailTx, moveMessages, refuse } from '../../store/store.ts'
import type { ActionInput, ActionResult } from './actions.ts'

/** Throws messages away: into the trash, and for good what is nowhere but there. `permanent`: for good in any case. */
export const deleteMessages = async (
  tx: MailTx,
  input: ActionInput,
  { permanent }: { permanent: boolean },
): Promise<ActionResult> => {
  const { addressId, now } = input
  const messageIds = [...new Set(input.messageIds)]
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

const destroy = async (tx: MailTx, input: ActionInput): Promise<ActionResult> => {
  const { destroyed, notFound } = await destroyMessages(tx, input)
  return { updated: destroyed.length, notFound }
}
