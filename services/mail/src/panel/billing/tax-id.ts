import { newId } from '@stoa/kit/ids.ts'
import type { TaxId, TaxIdInput, TaxIdType } from '@stoa/mail-model/billing.ts'
import type { Ctx } from '../../context.ts'
import { failMember } from '../../errors.ts'
import { lockPlan } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { customerOf } from './customers.ts'
import { inTurn } from './lock.ts'
import { findCustomer } from './payment-queries.ts'
import { deleteTaxId, findTaxId, putTaxId, type TaxIdRow } from './queries.ts'
import { atProvider } from './refusals.ts'
import { expectChange, syncAccount } from './sync/sync.ts'

export const getTaxId = async (ctx: Ctx): Promise<TaxId> =>
  taxIdJson(await findTaxId(ctx.db, sessionOf(ctx).account.id))

/** Keeps a tax id. The payment provider verifies it; without one it is only stored. */
export const setTaxId = async (ctx: Ctx, { value, type, country }: TaxIdInput): Promise<TaxId> => {
  const { payments } = ctx.parts
  const given = value === null ? null : { value, type: type ?? typeIn(country ?? null), country: country ?? null }
  if (!payments) return storeTaxId(ctx, given)
  const { id: accountId } = sessionOf(ctx).account
  return inTurn(ctx, (turn) =>
    atProvider(
      async () => {
        if (given === null && !(await findCustomer(ctx.db, accountId))) return storeTaxId(ctx, null)
        const customer = await customerOf(ctx, payments, turn)
        await expectChange(ctx.parts, accountId)
        await payments.setTaxId({ customer, ...(given ? { ...given, key: newId() } : { type: null }) })
        await syncAccount(ctx.parts, accountId)
        return getTaxId(ctx)
      },
      { invalid: () => failMember('value', 'not a valid tax ID of this type') },
    ),
  )
}

type GivenTaxId = { value: string; type: TaxIdType; country: string | null }

const storeTaxId = async (ctx: Ctx, given: GivenTaxId | null): Promise<TaxId> => {
  const account_id = sessionOf(ctx).account.id
  if (!given) {
    await ctx.tx((tx) => deleteTaxId(tx, account_id))
    return taxIdJson(undefined)
  }
  const row: TaxIdRow = { account_id, ...given, status: 'unavailable', reference: null, updated_at: ctx.now() }
  await ctx.tx(async (tx) => {
    await lockPlan(tx, account_id)
    await putTaxId(tx, row)
  })
  return taxIdJson(row)
}

const taxIdJson = (row: TaxIdRow | undefined): TaxId => ({
  object: 'tax_id',
  type: row?.type ?? null,
  value: row?.value ?? null,
  country: row?.country ?? null,
  status: row?.status ?? null,
})

/** The member states of the European Union, and Northern Ireland, whose numbers are of the Union. */
const EU = new Set('AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '))

const TYPES: ReadonlyMap<string, TaxIdType> = new Map([
  ['GB', 'gb_vat'],
  ['CH', 'ch_vat'],
  ['NO', 'no_vat'],
  ['US', 'us_ein'],
  ['AU', 'au_abn'],
  ['CA', 'ca_bn'],
  ['IN', 'in_gst'],
])

const typeIn = (country: string | null): TaxIdType => {
  if (country === null) return failMember('type', 'required without a `country`')
  const type = EU.has(country) ? 'eu_vat' : TYPES.get(country)
  return type ?? failMember('type', 'required for this country')
}
