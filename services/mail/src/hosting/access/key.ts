import type { Clock } from '@stoa/kit/clock.ts'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import type { Database, Db, Tx } from '@stoa/kit/db/database.ts'
import type { Incoming } from '@stoa/kit/http/incoming.ts'
import { fail } from '../../errors.ts'
import type { Account, KeyPrincipal } from '../../principal.ts'
import type { ApiKeyTable } from '../../tables/keys.ts'
import type { Tables } from '../../tables.ts'
import { type AccountRow, toAccount } from './account.ts'
import { ACCOUNT_COLUMNS } from './queries.ts'

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

type FoundKey = {
  id: string
  permission: ApiKeyTable['permission']
  domainId: string | null
  lastUsedAt: Date | null
  isSuspended: boolean
  account: Account
}

type KeyRow = AccountRow & {
  key_id: string
  permission: ApiKeyTable['permission']
  domain_id: string | null
  last_used_at: Date | null
  suspended_at: Date | null
}

/** The key and its account's present state in one statement. A key of a deleted domain is none. */
const findKey = async (db: Db<Tables>, tokenHash: Buffer): Promise<FoundKey | undefined> => {
  const [row] = await db.query<KeyRow>({
    name: 'find-api-key',
    text: `select ${ACCOUNT_COLUMNS}, account.suspended_at, k.id as key_id, k.permission, k.domain_id, k.last_used_at
           from api_key k
           join account on account.id = k.account_id
           left join domain d on d.id = k.domain_id
           where k.token_hash = $1 and account.deleted_at is null and d.deleted_at is null`,
    values: [tokenHash],
  })
  return (
    row && {
      id: row.key_id,
      permission: row.permission,
      domainId: row.domain_id,
      lastUsedAt: row.last_used_at,
      isSuspended: row.suspended_at !== null,
      account: toAccount(row),
    }
  )
}

/** Never goes back, also when two requests of one moment arrive in the other order. */
const touchKey = async (tx: Tx<Tables>, accountId: string, id: string, now: Date): Promise<void> => {
  await tx
    .updateTable('api_key')
    .set({ last_used_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .execute()
}
