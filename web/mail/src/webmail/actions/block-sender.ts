import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { hasName } from '../../api.ts'
import { sendersApi } from '../../senders/senders-api.ts'
import { sendMailbox } from '../api.ts'

/** The list of this mailbox. */
export const ownSenders = sendersApi(sendMailbox, '/api/mail/senders')

/** Blocks the sender of a message: their mail goes to Junk from now on. What is there already stays. */
export const useBlockSender = (): ((email: string) => Promise<void>) => {
  const queryClient = useQueryClient()
  return async (email) => {
    try {
      const id = await block(email)
      toast({
        title: `${email} blocked`,
        description: 'New messages go to Junk.',
        action: { label: 'Undo', onAction: () => void unblock(email, id) },
      })
    } catch (error) {
      toast({ tone: 'danger', title: `Couldn't block ${email}`, description: messageOf(error) })
    }
    await queryClient.invalidateQueries({ queryKey: ownSenders.key })
  }
}

/** Gives the id of the entry. One that allowed the sender until now makes way for it. */
const block = async (email: string): Promise<string> => {
  try {
    return (await ownSenders.add({ pattern: email, action: 'block' })).id
  } catch (error) {
    if (!hasName(error, 'conflict')) throw error
    const known = (await ownSenders.find(email)).data.find(({ pattern }) => pattern === email.toLowerCase())
    if (!known) throw error
    if (known.action === 'block') return known.id
    await ownSenders.remove(known.id)
    return (await ownSenders.add({ pattern: email, action: 'block' })).id
  }
}

const unblock = async (email: string, id: string): Promise<void> => {
  try {
    await ownSenders.remove(id)
    toast({ title: `${email} unblocked` })
  } catch (error) {
    toast({ tone: 'danger', title: "Couldn't undo", description: messageOf(error) })
  }
}
