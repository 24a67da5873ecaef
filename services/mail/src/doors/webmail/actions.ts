import { z } from 'zod'
import { type MailTx, moveMessages, openMailbox, snooze } from '../../store/store.ts'
import { deleteMessages } from './delete.ts'
import { changeFlags } from './flags.ts'

/** What can be done to many messages, in the form in which a job keeps it. */
export const mailAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('flags'), add: z.array(z.string()), remove: z.array(z.string()) }),
  z.object({ kind: z.literal('move'), folderId: z.uuid() }),
  z.object({ kind: z.literal('delete'), permanent: z.boolean() }),
  z.object({ kind: z.literal('snooze'), until: z.iso.datetime().nullable() }),
])
export type MailAction = z.output<typeof mailAction>

export type ActionInput = { addressId: string; messageIds: readonly string[]; now: Date }
export type ActionResult = { updated: number; notFound: readonly string[] }

/** Does it to as many messages as one transaction takes. Refuses as the store does. */
export const applyAction = async (tx: MailTx, input: ActionInput, action: MailAction): Promise<ActionResult> => {
  // What is read below must be what is changed.
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
