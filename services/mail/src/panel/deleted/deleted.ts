import type { Tx } from '@stoa/kit/db/database.ts'
import { isConflict } from '@stoa/kit/db/errors.ts'
import type { Deleted, DeletedListRequest, Restored } from '@stoa/mail-model/deleted.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { getAddress, recordAddressEvent } from '../../hosting/addresses/addresses.ts'
import { recordDomainEvent } from '../../hosting/dns-records/dns-records.ts'
import { loadDomain } from '../../hosting/domains/domains.ts'
import { lockPlan, type Plan, refuseOver } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import type { Tables } from '../../tables.ts'
import { readDomain } from '../domains/domains.ts'
import {
  countHeld,
  type DeletedRow,
  findDeleted,
  listDeleted,
  lockDeletedAddress,
  lockDeletedDomain,
  type Room,
  restoreAddressRow,
  restoreDomainRows,
} from './queries.ts'

const scopeOf = (ctx: Ctx) => ({ accountId: sessionOf(ctx).account.id, now: ctx.now() })

export const loadDeleted = async (ctx: Ctx, { params }: { params: { deleted_id: string } }): Promise<DeletedRow> =>
  (await findDeleted(ctx.db, scopeOf(ctx), params.deleted_id)) ?? fail('not_found')

export const getDeleted = async (ctx: Ctx, list: DeletedListRequest): Promise<List<Deleted>> => {
  const { rows, total } = await listDeleted(ctx.db, scopeOf(ctx), list)
  return toList(list, total, rows.map(deletedJson))
}

/** Brings back what was deleted, with all mail. Its name must be free, and the plan must have room for it. */
export const restore = (ctx: Ctx, { id, kind }: DeletedRow): Promise<Restored> =>
  kind === 'domain' ? restoreDomain(ctx, id) : restoreAddress(ctx, id)

const restoreDomain = async (ctx: Ctx, id: string): Promise<Restored> => {
  const wanted = { ...scopeOf(ctx), id }
  const { accountId, now } = wanted
  await ctx
    .tx(async (tx) => {
      const plan = await lockPlan(tx, accountId)
      const { deletedAt, addresses, bytes } = (await lockDeletedDomain(tx, wanted)) ?? fail('not_found')
      await refuseWithoutRoom(tx, accountId, plan, { domains: 1, addresses, bytes })
      const restored = await restoreDomainRows(tx, { ...wanted, deletedAt })
      await recordDomainEvent(tx, ctx.config, 'domain.created', { accountId, domainId: id, now })
      for (const addressId of restored) await announceAddress(tx, { accountId, addressId, now })
      tx.changes.push({ topic: 'domain', event: 'created', data: { domainId: id, accountId } })
    })
    .catch(explainTaken)
  return readDomain(ctx, await loadDomain(ctx, { params: { domain_id: id } }))
}

const restoreAddress = async (ctx: Ctx, id: string): Promise<Restored> => {
  const wanted = { ...scopeOf(ctx), id }
  const { accountId, now } = wanted
  await ctx
    .tx(async (tx) => {
      const plan = await lockPlan(tx, accountId)
      const { bytes } = (await lockDeletedAddress(tx, wanted)) ?? fail('not_found')
      await refuseWithoutRoom(tx, accountId, plan, { domains: 0, addresses: 1, bytes })
      await restoreAddressRow(tx, id, now)
      await announceAddress(tx, { accountId, addressId: id, now })
    })
    .catch(explainTaken)
  return getAddress(ctx, id)
}

const announceAddress = async (
  tx: Tx<Tables>,
  which: { accountId: string; addressId: string; now: Date },
): Promise<void> => {
  await recordAddressEvent(tx, 'address.created', which)
  const { accountId, addressId } = which
  tx.changes.push({ topic: 'address', event: 'created', data: { addressId, accountId } })
}

/** 413 when the plan has no room for what comes back; what was deleted counted for nothing until now. */
const refuseWithoutRoom = async (tx: Tx<Tables>, accountId: string, plan: Plan, more: Room): Promise<void> => {
  const { limits } = plan
  const held = await countHeld(tx, accountId)
  if (more.domains > 0) refuseOver(limits.domains, held.domains + more.domains, 'domains')
  if (more.addresses > 0) refuseOver(limits.addresses, held.addresses + more.addresses, 'addresses')
  if (limits.storageBytes !== null && held.bytes + more.bytes > limits.storageBytes)
    fail('quota_exceeded', { message: "Your plan doesn't have enough storage for its mail." })
}

const TAKEN = ['domain_name_key', 'address_email_key', 'address_name_pkey']

const explainTaken = (error: unknown): never => {
  if (TAKEN.some((name) => isConflict(error, name)))
    return fail('conflict', {
      message: 'This name is in use again. Delete or rename the domain or address that uses it first.',
      cause: error,
    })
  throw error
}

const deletedJson = (row: DeletedRow): Deleted => ({
  object: 'deleted',
  id: row.id,
  kind: row.kind,
  name: row.name,
  purge_at: row.purge_at.toISOString(),
})
