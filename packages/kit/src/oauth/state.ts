import { createHash } from 'node:crypto'
import { SealError, type Sealer } from '../crypto/seal.ts'
import { hashToken, newToken, timingSafeEqualText } from '../crypto/tokens.ts'
import type { Tx } from '../db/database.ts'
import { Secret } from '../secret.ts'

/** Small and JSON: which network, which app, where to go back to. */
export type OAuthPayload = Record<string, unknown>

export type NewOAuthState = {
  /** Which part of the service begins: a state of one is worth nothing to another. */
  purpose: string
  /** The session that starts the flow, or the account where the callback carries no session. */
  subject: string
  payload: OAuthPayload
  /** Some services know no PKCE and refuse what they do not know. */
  withPkce: boolean
  now: Date
  lifetimeMs?: number
}

/** `codeChallenge` goes with `code_challenge_method=S256` (RFC 7636 §4.3). */
export type IssuedOAuthState = { state: string; codeChallenge: string | null; expiresAt: Date }

/** What a service gets back with its own state; `codeVerifier` goes into the token request. */
export type ConsumedOAuthState = { payload: OAuthPayload; codeVerifier: Secret | null }

/** Begins a sign-in elsewhere. The state is known to the browser only; the table holds its hash. */
export const issueOAuthState = async <T>(
  tx: Tx<T>,
  sealer: Pick<Sealer, 'seal'>,
  input: NewOAuthState,
): Promise<IssuedOAuthState> => {
  const { purpose, subject, payload, now } = input
  const state = newToken()
  const verifier = input.withPkce ? newToken() : null
  const plain = JSON.stringify({ verifier, payload })
  if (Buffer.byteLength(plain) > MAX_PAYLOAD_BYTES) throw new TypeError('The payload of an OAuth state is too large')
  const hash = hashToken(state)
  const expiresAt = new Date(now.getTime() + (input.lifetimeMs ?? LIFETIME_MS))
  await tx.query({
    text: `insert into oauth_state (state_hash, purpose, subject, sealed, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [hash, purpose, subject, sealer.seal(plain, hash.toString('hex')), now, expiresAt],
  })
  return { state, codeChallenge: verifier === null ? null : codeChallengeOf(verifier), expiresAt }
}

/**
 * Takes a state that came back, once: of several at the same time, one gets it. Null for every other, whether it is
 * unknown, used, expired, of somebody else or of another purpose; a state that was shown to the wrong one is gone too.
 * Commit before the code is exchanged, so that a repeated call cannot use it again.
 */
export const consumeOAuthState = async <T>(
  tx: Tx<T>,
  sealer: Pick<Sealer, 'open'>,
  input: { state: string; purpose: string; subject: string; now: Date },
): Promise<ConsumedOAuthState | null> => {
  const hash = hashToken(input.state)
  const [row] = await tx.query<{ purpose: string; subject: string; sealed: string; expires_at: Date }>({
    text: 'delete from oauth_state where state_hash = $1 returning purpose, subject, sealed, expires_at',
    values: [hash],
  })
  if (row === undefined || row.expires_at <= input.now || row.purpose !== input.purpose) return null
  if (!timingSafeEqualText(row.subject, input.subject)) return null
  const plain = open(sealer, row.sealed, hash.toString('hex'))
  if (plain === null) return null
  const { verifier, payload }: { verifier: string | null; payload: OAuthPayload } = JSON.parse(plain)
  return { payload, codeVerifier: verifier === null ? null : new Secret(verifier) }
}

/** Deletes states that nobody came back with, a batch at a time. */
export const pruneOAuthStates = async <T>(tx: Tx<T>, now: Date, batch = PRUNE_BATCH): Promise<{ hasMore: boolean }> => {
  const rows = await tx.query({
    text: `delete from oauth_state where state_hash = any (array(
             select state_hash from oauth_state where expires_at <= $1 order by expires_at limit $2 for update skip locked
           )) returning 1`,
    values: [now, batch],
  })
  return { hasMore: rows.length >= batch }
}

/** RFC 7636 §4.2, method S256. */
export const codeChallengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

const LIFETIME_MS = 10 * 60_000
const MAX_PAYLOAD_BYTES = 4_096
const PRUNE_BATCH = 1_000

/** Null after the operator replaced the key that sealed it: the sign-in is begun again. */
const open = (sealer: Pick<Sealer, 'open'>, sealed: string, context: string): string | null => {
  try {
    return sealer.open(sealed, context).reveal()
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
