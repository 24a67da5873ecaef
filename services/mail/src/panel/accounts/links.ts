import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { Config } from '../../config.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { attemptKey, takeAllowance } from '../../hosting/sign-in-limit/sign-in-limit.ts'
import type { Tables } from '../../tables.ts'
import { type AccountToken, deleteTokens, findToken, putToken, type TokenPurpose, takeToken } from './token-queries.ts'

const HOUR_MS = 3_600_000

const LIFETIMES_MS = {
  verify: 24 * HOUR_MS,
  email_change: 24 * HOUR_MS,
  reset: HOUR_MS,
} as const satisfies Record<TokenPurpose, number>

/** Mails that strangers can cause to one address in an hour. */
const MAILS_PER_HOUR = 3

/** A new token to be mailed to `email`, kept as a hash; an older one of the purpose is void. */
export const issueToken = async (
  ctx: Pick<Ctx, 'now'>,
  tx: Tx<Tables>,
  { accountId, purpose, email }: { accountId: string; purpose: TokenPurpose; email: string },
): Promise<string> => {
  const token = newToken()
  const expiresAt = new Date(ctx.now().getTime() + LIFETIMES_MS[purpose])
  await putToken(tx, { account_id: accountId, purpose, token_hash: hashToken(token), email, expires_at: expiresAt })
  return token
}

type Given = { token: string; purposes: readonly TokenPurpose[] }

/** Uses a token up in the transaction; 400 for one that is unknown, used or has run out. */
export const redeemToken = async (
  ctx: Pick<Ctx, 'now'>,
  tx: Tx<Tables>,
  { token, purposes }: Given,
): Promise<AccountToken> => (await takeToken(tx, { hash: hashToken(token), purposes, now: ctx.now() })) ?? failToken()

/** Refuses a token that `redeemToken` would refuse, before anything costly is done for it. */
export const checkToken = async (ctx: Pick<Ctx, 'db' | 'now'>, { token, purposes }: Given): Promise<void> => {
  if (!(await findToken(ctx.db, { hash: hashToken(token), purposes, now: ctx.now() }))) failToken()
}

export const failToken = (): never =>
  fail('validation_error', { message: 'Invalid `token` field: the link was already used, replaced or has expired.' })

/** Counts a mail of a kind to an address; false when it would be one too many in this hour. */
export const mayMail = (ctx: Pick<Ctx, 'now'>, tx: Tx<Tables>, kind: string, email: string): Promise<boolean> =>
  takeAllowance(ctx, tx, { key: attemptKey('mail', kind, email), limit: MAILS_PER_HOUR, windowMs: HOUR_MS })

export const failTooManyMails = (): never =>
  fail('rate_limit_exceeded', {
    message: "We've already sent several emails to this address. Try again in an hour.",
    headers: { 'retry-after': String(HOUR_MS / 1000) },
  })

/** The address of a screen with a token behind the hash: it is in no log and no Referer. */
export const linkTo = ({ config }: { config: Pick<Config, 'publicUrl'> }, screen: string, token: string): string =>
  `${config.publicUrl}/${screen}#token=${token}`

export { deleteTokens }
