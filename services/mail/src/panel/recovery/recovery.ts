import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import { inBatches } from '@stoa/kit/db/batches.ts'
import type { Database } from '@stoa/kit/db/database.ts'
import { parseEmail } from '@stoa/mail-model/email.ts'
import type { RecoveryAvailability, recoveryResetInput } from '@stoa/mail-model/recovery.ts'
import type { z } from 'zod'
import type { Ctx } from '../../context.ts'
import { changeAddressPassword, findPreviousRecovery, hashAddressPassword } from '../../hosting/addresses/addresses.ts'
import { parseDomainName } from '../../hosting/domains/domains.ts'
import {
  mailboxPasswordReset,
  recoverMailbox,
  recoveryRequested,
  sendSystemMail,
} from '../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../tables.ts'
import { failToken, inConstantTime, linkTo, mayMail } from '../accounts/accounts.ts'
import {
  deleteExpiredRecoveryTokens,
  deleteWebmailSessions,
  hasRecoverable,
  hasRecoveryToken,
  lockRecovered,
  putRecoveryToken,
  type RecoveredAddress,
  type RecoveryToken,
  takeRecoveryToken,
} from './queries.ts'

const TOKEN_MS = 60 * 60_000
const ROWS_AT_ONCE = 200

/** Forgets links that nobody can use any more. */
export const forgetRecovery = async (database: Database<Tables>, now: Date): Promise<void> => {
  await inBatches(database, ROWS_AT_ONCE, (tx, limit) => deleteExpiredRecoveryTokens(tx, now, limit))
}

/** Reveals something about a domain as a whole, never about a mailbox. */
export const checkRecovery = async (ctx: Ctx, { domain }: { domain: string }): Promise<RecoveryAvailability> => {
  const name = parseDomainName(domain)
  const available = name !== null && (await hasRecoverable(ctx.db, name))
  return { object: 'recovery_availability', domain: name ?? domain, available }
}

/** Mails a link to the recovery address of a mailbox. Nothing reveals whether there is one. */
export const requestRecovery = (ctx: Ctx, given: { email: string }): Promise<void> =>
  inConstantTime(() =>
    ctx.tx(async (tx) => {
      const email = parseEmail(given.email)
      if (email === null || !(await mayMail(ctx, tx, 'recovery', email))) return
      const address = await lockRecovered(tx, { email })
      if (!address?.recoveryEmail) return
      const token = newToken()
      const now = ctx.now()
      const expiresAt = new Date(now.getTime() + TOKEN_MS)
      await putRecoveryToken(tx, {
        address_id: address.id,
        token_hash: hashToken(token),
        email: address.recoveryEmail,
        password_stamp: hashToken(address.passwordHash),
        expires_at: expiresAt,
      })
      const content = recoverMailbox({ url: linkTo(ctx, 'recover', token), email })
      await sendSystemMail(ctx.parts, tx, { to: address.recoveryEmail, content })
      const previous = await findPreviousRecovery(tx, address.id, now)
      if (previous !== undefined && previous !== address.recoveryEmail)
        await sendSystemMail(ctx.parts, tx, { to: previous, content: recoveryRequested({ email }) })
      ctx.log.info({ addressId: address.id }, 'mailbox recovery requested')
    }),
  )

/** Sets a new password of a mailbox with the link. App passwords and webmail sessions end. */
export const resetMailbox = async (ctx: Ctx, input: z.output<typeof recoveryResetInput>): Promise<void> => {
  const given = { hash: hashToken(input.token), now: ctx.now() }
  if (!(await hasRecoveryToken(ctx.db, given))) failToken()
  const passwordHash = await hashAddressPassword(input.password)
  const addressId = await ctx.tx(async (tx) => {
    const token = (await takeRecoveryToken(tx, given)) ?? failToken()
    const id = token.address_id
    const address = (await lockRecovered(tx, { id })) ?? failToken()
    if (!isOf(token, address)) failToken()
    await changeAddressPassword(tx, { accountId: address.accountId, addressId: id, passwordHash, now: given.now })
    await deleteWebmailSessions(tx, id)
    const content = mailboxPasswordReset({ email: address.email })
    await sendSystemMail(ctx.parts, tx, { to: token.email, content })
    return id
  })
  ctx.log.info({ addressId }, 'mailbox password reset')
}

/** A link is for the mailbox as it was: with that recovery address and that password. */
const isOf = (token: RecoveryToken, { recoveryEmail, passwordHash }: RecoveredAddress): boolean =>
  token.email === recoveryEmail && token.password_stamp.equals(hashToken(passwordHash))
