import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { messageOf } from '@stoa/ui/problem.ts'
import { toast } from '@stoa/ui/toast-store.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { send } from '../../api.ts'
import { mailboxQuery } from '../queries.ts'

const INBOX = '/webmail/inbox'

/** Starts as the owner of this mailbox, at the screen that was asked for before signing in. */
export const useEnterMailbox = (): ((mailbox: Mailbox, back?: string | undefined) => Promise<void>) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async (mailbox, back = INBOX) => {
    // Nothing of whoever was here before may stay
    queryClient.removeQueries({ queryKey: ['webmail'] })
    queryClient.setQueryData(mailboxQuery.queryKey, mailbox)
    const { pathname, search, hash } = placeOf(back)
    await router.navigate({ to: pathname, search: router.options.parseSearch(search), hash: hash.slice(1) })
  }
}

/** A link can hold anything as the way back: only a screen of the webmail is gone to. */
const placeOf = (back: string): URL => {
  const url = URL.canParse(back, location.origin) ? new URL(back, location.origin) : null
  const isHere = url?.origin === location.origin && url.pathname.startsWith('/webmail/')
  return isHere ? url : new URL(INBOX, location.origin)
}

/** Signs out of the mailbox here and goes to the sign-in; what was read is forgotten. */
export const useLeaveMailbox = (): (() => Promise<void>) => {
  const router = useRouter()
  const queryClient = useQueryClient()
  return async () => {
    try {
      await send('POST', '/api/mail/logout')
    } catch (error) {
      toast({ tone: 'danger', title: 'You are still signed in', description: messageOf(error) })
      return
    }
    await router.navigate({ to: '/webmail/sign-in', ignoreBlocker: true })
    queryClient.removeQueries({ queryKey: ['webmail'] })
  }
}
