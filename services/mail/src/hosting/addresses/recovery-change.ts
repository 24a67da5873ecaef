import type { Db, Tx } from '@stoa/kit/db/database.ts'
import { fail } from '../../errors.ts'
import type { Tables } from '../../tables.ts'
import { recoveryAddressChanged, type SystemMailParts, sendSystemMail } from '../system-mail/system-mail.ts'
import { setRecoveryEmail } from './operations.ts'
import { type Address, lockAddress } from './queries.ts'

/** How long the previous recovery address is still notified of recoveries. */
const REMEMBERED_MS = 24 * 3_600_000

const rememberedSince = (now: Date): Date => new Date(now.getTime() - REMEMBERED_MS)

/** Changes the recovery address of a mailbox at once; the mailbox and the previous recovery address are notified. */
export const changeRecoveryEmail = async (
  parts: SystemMailParts,
  tx: Tx<Tables>,
  input: { accountId: string; addressId: string; recoveryEmail: string | null; now: Date },
): Promise<Address> => {
  const { accountId, addressId, now } = input
  const { recovery_email: before } = (await lockAddress(tx, accountId, addressId)) ?? fail('not_found')
  const changed = await setRecoveryEmail(tx, input)
  if (changed.recovery_email === before) return changed
  const content = recoveryAddressChanged({ email: changed.email, recoveryEmail: changed.recovery_email })
  await sendSystemMail(parts, tx, { to: changed.email, content })
  if (before === null) return changed
  await rememberRecovery(tx, { addressId, email: before, now })
  await sendSystemMail(parts, tx, { to: before, content })
  return changed
}

/**
 * Of several within a day the first is remembered: an attacker who takes over a mailbox cannot silence its owner by changing
 * it twice.
 */
const rememberRecovery = async (
  tx: Tx<Tables>,
  { addressId, email, now }: { addressId: string; email: string; now: Date },
): Promise<void> => {
  await tx.query({
    text: `insert into recovery_change as old (address_id, previous_email, changed_at) values ($1, $2, $3)
           on conflict (address_id) do update
             set previous_email = excluded.previous_email, changed_at = excluded.changed_at
             where old.changed_at <= $4`,
    values: [addressId, email, now, rememberedSince(now)],
  })
}

/** The address that is notified of recoveries besides the present one. */
export const findPreviousRecovery = async (db: Db<Tables>, addressId: string, now: Date): Promise<string | undefined> =>
  (
    await db
      .selectFrom('recovery_change')
      .select('previous_email')
      .where('address_id', '=', addressId)
      .where('changed_at', '>', rememberedSince(now))
      .executeTakeFirst()
  )?.previous_email
