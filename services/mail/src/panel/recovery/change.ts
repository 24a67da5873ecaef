import type { Tx } from '@stoa/kit/db/database.ts'
import { fail } from '../../errors.ts'
import { type Address, setRecoveryEmail } from '../../hosting/addresses/addresses.ts'
import { recoveryAddressChanged, type SystemMailParts, sendSystemMail } from '../../hosting/system-mail/system-mail.ts'
import type { Tables } from '../../tables.ts'
import { lockRecoveryEmail, putRecoveryChange } from './queries.ts'

/** How long a replaced recovery address is still notified of recoveries. */
export const PREVIOUS_NOTIFIED_MS = 24 * 60 * 60_000

/**
 * Changes the recovery address of a mailbox at once. The mailbox and the old recovery address are notified, and for a
 * day the old one is notified of recoveries, too. Links that were sent to it are void.
 */
export const changeRecoveryEmail = async (
  parts: SystemMailParts,
  tx: Tx<Tables>,
  input: { accountId: string; addressId: string; recoveryEmail: string | null; now: Date },
): Promise<Address> => {
  const { accountId, addressId, now } = input
  const { recoveryEmail: before } = (await lockRecoveryEmail(tx, accountId, addressId)) ?? fail('not_found')
  const changed = await setRecoveryEmail(tx, input)
  if (changed.recovery_email === before) return changed
  const content = recoveryAddressChanged({ email: changed.email, recoveryEmail: changed.recovery_email })
  await sendSystemMail(parts, tx, { to: changed.email, content })
  if (before === null) return changed
  await sendSystemMail(parts, tx, { to: before, content })
  const since = new Date(now.getTime() - PREVIOUS_NOTIFIED_MS)
  await putRecoveryChange(tx, { addressId, previousEmail: before, now, since })
  return changed
}
