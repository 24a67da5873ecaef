import { confirmTotpInput, removeTotpInput, totpConfirmed, totpEnrolment } from '@stoa/cms-model/two-factor.ts'
import { OPEN, type Route, route } from '../access/access.ts'
import { beginTotp, confirmTotp, removeTotp } from './two-factor-setup.ts'

export const twoFactorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/auth/totp',
    summary: 'Start two-factor setup: a secret for an authenticator app, to be confirmed within 15 minutes',
    auth: ['session'],
    access: OPEN,
    output: totpEnrolment,
    run: (ctx) => beginTotp(ctx),
  }),
  route({
    method: 'POST',
    path: '/api/auth/totp/confirm',
    summary: 'Turn on two-factor authentication with a first code; signs out your other sessions',
    auth: ['session'],
    access: OPEN,
    body: confirmTotpInput,
    output: totpConfirmed,
    run: (ctx, { body }) => confirmTotp(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/api/auth/totp',
    summary: 'Turn off two-factor authentication, with your password and a code',
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
