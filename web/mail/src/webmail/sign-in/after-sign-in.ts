import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { returnUrl } from '@stoa/ui/navigation/return-path.ts'
import { messageOf } from '@stoa/ui/request/problem.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { send } from '../../api.ts'
import { saveWriting } from '../compose/compose.ts'
import { mailboxQuery } from '../queries.ts'

const HOME = { below: '/webmail/', path: '/webmail/inbox' }

/** Starts as the owner of this mailbox, at the screen that was asked for before signing in. */
export const useEnterMailbox = (): ((mailbox: Mailbox, back?: string | undefined) => Promise<void>) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async (mailbox, back) => {
    // The cache must hold no webmail data of the previous user
    queryClient.removeQueries({ queryKey: ['webmail'] })
    queryClient.setQueryData(mailboxQuery.queryKey, mailbox)
    const { pathname, search, hash } = returnUrl(back, HOME, location.origin)
    await router.navigate({ to: pathname, search: router.options.parseSearch(search), hash: hash.slice(1) })
  }
}

/** Signs out of the mailbox here and goes to the sign-in; what was read is forgotten. */
export const useLeaveMailbox = (): (() => Promise<void>) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async () => {
    // Drafts are saved before signing out, as nothing may stay in a browser that others use
    if (!(await saveWriting())) {
      toast({
        tone: 'danger',
        title: "You're still signed in",
        description: "A draft couldn't be saved. Try again, or discard it first.",
      })
      return
    }
    try {
      await send('POST', '/api/mail/logout')
    } catch (error) {
      toast({ tone: 'danger', title: "You're still signed in", description: messageOf(error) })
      return
    }
    await router.navigate({ to: '/webmail/sign-in', ignoreBlocker: true })
    queryClient.removeQueries({ queryKey: ['webmail'] })
  }
}
