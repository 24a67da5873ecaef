import type { Mailbox } from '@stoa/mail-model/webmail.ts'
import { hasUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { backTo } from '@stoa/ui/navigation/return-path.ts'
import { askToSignInAgain, type SignInAgain } from '@stoa/ui/sign-in/sign-in-again.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { api, hasName, onSignedOut, send } from './api.ts'
import { meQuery } from './queries.ts'
import { onMailboxSignedOut } from './webmail/api.ts'
import { mailboxQuery } from './webmail/queries.ts'

/** A session that has ended leads to its sign-in; where a form holds changes, it is begun again above it. */
export const leadToSignIn = (router: AnyRouter, queryClient: QueryClient): void => {
  const lead = (to: string, forget: () => void, again: Pick<SignInAgain, 'email' | 'signIn'> | undefined) => {
    const { pathname, href } = router.state.location
    if (pathname === to) return
    const leave = async () => {
      await router.navigate({ to, search: backTo(href), ignoreBlocker: true })
      // The cache is cleared after the screens that show it are gone
      forget()
    }
    if (again && hasUnsavedChanges()) askToSignInAgain({ ...again, leave })
    else void leave()
  }
  onSignedOut(() => lead('/sign-in', () => queryClient.clear(), panelAgain(queryClient)))
  onMailboxSignedOut(() =>
    lead('/webmail/sign-in', () => queryClient.removeQueries({ queryKey: ['webmail'] }), mailboxAgain(queryClient)),
  )
}

const panelAgain = (queryClient: QueryClient) => {
  const email = queryClient.getQueryData(meQuery.queryKey)?.email
  if (email === undefined) return undefined
  const signIn: SignInAgain['signIn'] = async (password, code) => {
    try {
      const user = await api.signIn({ email, password, ...(code !== undefined && { totp_code: code }) })
      queryClient.setQueryData(meQuery.queryKey, user)
      return 'done'
    } catch (error) {
      if (code !== undefined || !hasName(error, 'missing_required_field')) throw error
      return 'code'
    }
  }
  return { email, signIn }
}

const mailboxAgain = (queryClient: QueryClient) => {
  const email = queryClient.getQueryData(mailboxQuery.queryKey)?.email
  if (email === undefined) return undefined
  const signIn: SignInAgain['signIn'] = async (password) => {
    const mailbox = await send<Mailbox>('POST', '/api/mail/login', { body: { email, password } })
    queryClient.setQueryData(mailboxQuery.queryKey, mailbox)
    return 'done'
  }
  return { email, signIn }
}
