import { forgotInput, forgotten, resetInput } from '@stoa/cms-model/accounts.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { OPEN, type Route, route } from '../access/access.ts'
import { requestReset, resetPassword } from './password-reset.ts'

export const passwordResetRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/auth/forgot',
    summary: 'Ask for a link that sets a new password; the answer is the same whether or not there is such an account',
    auth: PUBLIC,
    access: OPEN,
    body: forgotInput,
    output: forgotten,
    run: async (ctx, { body, request }) => {
      await requestReset(ctx, body.email, request)
      return { accepted: true as const }
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/reset',
    summary: 'Set a new password with the token of a mailed link; all sessions of that person end',
    auth: PUBLIC,
    access: OPEN,
    body: resetInput,
    output: 'empty',
    run: async (ctx, { body, request }) => {
      await resetPassword(ctx, body, request)
      return undefined
    },
  }),
]
