import { createSecretKey, hash } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { Clock } from '@stoa/kit/clock.ts'
import { hashPassword, verifyPassword } from '@stoa/kit/crypto/password.ts'
import { subKey } from '@stoa/kit/crypto/seal.ts'
import { hashToken, hmacToken } from '@stoa/kit/crypto/tokens.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { type Cidr, limitKeyOf } from '@stoa/kit/http/client-address.ts'
import { openRateLimiter } from '@stoa/kit/http/rate-limit.ts'
import type { Log } from '@stoa/kit/log.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import type { CredentialScope, SignedInAddress, SignIn } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { countAttempt, forgiveAttempts, MAX_MAILBOX_ATTEMPTS, SIGN_IN_RATE } from '../sign-in-limit/sign-in-limit.ts'
import { looksLikeAppPassword } from './app-passwords.ts'
import {
  findAppPassword,
  findCredentials,
  insertLogin,
  replaceHash,
  type StoredCredentials,
  touchAppPassword,
  touchLogin,
} from './credentials-queries.ts'
import { createRememberedPasswords } from './remembered.ts'

export type CredentialAnswer =
  | ({ ok: true } & SignIn)
  | { ok: false; reason: 'wrong' }
  /** Too many wrong passwords came before; this one was not checked. */
  | { ok: false; reason: 'limited'; retryAfterSeconds: number }

export type Credentials = {
  /** Checks a mailbox password or an app password at one of the doors. */
  check(attempt: { email: string; password: string; scope: CredentialScope; ip: string }): Promise<CredentialAnswer>
  /** Checks an app password that comes without an address: JMAP's Bearer token. */
  checkToken(attempt: { token: string; scope: CredentialScope; ip: string }): Promise<CredentialAnswer>
}

declare module '../../context.ts' {
  interface Ports {
    readonly credentials: Credentials
  }
}

export type CredentialParts = {
  database: Database<Tables>
  secret: Secret
  clock: Clock
  log: Log
  /** Networks without the limit per IP address. */
  limitExempt?: readonly Cidr[]
}

/** Clients sign in for every connection: the activity of a mailbox shows one sign-in an hour, and so many failed ones. */
const LOGINS_SHOWN = { limit: 1, windowSeconds: 3_600 }
const FAILURES_SHOWN = { limit: 20, windowSeconds: 3_600 }
const USE_WRITTEN_MS = 60_000
const USES_WRITTEN = { limit: 1, windowSeconds: USE_WRITTEN_MS / 1000 }

const WRONG = { ok: false, reason: 'wrong' } as const

/** The one place that knows whether somebody may use a mailbox: all doors ask it. */
export const createCredentials = ({ database, secret, clock, log, limitExempt = [] }: CredentialParts): Credentials => {
  const { db, tx } = database
  const attemptKeys = createSecretKey(subKey(secret, 'mailbox sign-in'))
  const remembered = createRememberedPasswords()
  const rates = openRateLimiter(clock, 'mailbox sign-in')
  const exempt = blockListOf(limitExempt)

  const isLimited = async (ip: string): Promise<boolean> =>
    !isIn(exempt, ip) && (await rates.peek(`ip ${limitKeyOf(ip)}`, SIGN_IN_RATE)).headers['ratelimit-remaining'] === '0'
  const limitedUntil = (endsAt: Date): CredentialAnswer => {
    const seconds = Math.ceil((endsAt.getTime() - clock.now().getTime()) / 1000)
    return { ok: false, reason: 'limited', retryAfterSeconds: Math.max(1, seconds) }
  }

  const failed = async ({ ip, scope }: Attempt, address: StoredCredentials | undefined): Promise<CredentialAnswer> => {
    await rates.take(`ip ${limitKeyOf(ip)}`, SIGN_IN_RATE)
    log.warn({ addressId: address?.id, ip, scope }, 'mailbox sign-in refused')
    if (address && (await rates.take(`failed ${address.id}`, FAILURES_SHOWN)).allowed)
      await tx((tx) =>
        insertLogin(tx, { addressId: address.id, type: 'login_failed', ip, result: scope, now: clock.now() }),
      )
    return WRONG
  }

  const succeeded = async (
    { ip, scope }: Attempt,
    address: StoredCredentials,
    appPasswordId: string | null,
  ): Promise<CredentialAnswer> => {
    const now = clock.now()
    const isShown = (await rates.take(`login ${address.id} ${scope} ${ip}`, LOGINS_SHOWN)).allowed
    const isWritten = appPasswordId !== null && (await rates.take(`use ${appPasswordId}`, USES_WRITTEN)).allowed
    if (isShown || isWritten)
      await tx(async (tx) => {
        if (isShown) await insertLogin(tx, { addressId: address.id, type: 'login', ip, result: scope, now })
        if (isShown) await touchLogin(tx, address.id, now)
        const unlessSince = new Date(now.getTime() - USE_WRITTEN_MS)
        if (isWritten) await touchAppPassword(tx, { addressId: address.id, id: appPasswordId, ip, now, unlessSince })
      })
    return {
      ok: true,
      address: publicPart(address),
      scope,
      appPasswordId,
      passwordStamp: stampOf(address.passwordHash),
    }
  }

  const findByToken = async (token: string, scope: CredentialScope) =>
    looksLikeAppPassword(token)
      ? findAppPassword(db, { tokenHash: hashToken(token), scope, now: clock.now() })
      : undefined

  type Checked = { kind: 'right'; passwordHash: string } | { kind: 'wrong' } | { kind: 'limited'; endsAt: Date }
  /** A mail program opens many connections at once: as long as the same password is being looked at, it is one attempt. */
  const underWay = new Map<string, Promise<Checked>>()

  const verify = async (usable: StoredCredentials | undefined, password: string, key: Buffer): Promise<Checked> => {
    const { used, endsAt } = await tx((tx) => countAttempt(tx, { key, now: clock.now() }))
    if (used > MAX_MAILBOX_ATTEMPTS) return { kind: 'limited', endsAt }
    const { ok, rehash } = await verifyPassword(password, usable?.passwordHash ?? null)
    if (!ok || !usable) return { kind: 'wrong' }
    const passwordHash = rehash ? await hashPassword(password) : usable.passwordHash
    await tx(async (tx) => {
      await forgiveAttempts(tx, key)
      if (rehash) await replaceHash(tx, usable, passwordHash)
    })
    remembered.add(usable.id, password, { passwordHash, now: clock.now() })
    return { kind: 'right', passwordHash }
  }
  const verifyOnce = (usable: StoredCredentials | undefined, password: string, key: Buffer): Promise<Checked> => {
    const same = JSON.stringify([key.toString('base64'), usable?.id, usable?.passwordHash, password])
    const id = hmacToken(attemptKeys, same).toString('base64')
    const known = underWay.get(id)
    if (known) return known
    const checking = verify(usable, password, key).finally(() => underWay.delete(id))
    underWay.set(id, checking)
    return checking
  }

  const checkPassword = async (
    attempt: Attempt & { password: string },
    stored: StoredCredentials | undefined,
    key: Buffer,
  ): Promise<CredentialAnswer> => {
    const { password, scope } = attempt
    const usable = stored && (!stored.requireAppPassword || scope === 'webmail') ? stored : undefined
    const now = clock.now()
    if (usable && remembered.has(usable.id, password, { passwordHash: usable.passwordHash, now }))
      return succeeded(attempt, usable, null)
    const checked = await verifyOnce(usable, password, key)
    if (checked.kind === 'limited') return limitedUntil(checked.endsAt)
    if (checked.kind === 'wrong' || !usable) return failed(attempt, stored)
    return succeeded(attempt, { ...usable, passwordHash: checked.passwordHash }, null)
  }

  return {
    async check({ email, password, scope, ip }) {
      const attempt = { password, scope, ip: addressOf(ip) }
      const name = parseEmail(email) ?? ''
      const key = hmacToken(attemptKeys, JSON.stringify([limitKeyOf(attempt.ip), name]))
      if (await isLimited(attempt.ip)) return limitedUntil(clock.now())
      const { stored, attempts } = await findCredentials(db, { email: name, key, now: clock.now() })
      if (attempts && attempts.used >= MAX_MAILBOX_ATTEMPTS) return limitedUntil(attempts.endsAt)
      const byToken = await findByToken(password, scope)
      if (byToken?.address.email === name) return succeeded(attempt, byToken.address, byToken.id)
      return checkPassword(attempt, stored, key)
    },
    async checkToken({ token, scope, ip }) {
      const attempt = { scope, ip: addressOf(ip) }
      if (await isLimited(attempt.ip)) return limitedUntil(clock.now())
      const found = await findByToken(token, scope)
      return found ? succeeded(attempt, found.address, found.id) : failed(attempt, undefined)
    },
  }
}

type Attempt = { scope: CredentialScope; ip: string }

/** Changes with a password hash, and reveals nothing about it. */
export const stampOf = (passwordHash: string): string => hash('sha256', passwordHash, 'base64')

/** The IPv4 address that a socket of both families shows as `::ffff:192.0.2.1`. */
const addressOf = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '')

const blockListOf = (ranges: readonly Cidr[]): BlockList => {
  const list = new BlockList()
  for (const [network, bits] of ranges) list.addSubnet(network.toString(), bits, network.kind())
  return list
}

const isIn = (list: BlockList, ip: string): boolean => list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')

const publicPart = ({ id, accountId, domainId, email, name, sendEnabled }: StoredCredentials): SignedInAddress => ({
  id,
  accountId,
  domainId,
  email,
  name,
  sendEnabled,
})
