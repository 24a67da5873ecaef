import type { Tx } from '@stoa/kit/db/database.ts'
import { newId } from '@stoa/kit/ids.ts'
import type {
  Filter,
  FilterInput,
  FilterListRequest,
  FilterUpdate,
  FilterValidation,
} from '@stoa/mail-model/filters.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import { sessionOf } from '../access/access.ts'
import { findAddress } from '../addresses/operations.ts'
import type { Ctx } from '../context.ts'
import { fail, failMember } from '../errors.ts'
import { lockPlan, refuseOver } from '../plans/gates.ts'
import { compileScript, extensionsOf } from '../sieve/compile.ts'
import { problemText } from '../sieve/problems.ts'
import { standardLanguage } from '../sieve/standard.ts'
import type { Tables } from '../tables.ts'
import {
  deleteFilterRow,
  type FilterRow,
  findFilter,
  insertFilter,
  listFilterIds,
  listFilterRows,
  numberFilters,
  updateFilterRow,
} from './panel-queries.ts'

/** Of accounts whose plan has no limit. */
const MAX_FILTERS = 1_000

export const loadFilter = async (ctx: Ctx, { params }: { params: { filter_id: string } }): Promise<FilterRow> =>
  (await findFilter(ctx.db, sessionOf(ctx).account.id, params.filter_id)) ?? fail('not_found')

export const getFilters = async (ctx: Ctx, list: FilterListRequest): Promise<List<Filter>> => {
  const { rows, total } = await listFilterRows(ctx.db, sessionOf(ctx).account.id, list)
  return toList(list, total, rows.map(filterJson))
}

/** Saves a filter that compiles. Without a position it runs after the others. */
export const addFilter = (ctx: Ctx, body: FilterInput): Promise<Filter> => {
  const accountId = sessionOf(ctx).account.id
  const addressId = body.address_id ?? null
  refuseBroken(body.script)
  return ctx.tx(async (tx) => {
    const { limits } = await lockPlan(tx, accountId)
    await requireAddress(tx, accountId, addressId)
    const ids = await listFilterIds(tx, accountId)
    refuseOver(limits.filters ?? MAX_FILTERS, ids.length + 1, 'filters')
    const id = newId()
    const now = ctx.now()
    await insertFilter(tx, {
      id,
      account_id: accountId,
      address_id: addressId,
      origin: 'panel',
      name: body.name,
      source: body.script,
      enabled: body.enabled ?? true,
      position: ids.length,
      extensions: extensionsOf(body.script),
      created_at: now,
      updated_at: now,
    })
    await numberFilters(tx, accountId, ids.toSpliced(body.position ?? ids.length, 0, id))
    return read(tx, accountId, id)
  })
}

export const changeFilter = (ctx: Ctx, id: string, body: FilterUpdate): Promise<Filter> => {
  const accountId = sessionOf(ctx).account.id
  const { name, script, address_id: addressId, enabled, position } = body
  if (script !== undefined) refuseBroken(script)
  return ctx.tx(async (tx) => {
    await lockPlan(tx, accountId)
    if (!(await findFilter(tx, accountId, id))) fail('not_found')
    if (addressId !== undefined) await requireAddress(tx, accountId, addressId)
    const change = {
      ...(name !== undefined && { name }),
      ...(script !== undefined && { source: script, extensions: extensionsOf(script) }),
      ...(addressId !== undefined && { address_id: addressId }),
      ...(enabled !== undefined && { enabled }),
    }
    await updateFilterRow(tx, { accountId, id, change, now: ctx.now() })
    if (position !== undefined) {
      const others = (await listFilterIds(tx, accountId)).filter((other) => other !== id)
      await numberFilters(tx, accountId, others.toSpliced(position, 0, id))
    }
    return read(tx, accountId, id)
  })
}

export const removeFilter = async (ctx: Ctx, id: string) => {
  const accountId = sessionOf(ctx).account.id
  await ctx.tx(async (tx) => {
    await lockPlan(tx, accountId)
    if (!(await findFilter(tx, accountId, id))) fail('not_found')
    await deleteFilterRow(tx, accountId, id)
    await numberFilters(tx, accountId, await listFilterIds(tx, accountId))
  })
  return { object: 'filter', id, deleted: true } as const
}

/** Compiles a script without saving it. */
export const validateFilter = (script: string): FilterValidation => {
  const { problems } = compileScript(script, standardLanguage)
  return {
    object: 'filter_validation',
    valid: problems.length === 0,
    errors: problems.map(({ line, column, message }) => ({ line, column, message })),
    extensions: extensionsOf(script),
  }
}

export const filterJson = (row: FilterRow): Filter => ({
  object: 'filter',
  id: row.id,
  name: row.name,
  address_id: row.address_id,
  script: row.source,
  enabled: row.enabled,
  position: row.position,
  extensions: row.extensions,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const refuseBroken = (script: string): void => {
  const { problems } = compileScript(script, standardLanguage)
  if (problems.length > 0) failMember('script', problems.map(problemText).join('; '))
}

const requireAddress = async (tx: Tx<Tables>, accountId: string, addressId: string | null): Promise<void> => {
  if (addressId !== null && !(await findAddress(tx, accountId, addressId)))
    fail('not_found', { message: 'There is no such address in this account.' })
}

const read = async (tx: Tx<Tables>, accountId: string, id: string): Promise<Filter> =>
  filterJson((await findFilter(tx, accountId, id)) ?? fail('not_found'))
