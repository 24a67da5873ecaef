import type { Db } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'
import { parseDomainName } from './names.ts'
import { findVerifiedDomain } from './queries.ts'

/** A domain whose mail is ours: its owner proved to own it once. */
export type LocalDomain = { id: string; accountId: string; name: string; verifiedAt: Date }

/** The domain if mail for it is ours. `name` in any spelling. */
export const findLocalDomain = async (db: Db<Tables>, name: string): Promise<LocalDomain | null> => {
  const parsed = parseDomainName(name)
  return parsed === null ? null : ((await findVerifiedDomain(db, parsed)) ?? null)
}
