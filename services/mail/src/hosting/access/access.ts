import type { Clock } from '@stoa/kit/clock.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import type { Database, Tx } from '@stoa/kit/db/database.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { PUBLIC, type Route } from '@stoa/kit/http/route.ts'
import type { Authenticated } from '@stoa/kit/http/server.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import type { Ctx, TokenSigner } from '../../context.ts'
import { fail } from '../../errors.ts'
import {
  type Access,
  type CredentialKind,
  credentialKinds,
  type Principal,
  type SessionPrincipal,
} from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import type { Credentials } from '../addresses/addresses.ts'
import { readKey } from './key.ts'
import { failMailbox, readHeaderSignIn } from './mailbox.ts'
import { deleteExpiredSessions, deleteSessionByToken, findSession, insertSession, touchSession } from './queries.ts'
import { createTokenSigner } from './signed-token.ts'
import { readWebmailSession } from './webmail.ts'

export { toAccount } from './account.ts'
export { KEY_CHARACTERS, KEY_PREFIX } from './key.ts'
export { limitedError } from './mailbox.ts'
export { closeWebmailSession, createWebmailTokens, openWebmailSession, WEBMAIL_COOKIE } from './webmail.ts'

export const SESSION_COOKIE = 'mail_session'
/** Absolute: use does not lengthen it. */
const SESSION_SECONDS = 14 * 24 * 3600
const SEEN_INTERVAL_MS = 60_000

/** The tokens of panel sessions. A changed SECRET ends them all. */
export const createSessionTokens = (secret: Secret): TokenSigner =>
  createTokenSigner(subKey(secret, 'mail/panel-session'))

type Sessions = {
  database: Database<Tables>
  tokens: TokenSigner
  webmailTokens: TokenSigner
  credentials: Credentials
  clock: Clock
}

export type Authenticate = (
  request: Incoming,
  kinds: Route<Ctx, CredentialKind>['auth'],
) => Promise<Authenticated<Principal>>

/** Resolves a request to its principal, in its current state. Credentials that a route does not take do not exist for it. */
export const createAuthenticate = (parts: Sessions): Authenticate => {
  const { database, webmailTokens, credentials, clock } = parts
  const webmail = { db: database.db, tx: database.tx, webmailTokens, now: clock.now }
  const readers = {
    key: async (request) => {
      const found = await readKey(parts, request)
      return found && withoutCookie(found)
    },
    mailbox: async (request) => {
      const found = await readHeaderSignIn(request, credentials)
      return found && withoutCookie({ kind: 'mailbox', ...found, sessionId: null, expiresAt: null })
    },
    session: async (request) => {
      const found = await readSession(parts, request)
      return found && viaCookie({ kind: 'session', ...found })
    },
    webmail: async (request) => {
      const found = await readWebmailSession(webmail, request)
      if (!found) return null
      const { id, expiresAt, signIn } = found
      return viaCookie({ kind: 'mailbox', signIn, via: 'cookie', sessionId: id, expiresAt })
    },
  } satisfies Record<CredentialKind, (request: Incoming) => Promise<Authenticated<Principal> | null>>

  return async (request, kinds) => {
    if (kinds === PUBLIC) return withoutCookie({ kind: 'anonymous' })
    for (const kind of credentialKinds) {
      const found = kinds.includes(kind) ? await readers[kind](request) : null
      if (found) return found
    }
    if (kinds.includes('key')) return fail('missing_api_key')
    return kinds.includes('mailbox') ? failMailbox(request) : fail('unauthorized')
  }
}

const withoutCookie = (principal: Principal): Authenticated<Principal> => ({ principal, viaCookie: false })
const viaCookie = (principal: Principal): Authenticated<Principal> => ({ principal, viaCookie: true })

const readSession = async (
  { database, tokens, clock }: Sessions,
  request: Incoming,
): Promise<Omit<SessionPrincipal, 'kind'> | null> => {
  const hash = tokens.read(request.cookie(SESSION_COOKIE))
  const now = clock.now()
  const found = hash && (await findSession(database.db, hash, now))
  if (!found) return null
  const { id, account, lastSeenAt } = found
  if (now.getTime() - lastSeenAt.getTime() >= SEEN_INTERVAL_MS)
    await database.tx((tx) => touchSession(tx, account.id, id, now))
  return { sessionId: id, account }
}

const isAllowed = {
  anyone: () => true,
  account: (principal) => principal.kind === 'session',
  owner: (principal) => principal.kind === 'session' && principal.account.role === 'owner',
  mailbox: (principal) => principal.kind === 'mailbox',
  sending: (principal) => principal.kind === 'key',
  sent: (principal) => principal.kind === 'session' || hasFullAccess(principal),
} satisfies Record<Access, (principal: Principal) => boolean>

const hasFullAccess = (principal: Principal): boolean =>
  principal.kind === 'key' && principal.key.permission === 'full_access'

/** Refuses a caller that the matched route is not for. */
export const authorise = (principal: Principal, { access }: { access: Access }): void => {
  if (isAllowed[access](principal)) return
  fail(principal.kind === 'key' ? 'restricted_api_key' : 'forbidden')
}

/**
 * What request limits count by: all sessions of one account together, each key, all browsers of one mailbox. Mail programs are
 * limited by what they do at the same time instead: a synchronization is many requests in a row.
 */
export const limitKeyOf = (principal: Principal): string | null => {
  if (principal.kind === 'session') return `account ${principal.account.id}`
  if (principal.kind === 'key') return `key ${principal.key.id}`
  if (principal.kind === 'anonymous') return principal.kind
  return principal.via === 'cookie' ? `mailbox ${principal.signIn.address.id}` : null
}

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
