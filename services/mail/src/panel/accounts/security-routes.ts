import { PUBLIC } from '@stoa/kit/http/route.ts'
import {
  forgotInput,
  resetAccepted,
  resetDone,
  resetInput,
  tokenInput,
  totpDisabled,
  totpDisableInput,
  totpEnabled,
  totpEnableInput,
  totpSetup,
  totpSetupInput,
  user,
  verificationSent,
} from '@stoa/mail-model/accounts.ts'
import { route } from '../../context.ts'
import { SIGN_IN_RATE } from '../../hosting/sign-in-limit/sign-in-limit.ts'
import { requestReset, resetPassword } from './reset.ts'
import { userJson } from './schema.ts'
import { disableTotp, enableTotp, setUpTotp } from './two-factor.ts'
import { sendVerification, verify } from './verification.ts'

export const securityRoutes = [
  route({
    method: 'POST',
    path: '/api/auth/verify/send',
    summary: 'Send a link to verify the email address',
    auth: ['session'],
    access: 'account',
    output: verificationSent,
    run: async (ctx) => ({ object: 'verification', sent: await sendVerification(ctx) }) as const,
  }),
  route({
    method: 'POST',
    path: '/api/auth/verify',
    summary: 'Verify an email address, or confirm a new one, with the token',
    auth: PUBLIC,
    access: 'anyone',
    rate: SIGN_IN_RATE,
    body: tokenInput,
    output: user,
    run: async (ctx, { body }) => userJson(await verify(ctx, body)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/password/forgot',
    summary: 'Send a password reset link',
    auth: PUBLIC,
    access: 'anyone',
    rate: SIGN_IN_RATE,
    body: forgotInput,
    output: resetAccepted,
    run: async (ctx, { body }) => {
      await requestReset(ctx, body)
      return { object: 'password_reset', accepted: true } as const
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/password/reset',
    summary: 'Set a new password with the token; revokes all sessions',
    auth: PUBLIC,
    access: 'anyone',
    rate: SIGN_IN_RATE,
    body: resetInput,
    output: resetDone,
    run: async (ctx, { body }) => {
      await resetPassword(ctx, body)
      return { object: 'password_reset', reset: true } as const
    },
  }),
  route({
    method: 'POST',
    path: '/api/auth/totp/setup',
    summary: 'Start two-factor setup',
    auth: ['session'],
    access: 'account',
    body: totpSetupInput,
    output: totpSetup,
    run: (ctx, { body }) => setUpTotp(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/api/auth/totp/enable',
    summary: 'Enable two-factor authentication with the first code; recovery codes are returned once',
    auth: ['session'],
    access: 'account',
    body: totpEnableInput,
    output: totpEnabled,
    run: (ctx, { body }) => enableTotp(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/api/auth/totp/disable',
    summary: 'Disable two-factor authentication',
    auth: ['session'],
    access: 'account',
    body: totpDisableInput,
    output: totpDisabled,
    run: async (ctx, { body }) => {
      await disableTotp(ctx, body)
      return { object: 'totp', enabled: false } as const
    },
  }),
]
