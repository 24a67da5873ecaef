import type { accountDeleteInput } from '@stoa/mail-model/accounts.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { listDomains } from '../../hosting/domains/domains.ts'
import { accountDeleted, sendSystemMail } from '../../hosting/system-mail/system-mail.ts'
import { closeBilling } from '../billing/billing.ts'
import { deleteDomain } from '../domains/domains.ts'
import { removeAllWebhooks } from '../webhooks/webhooks.ts'
import { deleteTokens } from './links.ts'
import { deleteAllSessions, hasOtherAccounts, purgeEarlier, updateAccount } from './profile-queries.ts'
import { lockFirstAccount } from './queries.ts'
import { announceCode, lockProven, proveOwnPassword } from './reauth.ts'
import { deleteTwoFactor } from './second-factor-queries.ts'

/**
 * Deletes the account with its domains, addresses, mail and subscription. Nobody sees them from now on and their names
 * are free; a job removes what is left of them.
 */
export const deleteAccount = async (ctx: Ctx, input: z.output<typeof accountDeleteInput>): Promise<{ id: string }> => {
  const proof = await proveOwnPassword(ctx, input.password)
  await announceCode(ctx, input.totp_code)
  const id = await ctx.tx(async (tx) => {
    // The lock keeps others from signing up while the last account is deleted.
    await lockFirstAccount(tx)
    const account = await lockProven(ctx, tx, { proof, code: input.totp_code })
    if (account.role === 'owner' && (await hasOtherAccounts(tx, account.id)))
      fail('conflict', { message: 'You own this instance. Delete all other accounts first.' })
    const now = ctx.now()
    // First, so that no event is sent for each deleted domain and address.
    await removeAllWebhooks(tx, account.id)
    for (const domain of await listDomains(tx, account.id))
      await deleteDomain(tx, { accountId: account.id, domainId: domain.id, now, purgeAt: now })
    await purgeEarlier(tx, account.id, now)
    await closeBilling(tx, account.id, now)
    await sendSystemMail(ctx.parts, tx, { to: account.email, content: accountDeleted() })
    await deleteAllSessions(tx, account.id)
    await deleteTokens(tx, account.id, ['verify', 'email_change', 'reset'])
    await deleteTwoFactor(tx, account.id)
    await updateAccount(tx, account.id, { ...gone(account.id), deleted_at: now, updated_at: now })
    tx.changes.push({ topic: 'account', event: 'deleted', data: { accountId: account.id } })
    return account.id
  })
  ctx.log.info({ accountId: id }, 'account deleted')
  return { id }
}

/** Overwrites personal data, and values that could be used to sign in or that must be unique. */
const gone = (id: string) => ({
  email: `${id}@deleted.invalid`,
  pending_email: null,
  password_hash: '',
  name: null,
  company: null,
  role: 'member' as const,
  referral_code: `deleted-${id}`,
  referred_by: null,
  totp_enabled_at: null,
})
