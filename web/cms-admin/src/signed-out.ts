import { hasUnsavedChanges } from '@stoa/ui/navigation/leave-guard.ts'
import { backTo } from '@stoa/ui/navigation/return-path.ts'
import { askToSignInAgain, type SignInAgain } from '@stoa/ui/sign-in/sign-in-again.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { api, hasCode, onSignedOut } from './api.ts'
import { meQuery } from './queries.ts'

/** A session that has ended leads to the sign-in; where a form holds changes, it is begun again above it. */
export const leadToSignIn = (router: AnyRouter, queryClient: QueryClient): void =>
  onSignedOut(() => {
    if (router.state.location.pathname === '/sign-in') return
    const email = queryClient.getQueryData(meQuery.queryKey)?.email ?? ''
    const again = signInAgain({ email, router, queryClient })
    if (email !== '' && hasUnsavedChanges()) askToSignInAgain(again)
    else void again.leave()
  })

type Again = { email: string; router: AnyRouter; queryClient: QueryClient }

export const signInAgain = ({ email, router, queryClient }: Again): SignInAgain => ({
  email,
  signIn: async (password, code) => {
    try {
      const { user } = await api.signIn({ email, password, ...(code !== undefined && { code }) })
      queryClient.setQueryData(meQuery.queryKey, user)
      return 'done'
    } catch (error) {
      if (hasCode(error, 'TOTP_REQUIRED')) return 'code'
      if (hasCode(error, 'TOTP_INVALID')) return 'wrong-code'
      throw error
    }
  },
  leave: async () => {
    await router.navigate({ to: '/sign-in', search: backTo(router.state.location.href), ignoreBlocker: true })
    // Not before: a screen that is drawn once more would ask again, and crash on the refusal
    queryClient.clear()
  },
})
