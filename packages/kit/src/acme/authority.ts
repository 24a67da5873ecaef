import { createHash, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { certificateRequest, newPrivateKey } from '../crypto/certificate-request.ts'
import { type CertificatePair, problemOf } from '../tls/pair.ts'
import { type ConversationOptions, createConversation, type ParsedResponse } from './conversation.ts'
import { AuthorityError } from './errors.ts'
import type { AccountKey } from './signed.ts'

export type ChallengeType = 'http-01' | 'dns-01'

/** What the authority will look for, and where: a path below `/.well-known/acme-challenge/`, or a TXT record. */
export type Challenge = { type: 'http-01'; token: string; answer: string } | { type: 'dns-01'; answer: string }

export type AuthorityOptions = ConversationOptions & {
  /** Whom the authority may write to. */
  email: string | null
  /** The polling interval, unless the authority says one. */
  pollMs?: number
}

export type OrderOptions = {
  challenge: ChallengeType
  /** Puts the answer where the authority looks for it; gives what takes it away again. */
  answer(challenge: Challenge): Promise<() => Promise<void>>
  signal: AbortSignal
}

/** A certificate authority that speaks ACME (RFC 8555). What fails throws `AuthorityError`. */
export type Authority = {
  /** Fails when it cannot be asked at all at this moment. */
  reach(signal: AbortSignal): Promise<void>
  /** Makes the account, or finds it by its key; gives its URL. */
  register(signal: AbortSignal): Promise<string>
  /** A certificate for one name, with a key of its own. */
  order(name: string, options: OrderOptions): Promise<CertificatePair>
}

const POLL_MS = 2_000
/** An authority that asks for more patience than this gets it with the next attempt. */
const LONGEST_POLL_MS = 20_000

const ORDER_STATUS = z.enum(['pending', 'ready', 'processing', 'valid', 'invalid'])
const problem = z.object({ detail: z.string().optional() }).nullish().catch(null)
const orderShape = z.object({
  status: ORDER_STATUS,
  authorizations: z.array(z.url()).max(10),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: problem,
})
const authorizationShape = z.object({
  status: z.enum(['pending', 'valid', 'invalid', 'deactivated', 'expired', 'revoked']),
  challenges: z.array(
    // RFC 8555 §8.3: 128 bits at least, in base64url.
    z.object({
      type: z.string(),
      url: z.url(),
      token: z
        .string()
        .regex(/^[\w-]{20,256}$/)
        .optional(),
      error: problem,
    }),
  ),
})

export const openAuthority = (options: AuthorityOptions): Authority => {
  const { key, pollMs = POLL_MS } = options
  const { ask, post, directory, readDirectory } = createConversation(options)

  /** Asks until it is done. */
  const poll = async <T>(
    read: () => Promise<ParsedResponse<T>>,
    isDone: (value: T) => boolean,
    signal: AbortSignal,
  ): Promise<T> => {
    for (;;) {
      const { value, retryAt } = await read()
      if (isDone(value)) return value
      const wait = retryAt === null ? pollMs : retryAt.getTime() - options.now().getTime()
      await sleep(Math.min(Math.max(wait, pollMs), LONGEST_POLL_MS), undefined, { signal })
    }
  }
  const authorise = async (url: string, { challenge: type, answer, signal }: OrderOptions): Promise<void> => {
    const read = () => ask(authorizationShape, url, null, signal)
    const { value } = await read()
    if (value.status === 'valid') return
    const challenge = value.challenges.find((offered) => offered.type === type)
    if (!challenge?.token)
      throw new AuthorityError('refused', `The certificate authority doesn't offer ${type} for this name.`)
    const withdraw = await answer(toChallenge(type, challenge.token, key))
    try {
      await post(challenge.url, {}, signal)
      const checked = await poll(read, ({ status }) => status !== 'pending', signal)
      if (checked.status === 'valid') return
      const reasons = checked.challenges.flatMap(({ error }) => error?.detail ?? [])
      throw new AuthorityError(
        'refused',
        reasons[0] ?? `The certificate authority returned the status "${checked.status}".`,
      )
    } finally {
      await withdraw()
    }
  }

  return {
    async reach(signal) {
      await readDirectory(signal)
    },
    async register(signal) {
      const contact = options.email === null ? {} : { contact: [`mailto:${options.email}`] }
      const { newAccount } = await directory(signal)
      const { headers } = await post(newAccount, { termsOfServiceAgreed: true, ...contact }, signal, { isNew: true })
      const url = headers.get('location')
      if (!url) throw new AuthorityError('unavailable', "The certificate authority didn't return an account.")
      return url
    },
    async order(name, order) {
      const { signal } = order
      const { newOrder } = await directory(signal)
      const made = await ask(orderShape, newOrder, { identifiers: [{ type: 'dns', value: name }] }, signal)
      const url = made.headers.get('location')
      if (!url) throw new AuthorityError('unavailable', "The certificate authority didn't return an order.")
      for (const authorization of made.value.authorizations) await authorise(authorization, order)
      const privateKey = newPrivateKey()
      const read = () => ask(orderShape, url, null, signal)
      await poll(read, ({ status }) => status !== 'pending', signal)
      await post(made.value.finalize, { csr: certificateRequest(privateKey, name).toString('base64url') }, signal)
      const done = await poll(read, ({ status }) => status === 'valid' || status === 'invalid', signal)
      if (done.certificate === undefined)
        throw new AuthorityError(
          'refused',
          done.error?.detail ?? "The certificate authority didn't issue a certificate.",
        )
      const { text } = await post(done.certificate, null, signal)
      return checkedPair(name, { key: privateKey, cert: text })
    },
  }
}

const toChallenge = (type: ChallengeType, token: string, key: AccountKey): Challenge => {
  const answer = key.authorisationOf(token)
  if (type === 'http-01') return { type, token, answer }
  // RFC 8555 §8.4
  return { type, answer: createHash('sha256').update(answer).digest('base64url') }
}

/** Refuses a certificate that could not be served. */
const checkedPair = (name: string, pair: CertificatePair): CertificatePair => {
  const found = problemOf(pair) ?? (new X509Certificate(pair.cert).checkHost(name) ? null : 'it is for another name')
  if (found === null) return pair
  throw new AuthorityError('unavailable', `The certificate authority sent an unusable certificate: ${found}`)
}
