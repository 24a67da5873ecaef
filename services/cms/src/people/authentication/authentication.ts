import { hashToken, hmacToken } from '@stoa/kit/crypto/tokens.ts'
import { isForeignRead } from '@stoa/kit/http/csrf.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { type MaybePromise, PUBLIC } from '@stoa/kit/http/route.ts'
import type { Authenticated } from '@stoa/kit/http/server.ts'
import type { Ctx, Services } from '../../context.ts'
import { expiryOf, kindOfToken, SESSION_COOKIE, TOUCH_INTERVAL_MS } from '../../credentials.ts'
import { error, fail } from '../../errors.ts'
import { ANONYMOUS, type Principal, type SessionPrincipal } from '../../principal.ts'
import type { CredentialKind, Route } from '../access/access.ts'
import { createKeyAuthenticator, type KeyRate } from '../delivery-keys/delivery-keys.ts'
import {
  type FoundSession,
  findAgentKey,
  findSession,
  findSessionById,
  touchAgentKey,
  touchSession,
} from './queries.ts'

type Presented = { token: string; viaCookie: boolean }

/**
 * Turns a request's credential into a principal. Sessions and agent keys are read again every time, with their account;
 * delivery keys are held in memory for as long as changes of them would arrive.
 */
export const createAuthenticator = (services: Services, keyRate: KeyRate) => {
  const byDeliveryKey = createKeyAuthenticator(services, keyRate)
  const byToken = createTokenAuthenticator(services)
  return (request: Incoming, kinds: Route['auth']): MaybePromise<Authenticated<Principal>> => {
    if (kinds === PUBLIC) return NOBODY
    return kinds.includes('delivery') ? byDeliveryKey(request) : byToken(request, kinds)
  }
}

const NOBODY: Authenticated<Principal> = Object.freeze({ principal: ANONYMOUS, viaCookie: false })

/** The admin API: sessions and agent keys. */
const createTokenAuthenticator =
  (services: Services) =>
  async (request: Incoming, kinds: readonly CredentialKind[]): Promise<Authenticated<Principal>> => {
    const { token, viaCookie } = presented(request, new URL(services.config.publicUrl).origin)
    // Distinguished by prefix, before anything is looked up.
    const kind = kindOfToken(token)
    switch (kind) {
      case 'session':
        return { principal: await resolveSession(services, token), viaCookie }
      case 'agent': {
        // Programs have no cookies: a browser that was given one must not carry a key around.
        if (viaCookie) return fail('WRONG_CREDENTIAL_KIND')
        const principal = await resolveAgentKey(services, token)
        return kinds.includes('agent') ? { principal, viaCookie } : fail('AGENT_NOT_ALLOWED')
      }
      case 'delivery':
        return fail('WRONG_CREDENTIAL_KIND')
      case null:
        return fail('INVALID_TOKEN')
    }
  }

/** A bearer token beats the cookie, also when it is not valid: what was sent on purpose is what counts. */
const presented = (request: Incoming, publicOrigin: string): Presented => {
  const authorization = request.header('authorization')
  if (authorization !== undefined) {
    const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(authorization) ?? []
    return { token: token ?? fail('INVALID_TOKEN'), viaCookie: false }
  }
  const cookie = isForeignSafeRead(request, publicOrigin) ? undefined : request.cookie(SESSION_COOKIE)
  if (cookie) return { token: cookie, viaCookie: true }
  throw error(request.header('x-api-key') === undefined ? 'AUTH_REQUIRED' : 'WRONG_CREDENTIAL_KIND')
}

/** A foreign write keeps its cookie here, so that it is refused as what it is: CSRF. */
const isForeignSafeRead = (request: Incoming, publicOrigin: string): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && isForeignRead(request, publicOrigin)

const resolveSession = async ({ database, sessionKey, clock }: Services, token: string): Promise<Principal> => {
  const found = (await findSession(database.db, hmacToken(sessionKey, token))) ?? fail('INVALID_TOKEN')
  const now = clock.now()
  refuseEnded(found, now)
  if (now.getTime() - found.lastSeenAt.getTime() >= TOUCH_INTERVAL_MS)
    await database.tx((tx) =>
      touchSession(tx, found.id, { lastSeenAt: now, expiresAt: expiryOf(found.createdAt, now) }),
    )
  return { kind: 'session', sessionId: found.id, account: found.account }
}

/**
 * The person of a session as they are now, for work that outlives the request it began with: refuses as a request would
 * when the session was ended, has expired, or its account was deactivated.
 */
export const readSession = async (
  { db, now }: Pick<Ctx, 'db' | 'now'>,
  { sessionId }: Pick<SessionPrincipal, 'sessionId'>,
): Promise<SessionPrincipal> => {
  const found = (await findSessionById(db, sessionId)) ?? fail('INVALID_TOKEN')
  refuseEnded(found, now())
  return { kind: 'session', sessionId, account: found.account }
}

const refuseEnded = ({ isRevoked, expiresAt }: Pick<FoundSession, 'isRevoked' | 'expiresAt'>, now: Date): void => {
  if (isRevoked) fail('TOKEN_REVOKED')
  if (expiresAt <= now) fail('TOKEN_EXPIRED')
}

const resolveAgentKey = async ({ database, clock }: Services, token: string): Promise<Principal> => {
  const found = (await findAgentKey(database.db, hashToken(token))) ?? fail('INVALID_TOKEN')
  const now = clock.now()
  if (found.isRevoked) fail('TOKEN_REVOKED')
  if (found.expiresAt <= now) fail('TOKEN_EXPIRED')
  const before = new Date(now.getTime() - TOUCH_INTERVAL_MS)
  if (found.lastUsedAt === null || found.lastUsedAt <= before)
    await database.tx((tx) => touchAgentKey(tx, found.id, { now, before }))
  return { kind: 'agent', keyId: found.id, keyName: found.name, grants: found.grants, account: found.account }
}
