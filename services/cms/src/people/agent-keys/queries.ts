import type { Page } from '@stoa/cms-model/lists.ts'
import type { CmsDb, CmsTx } from '../../context.ts'

export type AgentKeyRecord = {
  id: string
  account: { id: string; name: string }
  name: string
  last4: string
  grants: string[]
  version: number
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  /** When it was revoked or its account deactivated, whichever came first. */
  revokedAt: Date | null
}

export type NewAgentKey = {
  id: string
  accountId: string
  name: string
  keyHash: Buffer
  last4: string
  grants: readonly string[]
  createdAt: Date
  expiresAt: Date
}

export const insertAgentKey = async (tx: CmsTx, key: NewAgentKey): Promise<void> => {
  await tx
    .insertInto('agent_key')
    .values({
      id: key.id,
      account_id: key.accountId,
      name: key.name,
      key_hash: key.keyHash,
      last4: key.last4,
      grants: [...key.grants],
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
}

/** `accountId` null: of any account. */
export type Reach = { accountId: string | null }

export const findAgentKey = async (db: CmsDb, id: string, { accountId }: Reach): Promise<AgentKeyRecord | null> => {
  const row = await keysWithin(db, accountId).where('agent_key.id', '=', id).select(columns).executeTakeFirst()
  return row ? toRecord(row) : null
}

/** The newest first. */
export const listAgentKeys = async (
  db: CmsDb,
  { accountId, page, limit }: Page & Reach,
): Promise<{ keys: AgentKeyRecord[]; total: number }> => {
  const { count } = await keysWithin(db, accountId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await keysWithin(db, accountId)
    .select(columns)
    .orderBy('agent_key.created_at', 'desc')
    .orderBy('agent_key.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { keys: rows.map(toRecord), total: count }
}

/** The ids of all keys that the account ever had. */
export const listAgentKeyIds = async (db: CmsDb, accountId: string): Promise<string[]> => {
  const rows = await db.selectFrom('agent_key').select('id').where('account_id', '=', accountId).execute()
  return rows.map(({ id }) => id)
}

/** False when it had been revoked before. */
export const updateRevoked = async (tx: CmsTx, id: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('agent_key')
    .set((set) => ({ revoked_at: now, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const columns = [
  'agent_key.id',
  'agent_key.name',
  'agent_key.last4',
  'agent_key.grants',
  'agent_key.version',
  'agent_key.created_at',
  'agent_key.expires_at',
  'agent_key.last_used_at',
  'agent_key.revoked_at',
  'account.id as account_id',
  'account.name as account_name',
  'account.deactivated_at',
] as const

type Row = {
  id: string
  name: string
  last4: string
  grants: string[]
  version: number
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
  account_id: string
  account_name: string
  deactivated_at: Date | null
}

const keysWithin = (db: CmsDb, accountId: string | null) => {
  const all = db.selectFrom('agent_key').innerJoin('account', 'account.id', 'agent_key.account_id')
  return accountId === null ? all : all.where('agent_key.account_id', '=', accountId)
}

const toRecord = (row: Row): AgentKeyRecord => ({
  id: row.id,
  account: { id: row.account_id, name: row.account_name },
  name: row.name,
  last4: row.last4,
  grants: row.grants,
  version: row.version,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at ?? row.deactivated_at,
})
