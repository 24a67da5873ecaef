import type { CreateAgentKeyInput } from '@stoa/cms-model/keys.ts'
import { type List, type Page, toList } from '@stoa/cms-model/lists.ts'
import { type Permission, type Role, scopeOf } from '@stoa/cms-model/permissions.ts'
import { hashToken, newKey } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { DAY_MS, prefixes } from '../../credentials.ts'
import { fail } from '../../errors.ts'
import { recordChange } from '../../events/events.ts'
import { scopeFor, sessionOf } from '../../principal.ts'
import { refuseOtherVersion, type WantedVersion } from '../../version-conflict.ts'
import { requirePermission } from '../access/access.ts'
import { lockOwnAccount, proveOwnPassword } from '../accounts/accounts.ts'
import {
  type AgentKeyRecord,
  findAgentKey,
  insertAgentKey,
  listAgentKeyIds,
  listAgentKeys as listRecords,
  type Reach,
  updateRevoked,
} from './queries.ts'

/** Whose keys to list: one's own if absent; anybody else's needs users.manage. */
export type AgentKeyFilter = Page & { account?: string | undefined }

export const listAgentKeys = async (ctx: Ctx, filter: AgentKeyFilter): Promise<List<AgentKeyRecord>> => {
  const me = sessionOf(ctx).account.id
  const { account = me, page, limit } = filter
  if (account !== me) requirePermission(ctx.principal, 'users.manage')
  const accountId = account === 'all' ? null : account
  const { keys, total } = await listRecords(ctx.db, { accountId, page, limit })
  return toList(keys, total, filter)
}

export const getAgentKey = (ctx: Ctx, id: string): Promise<AgentKeyRecord> => requireKey(ctx, ctx.db, id)

/**
 * Makes a key for oneself, with the password again. Its text is in this answer and nowhere else: the database keeps its
 * SHA-256.
 */
export const mintAgentKey = async (
  ctx: Ctx,
  { name, grants, expiresInDays, password }: CreateAgentKeyInput,
): Promise<{ record: AgentKeyRecord; key: string }> => {
  refuseAboveRole(sessionOf(ctx).account.role, grants)
  const proven = await proveOwnPassword(ctx, password)
  const key = newKey(prefixes.agent)
  const record = await ctx.tx(async (tx) => {
    const account = await lockOwnAccount(ctx, tx, proven)
    refuseAboveRole(account.role, grants)
    const createdAt = ctx.now()
    const made = { id: newId(), name, last4: key.slice(-4), createdAt, expiresAt: daysAfter(createdAt, expiresInDays) }
    await insertAgentKey(tx, { ...made, accountId: account.id, keyHash: hashToken(key), grants })
    const inserted = await requireKey(ctx, tx, made.id)
    await recordKeyChange(ctx, tx, 'agentKey.created', inserted)
    return inserted
  })
  ctx.log.info({ accountId: record.account.id, agentKeyId: record.id }, 'agent key created')
  return { record, key }
}

/** Ends a key on its own: nobody is signed out. One's own, or with users.manage anybody's; twice changes nothing. */
export const revokeAgentKey = async (ctx: Ctx, id: string, wanted: WantedVersion): Promise<void> =>
  ctx.tx(async (tx) => {
    const present = await requireKey(ctx, tx, id)
    if (present.revokedAt !== null) return
    // Nothing but a revocation ever changes a key.
    await refuseOtherVersion(
      wanted,
      { version: present.version, updatedAt: present.createdAt },
      async () => present.account,
    )
    if (await updateRevoked(tx, id, ctx.now())) await recordKeyChange(ctx, tx, 'agentKey.revoked', present)
  })

/** The ids under which Activity knows what was done for this account by its keys. */
export const agentKeyIdsOf = (db: CmsDb, accountId: string): Promise<string[]> => listAgentKeyIds(db, accountId)

const requireKey = async (ctx: Ctx, db: CmsDb, id: string): Promise<AgentKeyRecord> =>
  (await findAgentKey(db, id, reachOf(ctx))) ?? fail('NOT_FOUND')

const reachOf = (ctx: Ctx): Reach => ({
  accountId: scopeFor(ctx.principal, 'users.manage') === null ? sessionOf(ctx).account.id : null,
})

const refuseAboveRole = (role: Role, grants: readonly Permission[]): void => {
  const above = grants.find((grant) => scopeOf(role, grant) === null)
  if (above !== undefined) fail('FORBIDDEN', { details: { permission: above } })
}

const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS)

/** Listeners of this service are notified as well. */
const recordKeyChange = (
  ctx: Ctx,
  tx: CmsTx,
  action: 'agentKey.created' | 'agentKey.revoked',
  { id, name }: AgentKeyRecord,
): Promise<void> =>
  recordChange(ctx, tx, {
    action,
    target: { kind: 'agentKey', id, label: name },
    events: [{ name: action, data: { id }, isPublic: false, isInternal: true }],
  })
