import type { LoginInput } from '@stoa/cms-model/accounts.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import { hashPassword, verifyPassword } from '@stoa/kit/crypto/password.ts'
import { hmacToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import type { CookieOptions } from '@stoa/kit/http/cookies.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { ABSOLUTE_MS, expiryOf, kindOfToken, prefixes, SESSION_COOKIE } from '../../credentials.ts'
import { fail } from '../../errors.ts'
import { type Account, sessionOf } from '../../principal.ts'
import { type Guess, limitCodes, limitGuesses } from '../sign-in-limit/sign-in-limit.ts'
import { spendCode } from '../two-factor/two-factor.ts'
import {
  deleteSessionsEndedBefore,
  findAccountByEmail,
  insertSession,
  type LiveSession,
  listLiveSessions,
  lockAccount,
  replacePasswordHash,
  revokeOtherSessions,
  revokeSession,
  revokeSessionByToken,
} from './queries.ts'
import { announceSessionEnd } from './record.ts'

export type OpenedSession = { sessionId: string; token: string; expiresAt: Date; account: Account }

/** Signs in with address and password. An unknown address costs as much and answers the same as a wrong password. */
export const signIn = async (ctx: Ctx, input: LoginInput, request: Incoming): Promise<OpenedSession> => {
  const guesser = { limitKey: request.limitKey, email: input.email }
  const guess = await limitGuesses(ctx, guesser, () => tryToEnter(ctx, input, request))
  if (!guess.isRight) {
    ctx.log.warn({ ip: request.ip, requestId: request.id, reason: guess.code }, 'sign-in refused')
    return fail(guess.code)
  }
  const { account } = guess.value
  ctx.log.info({ accountId: account.id, ip: request.ip, requestId: request.id }, 'signed in')
  return guess.value
}

/** Makes a new session; one that this browser still held ends, because its cookie is replaced. */
export const openSession = async (ctx: Ctx, tx: CmsTx, account: Account, request: Incoming): Promise<OpenedSession> => {
  const now = ctx.now()
  const replaced = request.cookie(SESSION_COOKIE)
  if (replaced && kindOfToken(replaced) === 'session') await endReplaced(tx, hmacToken(ctx.sessionKey, replaced), now)
  await deleteSessionsEndedBefore(tx, new Date(now.getTime() - ABSOLUTE_MS))
  const token = newToken(prefixes.session)
  const expiresAt = expiryOf(now, now)
  const sessionId = newId()
  await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    tokenHash: hmacToken(ctx.sessionKey, token),
    ip: request.ip,
    userAgent: request.userAgent,
    createdAt: now,
    expiresAt,
  })
  return { sessionId, token, expiresAt, account }
}

const tryToEnter = async (ctx: Ctx, input: LoginInput, request: Incoming): Promise<Guess<OpenedSession>> => {
  const proven = await provePassword(ctx, input.email, input.password)
  if (!proven) return { isRight: false, code: 'INVALID_CREDENTIALS' }
  const stronger = proven.rehash ? await hashPassword(input.password) : null
  const attempt = () => enter(ctx, { ...proven, stronger, code: input.code }, request)
  if (!proven.account.hasTotp) return attempt()
  // Thrown: the password alone is neither a failure nor a success that would clear the ones before.
  return input.code === undefined
    ? fail('TOTP_REQUIRED')
    : limitCodes(ctx, { accountId: proven.account.id, purpose: 'sign-in' }, attempt)
}

type Entry = { account: Account; passwordHash: string; stronger: string | null; code: string | undefined }

/** The second factor and the session in one transaction: a code that is sent twice at once opens one session. */
const enter = (ctx: Ctx, entry: Entry, request: Incoming): Promise<Guess<OpenedSession>> =>
  ctx.tx(async (tx) => {
    const locked = await lockAccount(tx, entry.account.id)
    // Changed or deactivated while we were computing: then this password is no longer the right one.
    if (locked?.passwordHash !== entry.passwordHash) return fail('INVALID_CREDENTIALS')
    const { passwordHash: _, ...account } = locked
    if (account.hasTotp) {
      // Also when it was switched on a moment ago: no sign-in skips the step.
      if (entry.code === undefined || !entry.account.hasTotp) return fail('TOTP_REQUIRED')
      if (!(await spendCode(ctx, tx, account.id, entry.code))) return { isRight: false, code: 'TOTP_INVALID' }
    }
    if (entry.stronger !== null) await replacePasswordHash(tx, account.id, entry.stronger)
    return { isRight: true, value: await openSession(ctx, tx, account, request) }
  })

export const signOut = async (ctx: Ctx): Promise<void> => {
  const { sessionId, account } = sessionOf(ctx)
  await ctx.tx((tx) => end(tx, { id: sessionId, accountId: account.id, now: ctx.now() }))
  ctx.log.info({ accountId: account.id }, 'signed out')
}

export const listSessions = async (ctx: Ctx, { page, limit }: Page): Promise<List<LiveSession>> => {
  const { account } = sessionOf(ctx)
  const { sessions, total } = await listLiveSessions(ctx.db, { accountId: account.id, now: ctx.now(), page, limit })
  return toList(sessions, total, { page, limit })
}

/** Ends one of one's own sessions; anybody else's is not found. */
export const endSession = async (ctx: Ctx, id: string): Promise<void> => {
  const { account } = sessionOf(ctx)
  const ended = await ctx.tx((tx) => end(tx, { id, accountId: account.id, now: ctx.now() }))
  if (!ended) fail('NOT_FOUND')
}

const end = async (tx: CmsTx, session: { id: string; accountId: string; now: Date }): Promise<boolean> => {
  const ended = await revokeSession(tx, session)
  if (ended) announceSessionEnd(tx, session.id)
  return ended
}

const endReplaced = async (tx: CmsTx, tokenHash: Buffer, now: Date): Promise<void> => {
  const id = await revokeSessionByToken(tx, tokenHash, now)
  if (id !== null) announceSessionEnd(tx, id)
}

/** Ends all of one's own sessions but this one. */
export const endOtherSessions = (ctx: Ctx, tx: CmsTx): Promise<void> => {
  const { account, sessionId } = sessionOf(ctx)
  return revokeOtherSessions(tx, { accountId: account.id, keptId: sessionId, now: ctx.now() })
}

/** The account whose password this is, with the hash that it was checked against. */
export const provePassword = async (
  ctx: Ctx,
  email: string,
  password: string,
): Promise<{ account: Account; passwordHash: string; rehash: boolean } | undefined> => {
  const found = await findAccountByEmail(ctx.db, email)
  const { ok, rehash } = await verifyPassword(password, found?.passwordHash ?? null)
  if (!ok || !found) return undefined
  const { passwordHash, ...account } = found
  return { account, passwordHash, rehash }
}

/** Lives as long as a session can; the row decides when it really ends. */
export const sessionCookie = (ctx: Ctx, token: string): CookieOptions => ({
  name: SESSION_COOKIE,
  value: token,
  maxAgeSeconds: ABSOLUTE_MS / 1000,
  secure: ctx.config.publicUrl.startsWith('https:'),
})

export const removedSessionCookie = (ctx: Ctx): CookieOptions => ({ ...sessionCookie(ctx, ''), maxAgeSeconds: 0 })
