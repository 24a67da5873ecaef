import { type Permission, scopeOf } from '@stoa/cms-model/permissions.ts'
import { createSealer } from '@stoa/kit/crypto/seal.ts'
import { consumeOAuthState, type IssuedOAuthState, issueOAuthState } from '@stoa/kit/oauth/state.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { type ZodType, z } from 'zod'
import type { Ctx } from '../../context.ts'
import { type SessionPrincipal, sessionOf } from '../../principal.ts'
import { findAccount } from '../accounts/accounts.ts'

/** The way back carries no session: the account that began is part of the sealed payload. */
const SUBJECT = 'callback'
const beganShape = z.object({ accountId: z.string(), sessionId: z.string() })

const stateSealer = ({ config }: Pick<Ctx, 'config'>) => createSealer({ current: config.secret }, 'oauth')

type Beginning = { readonly purpose: string; readonly payload: object; readonly withPkce: boolean }

/** A person goes to another service to consent; what they come back with is good once. */
export const beginConsent = (ctx: Ctx, { purpose, payload, withPkce }: Beginning): Promise<IssuedOAuthState> => {
  const { account, sessionId } = sessionOf(ctx)
  return ctx.tx((tx) =>
    issueOAuthState(tx, stateSealer(ctx), {
      purpose,
      subject: SUBJECT,
      payload: { ...payload, accountId: account.id, sessionId },
      withPkce,
      now: ctx.now(),
    }),
  )
}

export type Begun<T> = T & { readonly principal: SessionPrincipal; readonly codeVerifier: Secret | null }

type Returning<T> = { readonly purpose: string; readonly shape: ZodType<T>; readonly needs: Permission }

/**
 * Who began, and with what; null for a state that was not issued here, has expired or was used. Taken and committed before the
 * code is exchanged, so that it is good for one call whatever happens.
 */
export const takeConsent = async <T>(
  ctx: Ctx,
  state: string | undefined,
  { purpose, shape, needs }: Returning<T>,
): Promise<Begun<T> | null> => {
  if (!state) return null
  const consumed = await ctx.tx((tx) =>
    consumeOAuthState(tx, stateSealer(ctx), { state, purpose, subject: SUBJECT, now: ctx.now() }),
  )
  const [payload, began] = [shape.safeParse(consumed?.payload), beganShape.safeParse(consumed?.payload)]
  if (!consumed || !payload.success || !began.success) return null
  const account = await findAccount(ctx.db, began.data.accountId)
  // Somebody who was deactivated or lost the right meanwhile connects nothing.
  if (account === null || scopeOf(account.role, needs) === null) return null
  const principal = { kind: 'session', sessionId: began.data.sessionId, account } as const
  return { ...payload.data, principal, codeVerifier: consumed.codeVerifier }
}
