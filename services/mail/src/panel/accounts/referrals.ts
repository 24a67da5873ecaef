import type { Referrals } from '@stoa/mail-model/accounts.ts'
import type { Ctx } from '../../context.ts'
import { currencyOf, UNPAID_PLANS } from '../../hosting/plans/plans.ts'
import { sessionOf } from '../../principal.ts'
import { countReferred, listReferred, type ReferredRow } from './profile-queries.ts'

/** The newest ones; the counts are of all. */
const SHOWN = 100

/** Whom the account invited, and what it was credited for those of them who have paid. */
export const getReferrals = async (ctx: Ctx): Promise<Referrals> => {
  const { id, referralCode } = sessionOf(ctx).account
  const [rows, { signed_up, converted, credit_cents, credit_currency }] = await Promise.all([
    listReferred(ctx.db, id, SHOWN),
    countReferred(ctx.db, id, UNPAID_PLANS),
  ])
  return {
    object: 'referrals',
    code: referralCode,
    url: `${ctx.config.publicUrl}/sign-up?referral_code=${referralCode}`,
    signed_up,
    converted,
    credit_cents,
    currency: credit_currency ?? currencyOf(ctx.parts.prices),
    data: rows.map((row) => ({
      object: 'referral',
      id: row.id,
      email: maskEmail(row.email),
      status: statusOf(row),
      created_at: row.created_at.toISOString(),
    })),
  }
}

const statusOf = ({ isCredited, plan }: ReferredRow): Referrals['data'][number]['status'] => {
  if (isCredited) return 'credited'
  return UNPAID_PLANS.includes(plan) ? 'signed_up' : 'converted'
}

/** `a***@e***.test`: enough to recognize somebody, not enough to write to them. */
export const maskEmail = (email: string): string => {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  return `${email.slice(0, 1)}***@${domain.slice(0, 1)}***${domain.slice(domain.lastIndexOf('.'))}`
}
