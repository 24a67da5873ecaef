import { isConflict } from '@stoa/kit/db/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type {
  Destination,
  DestinationListRequest,
  Transfer,
  TransferInput,
  TransferListRequest,
} from '@stoa/mail-model/transfers.ts'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { findAddress } from '../../hosting/addresses/addresses.ts'
import { lockPlan, refuseOver } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { announceTransfer } from './changes.ts'
import { transferJson } from './json.ts'
import {
  cancelTransferRow,
  countActiveTransfers,
  findTransfer,
  hasActiveTransfer,
  insertTransfer,
  listDestinationRows,
  listTransferRows,
  type TransferRow,
} from './panel-queries.ts'
import { deletePlan } from './progress-queries.ts'
import { createPasswordSealer } from './secrets.ts'
import { checkReach, checkSource, createTransferEgress } from './source.ts'

/** The limit for accounts whose plan has none. */
const MAX_AT_ONCE = 100

export const loadTransfer = async (ctx: Ctx, { params }: { params: { transfer_id: string } }): Promise<TransferRow> =>
  (await findTransfer(ctx.db, sessionOf(ctx).account.id, params.transfer_id)) ?? fail('not_found')

export const getTransfers = async (ctx: Ctx, list: TransferListRequest): Promise<List<Transfer>> => {
  const { rows, total } = await listTransferRows(ctx.db, sessionOf(ctx).account.id, list)
  return toList(list, total, rows.map(transferJson))
}

export const getDestinations = async (ctx: Ctx, list: DestinationListRequest): Promise<List<Destination>> => {
  const { rows, total } = await listDestinationRows(ctx.db, sessionOf(ctx).account.id, list)
  return toList(
    list,
    total,
    rows.map((row) => ({ object: 'destination', ...row })),
  )
}

/** Puts a transfer in line; a worker begins it at once if there is room. */
export const addTransfer = async (ctx: Ctx, body: TransferInput): Promise<Transfer> => {
  const accountId = sessionOf(ctx).account.id
  const { host, port, security } = body
  const egress = createTransferEgress(ctx.config)
  checkSource(egress, { host, port, security })
  // First: who may not copy into an address does not learn what hosts this server can see
  if (!(await findAddress(ctx.db, accountId, body.address_id))) failNoAddress()
  await checkReach(egress, { host, port, security })
  const id = newId()
  const now = ctx.now()
  const sealed = createPasswordSealer(ctx.config.secret).seal(body.password, id)
  return ctx.tx(async (tx) => {
    const { limits } = await lockPlan(tx, accountId)
    const address = (await findAddress(tx, accountId, body.address_id)) ?? failNoAddress()
    refuseOver(limits.transfers ?? MAX_AT_ONCE, (await countActiveTransfers(tx, accountId)) + 1, 'transfers at once')
    if (await hasActiveTransfer(tx, address.id)) failTaken()
    await insertTransfer(tx, {
      id,
      account_id: accountId,
      address_id: address.id,
      host,
      port,
      security,
      username: body.username,
      sealed_password: sealed,
      folders: body.folders ?? null,
      exclude_folders: body.exclude_folders ?? [],
      since: body.since ?? null,
      next_at: now,
      created_at: now,
    }).catch((error: unknown) => {
      if (isConflict(error, 'transfer_active_key')) return failTaken(error)
      throw error
    })
    announceTransfer(tx, 'queued', { id, accountId })
    return transferJson((await findTransfer(tx, accountId, id)) ?? fail('not_found'))
  })
}

/** Ends a transfer. What it has copied stays. */
export const cancelTransfer = (ctx: Ctx, id: string): Promise<Transfer> => {
  const accountId = sessionOf(ctx).account.id
  return ctx.tx(async (tx) => {
    if (!(await cancelTransferRow(tx, { accountId, id, now: ctx.now() })))
      fail('conflict', { message: 'This transfer has already ended.' })
    await deletePlan(tx, id)
    announceTransfer(tx, 'cancelled', { id, accountId })
    return transferJson((await findTransfer(tx, accountId, id)) ?? fail('not_found'))
  })
}

const failNoAddress = (): never => fail('not_found', { message: "This address doesn't exist in your account." })

const failTaken = (cause?: unknown): never =>
  fail('conflict', { message: 'Another transfer to this address is already running.', cause })
