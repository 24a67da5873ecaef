import { z } from 'zod'
import type { CmsDb, CmsTx } from '../../context.ts'
import type { Capabilities, Endpoints, FoundAccount } from '../networks/networks.ts'

/** An account as it is stored, with its tokens sealed. */
export type AccountRow = {
  id: string
  network: string
  remoteId: string
  name: string
  handle: string | null
  avatarUrl: string | null
  profileUrl: string | null
  kind: FoundAccount['kind']
  endpoints: Endpoints
  clientId: string
  accessSealed: string | null
  refreshSealed: string | null
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  tokensAt: Date
  scopes: string[]
  missingScopes: string[]
  capabilities: Capabilities
  capabilitiesAt: Date | null
  status: 'active' | 'needs_reconnect' | 'disconnected'
  statusReason: string | null
  statusSince: Date
  pausedUntil: Date | null
  connectedAt: Date
  lastUsedAt: Date | null
  version: number
  updatedAt: Date
}

/** The key of an account whose row has not been read yet. */
export type AccountKey = Pick<AccountRow, 'id' | 'network'>

const endpointsShape = z.object({
  authorizeUrl: z.string(),
  tokenUrl: z.string(),
  apiBase: z.string(),
  uploadBase: z.string(),
  apiVersion: z.string(),
  scopes: z.array(z.string()),
})

type Row = Awaited<ReturnType<typeof selectRows>>[number]
const selectRows = (db: CmsDb) => db.selectFrom('social_account').selectAll().execute()

const toAccount = (row: Row): AccountRow => ({
  id: row.id,
  network: row.network,
  remoteId: row.remote_id,
  name: row.name,
  handle: row.handle,
  avatarUrl: row.avatar_url,
  profileUrl: row.profile_url,
  kind: row.kind,
  endpoints: endpointsShape.parse(row.endpoints),
  clientId: row.client_id,
  accessSealed: row.access_token_sealed,
  refreshSealed: row.refresh_token_sealed,
  accessExpiresAt: row.access_expires_at,
  refreshExpiresAt: row.refresh_expires_at,
  tokensAt: row.tokens_at,
  scopes: row.scopes,
  missingScopes: row.missing_scopes,
  // Written by this service only, from what networks said.
  capabilities: row.capabilities as Capabilities,
  capabilitiesAt: row.capabilities_at,
  status: row.status,
  statusReason: row.status_reason,
  statusSince: row.status_since,
  pausedUntil: row.paused_until,
  connectedAt: row.connected_at,
  lastUsedAt: row.last_used_at,
  version: row.version,
  updatedAt: row.updated_at,
})

/** All that are connected, or were until they stopped working. */
export const listLiveAccounts = async (db: CmsDb): Promise<AccountRow[]> => {
  const rows = await db
    .selectFrom('social_account')
    .selectAll()
    .where('status', '<>', 'disconnected')
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(toAccount)
}

export const findAccounts = async (db: CmsDb, ids: readonly string[]): Promise<AccountRow[]> => {
  const rows = await db
    .selectFrom('social_account')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(toAccount)
}

export const findAccount = async (db: CmsDb, id: string): Promise<AccountRow | null> =>
  (await findAccounts(db, [id]))[0] ?? null

/** The account, which nobody else changes before the transaction ends. */
export const lockAccount = async (tx: CmsTx, id: string): Promise<AccountRow | null> => {
  const row = await tx.selectFrom('social_account').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toAccount(row) : null
}

/** The longest time of a renewal, plus some for the transactions that wait for it. */
const RENEWAL_TIMEOUT_MS = 20_000

/** `lockAccount` with longer timeouts, for a transaction that waits for a network, or for another one that does. */
export const lockAccountPatiently = async (tx: CmsTx, id: string): Promise<AccountRow | null> => {
  await tx.query({
    text: `select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
    values: [`${RENEWAL_TIMEOUT_MS}ms`],
  })
  const statement = {
    text: 'select id from social_account where id = $1 for update',
    values: [id],
    query_timeout: RENEWAL_TIMEOUT_MS + 1_000,
  }
  await tx.query(statement)
  return findAccount(tx, id)
}

export type SealedTokens = {
  accessSealed: string
  /** Null keeps what is stored. */
  refreshSealed: string | null
  accessExpiresAt: Date | null
  refreshExpiresAt: Date | null
  scopes: readonly string[]
}

const tokenColumns = (tokens: SealedTokens, at: Date) => ({
  access_token_sealed: tokens.accessSealed,
  access_expires_at: tokens.accessExpiresAt,
  tokens_at: at,
  ...(tokens.refreshSealed !== null && {
    refresh_token_sealed: tokens.refreshSealed,
    refresh_expires_at: tokens.refreshExpiresAt,
  }),
})

/** New tokens of an account that stays as it is. */
export const saveTokens = async (tx: CmsTx, id: string, tokens: SealedTokens, at: Date): Promise<void> => {
  await tx
    .updateTable('social_account')
    .set({ ...tokenColumns(tokens, at), status_reason: null, updated_at: at })
    .where('id', '=', id)
    .execute()
}

export type Connection = {
  network: string
  found: FoundAccount
  endpoints: Endpoints
  clientId: string
  missingScopes: readonly string[]
  by: string
  at: Date
}

/** The id of the account, new or known, which nobody else changes before the transaction ends. It has no tokens yet. */
export const ensureAccount = async (
  tx: CmsTx,
  id: string,
  { network, found, endpoints, clientId, by, at }: Connection,
): Promise<AccountRow> => {
  await tx
    .insertInto('social_account')
    .values({
      id,
      network,
      remote_id: found.remoteId,
      name: found.name,
      kind: found.kind,
      endpoints: JSON.stringify(endpoints),
      client_id: clientId,
      tokens_at: at,
      scopes: [],
      capabilities: '{}',
      status: 'disconnected',
      status_since: at,
      connected_by: by,
      connected_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.columns(['network', 'remote_id']).doNothing())
    .execute()
  const row = await tx
    .selectFrom('social_account')
    .selectAll()
    .where('network', '=', network)
    .where('remote_id', '=', found.remoteId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

/** Saves the result of a consent. If the answer has no refresh token, the stored one stays, unless it is another app's. */
export const saveConnection = async (
  tx: CmsTx,
  before: AccountRow,
  connection: Connection,
  tokens: SealedTokens,
): Promise<void> => {
  const { found, at } = connection
  const isOtherApp = before.clientId !== connection.clientId
  await tx
    .updateTable('social_account')
    .set((set) => ({
      name: found.name,
      handle: found.handle,
      avatar_url: found.avatarUrl,
      profile_url: found.profileUrl,
      kind: found.kind,
      endpoints: JSON.stringify(connection.endpoints),
      client_id: connection.clientId,
      ...(isOtherApp && { refresh_token_sealed: null, refresh_expires_at: null }),
      ...tokenColumns(tokens, at),
      scopes: [...found.tokens.scopes],
      missing_scopes: [...connection.missingScopes],
      capabilities: JSON.stringify(found.capabilities),
      capabilities_at: Object.keys(found.capabilities).length > 0 ? at : null,
      status: 'active' as const,
      status_reason: null,
      status_since: before.status === 'active' ? before.statusSince : at,
      paused_until: null,
      connected_by: connection.by,
      connected_at: at,
      version: set('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', before.id)
    .execute()
}

/** Its tokens are gone; the row stays for the posts that it sent. */
export const markDisconnected = async (tx: CmsTx, id: string, at: Date): Promise<void> => {
  await tx
    .updateTable('social_account')
    .set((set) => ({
      access_token_sealed: null,
      refresh_token_sealed: null,
      access_expires_at: null,
      refresh_expires_at: null,
      status: 'disconnected' as const,
      status_reason: null,
      status_since: at,
      paused_until: null,
      version: set('version', '+', 1),
      updated_at: at,
    }))
    .where('id', '=', id)
    .execute()
}

/** A person has to connect it again, unless it got other tokens since `tokensAt`. */
export const markNeedsReconnect = async (
  tx: CmsTx,
  { id, tokensAt, reason, at }: { id: string; tokensAt: Date; reason: string; at: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    text: `update social_account set status = 'needs_reconnect', status_reason = $3, status_since = $4, updated_at = $4
           where id = $1 and status = 'active' and tokens_at = $2 returning 1`,
    values: [id, tokensAt, reason, at],
  })
  return rows.length > 0
}

/** Why it will soon stop working: listed under "Needs attention". */
export const noteReason = async (tx: CmsTx, id: string, reason: string, at: Date): Promise<void> => {
  await tx.query({
    text: `update social_account set status_reason = $2, updated_at = $3 where id = $1 and status = 'active'`,
    values: [id, reason, at],
  })
}

export const noteUse = async (tx: CmsTx, id: string, at: Date): Promise<void> => {
  await tx.updateTable('social_account').set({ last_used_at: at }).where('id', '=', id).execute()
}

export const pauseOne = async (tx: CmsTx, id: string, until: Date): Promise<void> => {
  await tx.query({
    text: 'update social_account set paused_until = greatest(paused_until, $2) where id = $1',
    values: [id, until],
  })
}

/** Locked in one order, so that two of these do not wait for each other. */
export const pauseAllOf = async (tx: CmsTx, network: string, until: Date): Promise<void> => {
  await tx.query({
    text: `update social_account set paused_until = greatest(paused_until, $2)
           where id in (select id from social_account where network = $1 order by id for update)`,
    values: [network, until],
  })
}

/** True for the process that may ask the network now; others take what is stored. */
export const claimCapabilities = async (tx: CmsTx, id: string, now: Date, olderThan: Date): Promise<boolean> => {
  const rows = await tx.query({
    text: `update social_account set capabilities_at = $2
           where id = $1 and status = 'active' and (capabilities_at is null or capabilities_at <= $3) returning 1`,
    values: [id, now, olderThan],
  })
  return rows.length > 0
}

export const saveCapabilities = async (tx: CmsTx, id: string, capabilities: Capabilities): Promise<void> => {
  await tx
    .updateTable('social_account')
    .set({ capabilities: JSON.stringify(capabilities) })
    .where('id', '=', id)
    .execute()
}

/** Accounts whose access ends before `endsBefore`, or is past `share` of its life, and not of today. */
export const accountsToRenew = (
  db: CmsDb,
  networks: readonly string[],
  { now, endsBefore, share, newestAt }: { now: Date; endsBefore: Date; share: number; newestAt: Date },
): Promise<AccountKey[]> =>
  db.query({
    text: `select id, network from social_account
           where status = 'active' and network = any($1) and access_expires_at is not null and tokens_at <= $5
             and (access_expires_at <= $3 or $2 >= tokens_at + (access_expires_at - tokens_at) * $4::float8)
           order by access_expires_at, id`,
    values: [networks, now, endsBefore, share, newestAt],
  })

export const accountsToProbe = (db: CmsDb, networks: readonly string[]): Promise<AccountKey[]> =>
  db.query({
    text: `select id, network from social_account where status = 'active' and network = any($1) order by name, id`,
    values: [networks],
  })
