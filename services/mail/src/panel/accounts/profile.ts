import {
  NOTIFICATION_DEFAULTS,
  type Notifications,
  type notificationsInput,
  type ProfileInput,
} from '@stoa/mail-model/accounts.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { securityMailsOff, sendSystemMail } from '../../hosting/system-mail/system-mail.ts'
import { type Account, sessionOf } from '../../principal.ts'
import { lockWholeAccount, updateAccount } from './profile-queries.ts'

/** Blank and null both take a label away; what is absent stays. */
export const updateProfile = (ctx: Ctx, input: ProfileInput): Promise<Account> =>
  ctx.tx(async (tx) => {
    // An account that was deleted at the same moment must not get personal data again.
    const { id } = (await lockWholeAccount(tx, sessionOf(ctx).account.id)) ?? fail('unauthorized')
    return updateAccount(tx, id, {
      ...(input.name !== undefined && { name: input.name || null }),
      ...(input.company !== undefined && { company: input.company || null }),
      ...(input.timezone !== undefined && { timezone: input.timezone }),
      ...(input.locale !== undefined && { locale: input.locale }),
      ...(input.bounce_suppression_days !== undefined && { bounce_suppression_days: input.bounce_suppression_days }),
      updated_at: ctx.now(),
    })
  })

/** Chooses which mails are sent. Turning security mails off is confirmed by a last one. */
export const updateNotifications = (ctx: Ctx, input: z.output<typeof notificationsInput>): Promise<Account> =>
  ctx.tx(async (tx) => {
    const account = (await lockWholeAccount(tx, sessionOf(ctx).account.id)) ?? fail('unauthorized')
    const wanted: Notifications = { ...account.notifications, ...definedOf(input) }
    if (account.notifications.security && !wanted.security) {
      const content = securityMailsOff({ accountUrl: `${ctx.config.publicUrl}/account` })
      await sendSystemMail(ctx.parts, tx, { to: account.email, content })
    }
    return updateAccount(tx, account.id, { notifications: differing(wanted), updated_at: ctx.now() })
  })

const KINDS = Object.keys(NOTIFICATION_DEFAULTS).filter(
  (kind): kind is keyof Notifications => kind in NOTIFICATION_DEFAULTS,
)

const definedOf = (input: z.output<typeof notificationsInput>): Partial<Notifications> => {
  const given: Partial<Notifications> = {}
  for (const kind of KINDS) {
    const choice = input[kind]
    if (choice !== undefined) given[kind] = choice
  }
  return given
}

/** Only these are stored, so that a default can change for those who never chose. */
const differing = (wanted: Notifications): Partial<Notifications> => {
  const kept: Partial<Notifications> = {}
  for (const kind of KINDS) if (wanted[kind] !== NOTIFICATION_DEFAULTS[kind]) kept[kind] = wanted[kind]
  return kept
}
