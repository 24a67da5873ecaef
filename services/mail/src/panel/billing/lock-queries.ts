import type { Tx } from '@stoa/kit/db/database.ts'
import type { Tables } from '../../tables.ts'

/** What was asked of the provider, as long as nobody has seen what came of it. */
export type Intent = { intent: string; key: string; triedAt: Date }

type Lock = { accountId: string; holder: string }

/** Undefined when another has it. */
export const takeChange = async (
  tx: Tx<Tables>,
  { accountId, holder, now, until }: Lock & { now: Date; until: Date },
): Promise<{ intent: Intent | null } | undefined> => {
  const [row] = await tx.query<{ [K in keyof Intent]: Intent[K] | null }>({
    name: 'take-billing-change',
    text: `insert into billing_change as old (account_id, holder, held_until) values ($1, $2, $4)
           on conflict (account_id) do update set holder = excluded.holder, held_until = excluded.held_until
             where old.holder is null or old.held_until <= $3
           returning intent, key, tried_at as "triedAt"`,
    values: [accountId, holder, now, until],
  })
  if (!row) return undefined
  const { intent, key, triedAt } = row
  const isKnown = intent !== null && key !== null && triedAt !== null
  return { intent: isKnown ? { intent, key, triedAt } : null }
}

/** False when the lock has passed to another. */
export const beginChange = async (
  tx: Tx<Tables>,
  { accountId, holder, attempt, until }: Lock & { attempt: Intent; until: Date },
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'begin-billing-change',
    text: `update billing_change set intent = $3, key = $4, tried_at = $5, held_until = $6
           where account_id = $1 and holder = $2 returning 1`,
    values: [accountId, holder, attempt.intent, attempt.key, attempt.triedAt, until],
  })
  return rows.length > 0
}

export const prolongChange = async (tx: Tx<Tables>, { accountId, holder }: Lock, until: Date): Promise<void> => {
  await tx.query({
    name: 'prolong-billing-change',
    text: 'update billing_change set held_until = $3 where account_id = $1 and holder = $2',
    values: [accountId, holder, until],
  })
}

export const settleChange = async (tx: Tx<Tables>, { accountId, holder }: Lock): Promise<void> => {
  await tx.query({
    name: 'settle-billing-change',
    text: `update billing_change set intent = null, key = null, tried_at = null
           where account_id = $1 and holder = $2`,
    values: [accountId, holder],
  })
}

export const releaseChange = async (tx: Tx<Tables>, { accountId, holder }: Lock): Promise<void> => {
  await tx.query({
    name: 'release-billing-change',
    text: 'update billing_change set holder = null where account_id = $1 and holder = $2',
    values: [accountId, holder],
  })
}
