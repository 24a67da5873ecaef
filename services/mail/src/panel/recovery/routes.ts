import { PUBLIC } from '@stoa/kit/http/route.ts'
import {
  recoveryAvailability,
  recoveryCheckQuery,
  recoveryDone,
  recoveryRequest,
  recoveryRequestInput,
  recoveryResetInput,
} from '@stoa/mail-model/recovery.ts'
import { route } from '../../context.ts'
import { checkRecovery, requestRecovery, resetMailbox } from './recovery.ts'

/** The same rate as at sign-in: each request costs a password hash or a mail. */
const RECOVERY_RATE = { limit: 5, windowSeconds: 1 }

export const recoveryRoutes = [
  route({
    method: 'GET',
    path: '/api/recover/check',
    summary: 'Whether recovery is available for a domain',
    auth: PUBLIC,
    access: 'anyone',
    query: recoveryCheckQuery,
    output: recoveryAvailability,
    run: (ctx, { query }) => checkRecovery(ctx, query),
  }),
  route({
    method: 'POST',
    path: '/api/recover/request',
    summary: 'Request a mailbox password reset',
    auth: PUBLIC,
    access: 'anyone',
    rate: RECOVERY_RATE,
    body: recoveryRequestInput,
    output: recoveryRequest,
    run: async (ctx, { body }) => {
      await requestRecovery(ctx, body)
      return { object: 'recovery_request', accepted: true } as const
    },
  }),
  route({
    method: 'POST',
    path: '/api/recover/reset',
    summary: 'Set a new mailbox password with the token',
    auth: PUBLIC,
    access: 'anyone',
    rate: RECOVERY_RATE,
    body: recoveryResetInput,
    output: recoveryDone,
    run: async (ctx, { body }) => {
      await resetMailbox(ctx, body)
      return { object: 'recovery', reset: true } as const
    },
  }),
]
