import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Tx } from '@stoa/kit/db/database.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Ctx, TokenSigner } from '../../context.ts'
import type { SignIn } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { stampOf } from '../addresses/addresses.ts'
import { createTokenSigner } from './signed-token.ts'
import {
  deleteExpiredWebmailSessions,
  deleteWebmailSession,
  findWebmailSession,
  insertWebmailSession,
  touchWebmailSession,
} from './webmail-queries.ts'

export const WEBMAIL_COOKIE = 'mail_webmail'
/** Absolute: use does not lengthen it. */
export const WEBMAIL_SESSION_SECONDS = 12 * 3600
const SEEN_INTERVAL_MS = 60_000

/** The tokens of webmail sessions. A changed SECRET ends them all; those of the panel open none of them. */
export const createWebmailTokens = (secret: Secret): TokenSigner =>
  createTokenSigner(subKey(secret, 'mail/webmail-session'))

export type WebmailSession = { id: string; expiresAt: Date; signIn: SignIn }

type Sessions = Pick<Ctx, 'db' | 'tx' | 'webmailTokens' | 'now'>

/** The session that a cookie carries, if its address may be used and still has the password that opened it. */
export const readWebmailSession = async (
  { db, tx, webmailTokens, now: clock }: Sessions,
  request: Pick<Incoming, 'cookie'>,
): Promise<WebmailSession | null> => {
  const hash = webmailTokens.read(request.cookie(WEBMAIL_COOKIE))
  if (!hash) return null
  const now = clock()
  const found = await findWebmailSession(db, hash, now)
  if (!found) return null
  const { sessionId, passwordStamp, lastSeenAt, expiresAt, passwordHash, ...address } = found
  if (passwordStamp !== stampOf(passwordHash)) return null
  if (now.getTime() - lastSeenAt.getTime() >= SEEN_INTERVAL_MS)
    await tx((tx) => touchWebmailSession(tx, { addressId: address.id, id: sessionId, now }))
  return { id: sessionId, expiresAt, signIn: { address, scope: 'webmail', appPasswordId: null, passwordStamp } }
}

/** Opens a session for who signed in, and gives the cookie that carries it. Each sign-in gets a new one. */
export const openWebmailSession = async (
  ctx: Pick<Ctx, 'webmailTokens' | 'config' | 'now'>,
  tx: Tx<Tables>,
  { address, passwordStamp }: SignIn,
  request: Pick<Incoming, 'ip' | 'userAgent'>,
): Promise<{ cookie: CookieOptions; expiresAt: Date }> => {
  const now = ctx.now()
  const { value, hash } = ctx.webmailTokens.issue()
  const expiresAt = new Date(now.getTime() + WEBMAIL_SESSION_SECONDS * 1000)
  await deleteExpiredWebmailSessions(tx, address.id, now)
  await insertWebmailSession(tx, {
    address_id: address.id,
    id: newId(),
    token_hash: hash,
    password_stamp: passwordStamp,
    ip: request.ip || null,
    user_agent: request.userAgent,
    created_at: now,
    last_seen_at: now,
    expires_at: expiresAt,
  })
  return { cookie: webmailCookie(ctx, value, WEBMAIL_SESSION_SECONDS), expiresAt }
}

/** Ends the session that the request carries, if there is one, and gives the cookie that removes it. */
export const closeWebmailSession = async (ctx: Ctx, request: Pick<Incoming, 'cookie'>): Promise<CookieOptions> => {
  const hash = ctx.webmailTokens.read(request.cookie(WEBMAIL_COOKIE))
  if (hash)
    await ctx.tx(async (tx) => {
      const gone = await deleteWebmailSession(tx, hash)
      if (!gone) return
      const data = { addressId: gone.address_id, sessionId: gone.id }
      tx.changes.push({ topic: 'webmail_session', event: 'ended', data })
    })
  return webmailCookie(ctx, '', 0)
}

const webmailCookie = (ctx: Pick<Ctx, 'config'>, value: string, maxAgeSeconds: number): CookieOptions => ({
  name: WEBMAIL_COOKIE,
  value,
  maxAgeSeconds,
  secure: ctx.config.publicUrl.startsWith('https:'),
})
