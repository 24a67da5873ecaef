import { confirmTotpInput, removeTotpInput, totpConfirmed, totpEnrolment } from '@stoa/cms-model/two-factor.ts'
import { OPEN, type Route, route } from '../access/access.ts'
import { beginTotp, confirmTotp, removeTotp } from './two-factor-setup.ts'

export const twoFactorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/auth/totp',
    summary: 'Begin two-factor sign-in: a secret for an authenticator app, to be confirmed within 15 minutes',
    auth: ['session'],
    access: OPEN,
    output: totpEnrolment,
    run: (ctx) => beginTotp(ctx),
  }),
  route({
    method: 'POST',
    path: '/api/auth/totp/confirm',
    summary: 'Switch two-factor sign-in on with a first code; all other sessions end',
    auth: ['session'],
    access: OPEN,
    body: confirmTotpInput,
    output: totpConfirmed,
    run: (ctx, { body }) => confirmTotp(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/totp',
    summary: 'Switch two-factor sign-in off, with the password and a code',
    auth: ['session'],
    access: OPEN,
    body: removeTotpInput,
    output: 'empty',
    run: async (ctx, { body }) => {
      await removeTotp(ctx, body)
      return undefined
    },
  }),
]
