import type { Clock } from '@stoa/kit/clock.ts'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { fail } from '../../errors.ts'
import type { KeyPrincipal } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { findKey, touchKey } from './key-queries.ts'

export const KEY_PREFIX = 'mk_'
/** 256 bits: a plain hash may keep it. */
export const KEY_CHARACTERS = 43

const BEARER = /^bearer +(mk_[0-9A-Za-z]{43}) *$/i
const USED_INTERVAL_MS = 60_000

type Keys = { database: Database<Tables>; clock: Clock }

/** The key in the Authorization header; null when there is no such header. Whatever else it holds is refused. */
export const readKey = async ({ database, clock }: Keys, request: Incoming): Promise<KeyPrincipal | null> => {
  const header = request.header('authorization')
  if (header === undefined) return null
  const token = BEARER.exec(header)?.[1]
  const found = token === undefined ? undefined : await findKey(database.db, hashToken(token))
  if (!found) return fail('invalid_api_key')
  if (found.isSuspended) fail('suspended_api_key')
  const { id, permission, domainId, lastUsedAt, account } = found
  const now = clock.now()
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USED_INTERVAL_MS)
    await database.tx((tx) => touchKey(tx, account.id, id, now))
  return { kind: 'key', account, key: { id, permission, domainId } }
}
