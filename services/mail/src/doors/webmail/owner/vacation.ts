import type { VacationInput, Vacation as VacationJson } from '@stoa/mail-model/vacation.ts'
import type { Ctx } from '../../../context.ts'
import { failMember } from '../../../errors.ts'
import { signInOf } from '../../../principal.ts'
import { changeVacation, readVacation, type Vacation } from '../../../sending/vacation/vacation.ts'

export const getVacation = async (ctx: Ctx): Promise<VacationJson> =>
  vacationJson(await readVacation(ctx.db, signInOf(ctx).address.id))

/** Replaces the automatic reply while the owner is away: JMAP's VacationResponse. */
export const putVacation = async (ctx: Ctx, body: VacationInput): Promise<VacationJson> => {
  const { from_date: fromDate, to_date: toDate } = body
  if (fromDate && toDate && toDate <= fromDate) failMember('to_date', 'must be after `from_date`')
  const change = {
    isEnabled: body.enabled,
    fromDate,
    toDate,
    subject: body.subject,
    textBody: body.text,
    htmlBody: body.html,
  }
  const input = { addressId: signInOf(ctx).address.id, change, now: ctx.now() }
  return vacationJson(await ctx.tx((tx) => changeVacation(tx, input)))
}

const vacationJson = (vacation: Vacation): VacationJson => ({
  object: 'vacation',
  enabled: vacation.isEnabled,
  from_date: vacation.fromDate?.toISOString() ?? null,
  to_date: vacation.toDate?.toISOString() ?? null,
  subject: vacation.subject,
  text: vacation.textBody,
  html: vacation.htmlBody,
})
