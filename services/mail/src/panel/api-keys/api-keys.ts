import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { ApiKey, ApiKeyInput, ApiKeyListRequest, CreatedApiKey } from '@stoa/mail-model/api-keys.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Insertable, Selectable } from 'kysely'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { KEY_CHARACTERS, KEY_PREFIX } from '../../hosting/access/access.ts'
import { findDomain } from '../../hosting/domains/domains.ts'
import { lockPlan, planOf, refuseOver, requireFeature } from '../../hosting/plans/plans.ts'
import { contains, type Page, readPage } from '../../pagination/pagination.ts'
import { sessionOf } from '../../principal.ts'
import type { ApiKeyTable } from '../../tables/keys.ts'
import type { Tables } from '../../tables.ts'

/** The limit for accounts whose plan has none. */
const MAX_API_KEYS = 1_000
/** The five letters after the prefix distinguish two keys, and 38 are still secret. */
const SHOWN_CHARACTERS = 8

export const loadApiKey = async (ctx: Ctx, { params }: { params: { api_key_id: string } }): Promise<ApiKeyRow> =>
  (await findKeyRow(ctx.db, sessionOf(ctx).account.id, params.api_key_id)) ?? fail('not_found')

/** Refuses before the body is read. */
export const requireSending = async (ctx: Ctx): Promise<void> =>
  requireFeature(planOf(sessionOf(ctx).account.plan), 'sending_api')

export const getApiKeys = async (ctx: Ctx, list: ApiKeyListRequest): Promise<List<ApiKey>> => {
  const { rows, total } = await listKeyRows(ctx.db, sessionOf(ctx).account.id, list)
  return toList(list, total, rows.map(apiKeyJson))
}

/** The token is in the answer and nowhere else. */
export const addApiKey = async (ctx: Ctx, body: ApiKeyInput): Promise<CreatedApiKey> => {
  const accountId = sessionOf(ctx).account.id
  const domainId = body.domain_id ?? null
  const token = newKey(KEY_PREFIX, KEY_CHARACTERS)
  const row: ApiKeyRow = {
    id: newId(),
    name: body.name,
    permission: body.permission,
    domain_id: domainId,
    token_prefix: token.slice(0, SHOWN_CHARACTERS),
    created_at: ctx.now(),
    last_used_at: null,
  }
  await ctx.tx(async (tx) => {
    const plan = await lockPlan(tx, accountId)
    requireFeature(plan, 'sending_api')
    if (domainId !== null && !(await findDomain(tx, accountId, domainId)))
      fail('not_found', { message: "This domain doesn't exist in your account." })
    refuseOver(plan.limits.apiKeys ?? MAX_API_KEYS, (await countKeyRows(tx, accountId)) + 1, 'API keys')
    await insertKey(tx, { ...row, account_id: accountId, token_hash: hashToken(token) })
  })
  return { ...apiKeyJson(row), token }
}

/** Ends a key at once: each request looks it up. */
export const removeApiKey = async (ctx: Ctx, { id }: ApiKeyRow) => {
  const isDeleted = await ctx.tx((tx) => deleteKeyRow(tx, sessionOf(ctx).account.id, id))
  if (!isDeleted) fail('not_found')
  return { object: 'api_key', id, deleted: true } as const
}

const apiKeyJson = (row: ApiKeyRow): ApiKey => ({
  object: 'api_key',
  id: row.id,
  name: row.name,
  permission: row.permission,
  domain_id: row.domain_id,
  token_prefix: row.token_prefix,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** A key as its account sees it: the token itself is nowhere. */
type ApiKeyRow = Omit<Selectable<ApiKeyTable>, 'account_id' | 'token_hash'>

const COLUMNS = [
  'api_key.id',
  'api_key.name',
  'api_key.permission',
  'api_key.domain_id',
  'api_key.token_prefix',
  'api_key.created_at',
  'api_key.last_used_at',
] as const

const listKeyRows = (db: Db<Tables>, accountId: string, list: ApiKeyListRequest): Promise<Page<ApiKeyRow>> => {
  const all = keys(db, accountId)
  const found = list.search ? all.where(({ ref }) => contains(ref('api_key.name'), list.search ?? '')) : all
  return readPage(found, list, {
    columns: { created_at: 'api_key.created_at', name: 'api_key.name', last_used_at: 'api_key.last_used_at' },
    id: 'api_key.id',
  })
}

const findKeyRow = (db: Db<Tables>, accountId: string, id: string): Promise<ApiKeyRow | undefined> =>
  keys(db, accountId).where('api_key.id', '=', id).executeTakeFirst()

const countKeyRows = async (db: Db<Tables>, accountId: string): Promise<number> => {
  const row = await keys(db, accountId)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

const insertKey = async (tx: Tx<Tables>, row: Insertable<ApiKeyTable>): Promise<void> => {
  await tx.insertInto('api_key').values(row).execute()
}

const deleteKeyRow = async (tx: Tx<Tables>, accountId: string, id: string): Promise<boolean> =>
  (await tx
    .deleteFrom('api_key')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Without those of domains that are deleted: they went with them. */
const keys = (db: Db<Tables>, accountId: string) =>
  db
    .selectFrom('api_key')
    .leftJoin('domain', 'domain.id', 'api_key.domain_id')
    .select(COLUMNS)
    .where('api_key.account_id', '=', accountId)
    .where('domain.deleted_at', 'is', null)
