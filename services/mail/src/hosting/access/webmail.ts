import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Insertable } from 'kysely'
import type { Ctx, TokenSigner } from '../../context.ts'
import type { SignIn } from '../../principal.ts'
import type { WebmailSessionTable } from '../../tables/webmail.ts'
import type { Tables } from '../../tables.ts'
import { stampOf } from '../addresses/addresses.ts'
import { createTokenSigner } from './signed-token.ts'

export const WEBMAIL_COOKIE = 'mail_webmail'
/** Absolute: use does not lengthen it. */
const WEBMAIL_SESSION_SECONDS = 12 * 3600
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

/** Opens a session for the signed-in user, and returns the cookie that carries it. Each sign-in gets a new one. */
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

type FoundWebmailSession = {
  sessionId: string
  passwordStamp: string
  lastSeenAt: Date
  expiresAt: Date
  passwordHash: string
  id: string
  accountId: string
  domainId: string
  email: string
  name: string | null
  sendEnabled: boolean
}

/** The session and its address as it is now, if it may be used, in one statement: this runs on every request. */
const findWebmailSession = async (
  db: Db<Tables>,
  tokenHash: Buffer,
  now: Date,
): Promise<FoundWebmailSession | undefined> => {
  const [row] = await db.query<FoundWebmailSession>({
    name: 'find-webmail-session',
    text: `select s.id as "sessionId", s.password_stamp as "passwordStamp", s.last_seen_at as "lastSeenAt",
             s.expires_at as "expiresAt", a.password_hash as "passwordHash", a.id, a.account_id as "accountId",
             a.domain_id as "domainId", a.email, a.name, a.send_enabled as "sendEnabled"
           from webmail_session s join address a on a.id = s.address_id
           where s.token_hash = $1 and s.expires_at > $2 and a.deleted_at is null and a.enabled`,
    values: [tokenHash, now],
  })
  return row
}

const insertWebmailSession = async (tx: Tx<Tables>, row: Insertable<WebmailSessionTable>): Promise<void> => {
  await tx.insertInto('webmail_session').values(row).execute()
}

const deleteExpiredWebmailSessions = async (tx: Tx<Tables>, addressId: string, now: Date): Promise<void> => {
  await tx.deleteFrom('webmail_session').where('address_id', '=', addressId).where('expires_at', '<=', now).execute()
}

/** Gives what it was, if there was one. */
const deleteWebmailSession = (
  tx: Tx<Tables>,
  tokenHash: Buffer,
): Promise<{ address_id: string; id: string } | undefined> =>
  tx
    .deleteFrom('webmail_session')
    .where('token_hash', '=', tokenHash)
    .returning(['address_id', 'id'])
    .executeTakeFirst()

/** Never goes back, also when two requests of one moment arrive in the other order. */
const touchWebmailSession = async (
  tx: Tx<Tables>,
  { addressId, id, now }: { addressId: string; id: string; now: Date },
): Promise<void> => {
  await tx
    .updateTable('webmail_session')
    .set({ last_seen_at: now })
    .where('address_id', '=', addressId)
    .where('id', '=', id)
    .where('last_seen_at', '<', now)
    .execute()
}
