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
import type { Ctx } from '../../context.ts'
import { fail, failMember } from '../../errors.ts'
import { compileScript, extensionsOf, problemText, standardLanguage } from '../../formats/sieve/sieve.ts'
import { findAddress } from '../../hosting/addresses/addresses.ts'
import { lockPlan, refuseOver } from '../../hosting/plans/plans.ts'
import type { Tables } from '../../tables.ts'
import {
  deleteFilterRow,
  type FilterRow,
  type FilterScope,
  findFilter,
  insertFilter,
  listFilterIds,
  listFilterRows,
  numberFilters,
  updateFilterRow,
} from './panel-queries.ts'

/** The limit for accounts whose plan has none. */
const MAX_FILTERS = 1_000

/** Whose filters: all of an account, or those of one address alone, for its owner. */
const scopeOf = ({ principal }: Ctx): FilterScope => {
  if (principal.kind === 'session') return { accountId: principal.account.id, addressId: null }
  if (principal.kind !== 'mailbox') return fail('unauthorized')
  const { accountId, id } = principal.signIn.address
  return { accountId, addressId: id }
}

export const loadFilter = async (ctx: Ctx, { params }: { params: { filter_id: string } }): Promise<FilterRow> =>
  (await findFilter(ctx.db, scopeOf(ctx), params.filter_id)) ?? fail('not_found')

export const getFilters = async (ctx: Ctx, list: FilterListRequest): Promise<List<Filter>> => {
  const { rows, total } = await listFilterRows(ctx.db, scopeOf(ctx), list)
  return toList(list, total, rows.map(filterJson))
}

/** Saves a filter that compiles. Without a position it runs after the others. */
export const addFilter = (ctx: Ctx, body: FilterInput): Promise<Filter> => {
  const scope = scopeOf(ctx)
  const { accountId } = scope
  const addressId = body.address_id ?? scope.addressId
  refuseBroken(body.script)
  return ctx.tx(async (tx) => {
    const { limits } = await lockPlan(tx, accountId)
    await requireAddress(tx, scope, addressId)
    const ids = await listFilterIds(tx, { accountId, addressId: null })
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
    await place(tx, scope, { id, position: body.position ?? ids.length })
    return read(tx, scope, id)
  })
}

export const changeFilter = (ctx: Ctx, id: string, body: FilterUpdate): Promise<Filter> => {
  const scope = scopeOf(ctx)
  const { accountId } = scope
  const { name, script, address_id: addressId, enabled, position } = body
  if (script !== undefined) refuseBroken(script)
  return ctx.tx(async (tx) => {
    await lockPlan(tx, accountId)
    if (!(await findFilter(tx, scope, id))) fail('not_found')
    if (addressId !== undefined) await requireAddress(tx, scope, addressId)
    const change = {
      ...(name !== undefined && { name }),
      ...(script !== undefined && { source: script, extensions: extensionsOf(script) }),
      ...(addressId !== undefined && { address_id: addressId }),
      ...(enabled !== undefined && { enabled }),
    }
    await updateFilterRow(tx, { accountId, id, change, now: ctx.now() })
    if (position !== undefined) await place(tx, scope, { id, position })
    return read(tx, scope, id)
  })
}

export const removeFilter = async (ctx: Ctx, id: string) => {
  const scope = scopeOf(ctx)
  const { accountId } = scope
  await ctx.tx(async (tx) => {
    await lockPlan(tx, accountId)
    if (!(await findFilter(tx, scope, id))) fail('not_found')
    await deleteFilterRow(tx, accountId, id)
    await numberFilters(tx, accountId, await listFilterIds(tx, { accountId, addressId: null }))
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

const requireAddress = async (tx: Tx<Tables>, scope: FilterScope, addressId: string | null): Promise<void> => {
  if (scope.addressId !== null && addressId === null) failMember('address_id', "must be this mailbox's address")
  const isOwn = scope.addressId === null || addressId === scope.addressId
  if (addressId !== null && !(isOwn && (await findAddress(tx, scope.accountId, addressId))))
    fail('not_found', { message: "This address doesn't exist in your account." })
}

/** Puts a filter among those of its scope. Others of the account keep their places: only these change theirs. */
const place = async (
  tx: Tx<Tables>,
  scope: FilterScope,
  { id, position }: { id: string; position: number },
): Promise<void> => {
  const { accountId } = scope
  const all = await listFilterIds(tx, { accountId, addressId: null })
  const own = scope.addressId === null ? all : await listFilterIds(tx, scope)
  const wanted = own.filter((other) => other !== id).toSpliced(position, 0, id)
  const places = new Set(own)
  await numberFilters(
    tx,
    accountId,
    all.map((each) => (places.has(each) ? (wanted.shift() ?? each) : each)),
  )
}

const read = async (tx: Tx<Tables>, scope: FilterScope, id: string): Promise<Filter> =>
  filterJson((await findFilter(tx, scope, id)) ?? fail('not_found'))
