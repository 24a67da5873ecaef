import type { Clock } from '@stoa/kit/clock.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { PUBLIC, type Route } from '@stoa/kit/http/route.ts'
import type { Authenticated } from '@stoa/kit/http/server.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Ctx } from '../context.ts'
import { fail } from '../errors.ts'
import type { Tables } from '../tables.ts'
import type { Account } from './account.ts'
import { deleteExpiredSessions, deleteSessionByToken, findSession, insertSession, touchSession } from './queries.ts'
import { createTokenSigner, type TokenSigner } from './signed-token.ts'

export { type Account, toAccount } from './account.ts'
export type { TokenSigner } from './signed-token.ts'

/** How a request can prove who it is. */
export const credentialKinds = ['session'] as const
export type CredentialKind = (typeof credentialKinds)[number]

/** What a route asks of its caller beyond the credential. */
export type Access = 'anyone' | 'account' | 'owner'

export type SessionPrincipal = { kind: 'session'; sessionId: string; account: Account }
export type Principal = { kind: 'anonymous' } | SessionPrincipal

export const SESSION_COOKIE = 'mail_session'
/** Absolute: use does not lengthen it. */
export const SESSION_SECONDS = 14 * 24 * 3600
const SEEN_INTERVAL_MS = 60_000

/** The tokens of panel sessions. A changed SECRET ends them all. */
export const createSessionTokens = (secret: Secret): TokenSigner =>
  createTokenSigner(subKey(secret, 'mail/panel-session'))

type Sessions = { database: Database<Tables>; tokens: TokenSigner; clock: Clock }

/** Resolves the cookie to the account behind it, as it is now. Other credentials do not exist for session routes. */
export const createAuthenticate =
  ({ database, tokens, clock }: Sessions) =>
  async (request: Incoming, kinds: Route<Ctx, CredentialKind>['auth']): Promise<Authenticated<Principal>> => {
    if (kinds === PUBLIC) return { principal: { kind: 'anonymous' }, viaCookie: false }
    const hash = tokens.read(request.cookie(SESSION_COOKIE)) ?? fail('unauthorized')
    const now = clock.now()
    const { id, account, lastSeenAt } = (await findSession(database.db, hash, now)) ?? fail('unauthorized')
    if (now.getTime() - lastSeenAt.getTime() >= SEEN_INTERVAL_MS)
      await database.tx((tx) => touchSession(tx, account.id, id, now))
    return { principal: { kind: 'session', sessionId: id, account }, viaCookie: true }
  }

const isAllowed = {
  anyone: () => true,
  account: (principal) => principal.kind === 'session',
  owner: (principal) => principal.kind === 'session' && principal.account.role === 'owner',
} satisfies Record<Access, (principal: Principal) => boolean>

/** Refuses a caller that the matched route is not for. */
export const authorise = (principal: Principal, { access }: { access: Access }): void => {
  if (!isAllowed[access](principal)) fail('forbidden')
}

/** What request limits count by: all sessions of one account together. */
export const limitKeyOf = (principal: Principal): string =>
  principal.kind === 'session' ? `account ${principal.account.id}` : principal.kind

/** The session behind a route that declares `session`. */
export const sessionOf = ({ principal }: Ctx): SessionPrincipal =>
  principal.kind === 'session' ? principal : fail('unauthorized')

/** Opens a session for an account and gives the cookie that carries it. Each sign-in gets a new one. */
export const openSession = async (
  ctx: Pick<Ctx, 'sessionTokens' | 'config' | 'now'>,
  tx: Tx<Tables>,
  accountId: string,
  request: Pick<Incoming, 'ip' | 'userAgent'>,
): Promise<CookieOptions> => {
  const now = ctx.now()
  const { value, hash } = ctx.sessionTokens.issue()
  await deleteExpiredSessions(tx, accountId, now)
  await insertSession(tx, {
    account_id: accountId,
    id: newId(),
    token_hash: hash,
    ip: request.ip || null,
    user_agent: request.userAgent,
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + SESSION_SECONDS * 1000),
  })
  return sessionCookie(ctx, value, SESSION_SECONDS)
}

/** Ends the session that the request carries, if there is one, and gives the cookie that removes it. */
export const closeSession = async (ctx: Ctx, request: Pick<Incoming, 'cookie'>): Promise<CookieOptions> => {
  const hash = ctx.sessionTokens.read(request.cookie(SESSION_COOKIE))
  if (hash) await ctx.tx((tx) => deleteSessionByToken(tx, hash))
  return sessionCookie(ctx, '', 0)
}

const sessionCookie = (ctx: Pick<Ctx, 'config'>, value: string, maxAgeSeconds: number): CookieOptions => ({
  name: SESSION_COOKIE,
  value,
  maxAgeSeconds,
  secure: ctx.config.publicUrl.startsWith('https:'),
})
