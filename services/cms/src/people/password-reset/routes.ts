import { forgotInput, forgotten, resetInput } from '@stoa/cms-model/accounts.ts'
import { PUBLIC } from '@stoa/kit/http/route.ts'
import { OPEN, type Route, route } from '../access/access.ts'
import { requestReset, resetPassword } from './password-reset.ts'

export const passwordResetRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/auth/forgot',
    summary: 'Request a password reset link; the response is the same whether or not the account exists',
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
    summary: 'Set a new password with a reset token; signs out all sessions',
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
