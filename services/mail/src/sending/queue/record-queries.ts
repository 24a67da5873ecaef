import type { Tx } from '@stoa/kit/db/database.ts'
import type { Insertable } from 'kysely'
import type { ActivityTable } from '../../tables/receiving.ts'
import type { QueueRecipientTable } from '../../tables/sending.ts'
import type { Tables } from '../../tables.ts'

/** One recipient's row after an attempt, and the attempt itself. */
export type Written = {
  messageId: string
  ordinal: number
  leaseToken: string
  state: Exclude<Insertable<QueueRecipientTable>['state'], undefined>
  attempt: number
  nextAt: Date
  code: number | null
  status: string | null
  reply: string | null
  host: string | null
  isDelayReported: boolean
  isFinished: boolean
  /** Whether something was tried at all. */
  isAttempt: boolean
  /** It only waits: the last reply of a peer still counts. */
  isWaiting: boolean
  ip: string | null
  policy: string | null
  tls: string | null
  durationMs: number
}

/** Writes results of claims that are still ours; gives those. A result with an old token changes nothing. */
export const writeResults = async (tx: Tx<Tables>, rows: readonly Written[], now: Date): Promise<Set<string>> => {
  const taken = await tx.query<{ message_id: string; ordinal: number }>({
    name: 'queue_write_results',
    text: WRITE,
    values: [JSON.stringify(rows), now],
  })
  return new Set(taken.map(({ message_id, ordinal }) => resultKey({ messageId: message_id, ordinal })))
}

export const resultKey = ({ messageId, ordinal }: { messageId: string; ordinal: number }): string =>
  `${messageId} ${ordinal}`

// Locked in one order, so that two processes that share messages do not wait for each other.
const WRITE = `
  with given as materialized (
    select * from jsonb_to_recordset($1::jsonb) as g (
      "messageId" uuid, ordinal integer, "leaseToken" uuid, state text, attempt integer, "nextAt" timestamptz,
      code integer, status text, reply text, host text, "isDelayReported" boolean, "isFinished" boolean,
      "isAttempt" boolean, "isWaiting" boolean, ip inet, policy text, tls text, "durationMs" integer)
  ), locked as materialized (
    select r.message_id, r.ordinal from queue_recipient r
    join given g on g."messageId" = r.message_id and g.ordinal = r.ordinal and g."leaseToken" = r.lease_token
    where r.state = 'sending' order by r.message_id, r.ordinal for update of r
  ), written as (
    update queue_recipient r
    set state = g.state, attempts = case when g."isAttempt" then r.attempts else r.attempts - 1 end,
      next_at = g."nextAt", lease_until = null, lease_token = null,
      last_code = case when g."isAttempt" then g.code else r.last_code end,
      last_status = case when g."isAttempt" or g."isFinished" then g.status else r.last_status end,
      last_reply = case when g."isWaiting" and r.last_reply is not null then r.last_reply else g.reply end,
      last_host = case when g."isAttempt" then g.host else r.last_host end,
      delay_told_at = case when g."isDelayReported" then coalesce(r.delay_told_at, $2) end,
      finished_at = case when g."isFinished" then $2::timestamptz end
    from given g, locked l
    where r.message_id = l.message_id and r.ordinal = l.ordinal
      and g."messageId" = l.message_id and g.ordinal = l.ordinal
    returning r.message_id, r.ordinal
  ), attempts as (
    insert into queue_attempt (message_id, ordinal, attempt, host, ip, policy, tls, code, status, reply, duration_ms, created_at)
    select g."messageId", g.ordinal, g.attempt, g.host, g.ip, g.policy, g.tls, g.code, g.status, g.reply, g."durationMs", $2
    from given g join written w on w.message_id = g."messageId" and w.ordinal = g.ordinal
    where g."isAttempt"
    on conflict (message_id, ordinal, attempt) do nothing
  )
  select message_id, ordinal from written`

export const insertActivity = async (tx: Tx<Tables>, rows: readonly Insertable<ActivityTable>[]): Promise<void> => {
  // The address may have been deleted while its mail was waiting.
  await tx.query({
    name: 'queue_insert_activity',
    text: `insert into activity (address_id, id, type, direction, sender, recipient, subject, message_id, size_bytes, result, created_at)
           select g.address_id, g.id, g.type, 'out', g.sender, g.recipient, g.subject, g.message_id, g.size_bytes, g.result, g.created_at
           from jsonb_to_recordset($1::jsonb) as g (address_id uuid, id uuid, type text, sender text, recipient text,
             subject text, message_id text, size_bytes bigint, result text, created_at timestamptz)
           where exists (select from address a where a.id = g.address_id)`,
    values: [JSON.stringify(rows)],
  })
}

/** A destination that cannot be reached is left alone; `retryAt` of the failures that it has had in a row. */
export const noteFailure = async (
  tx: Tx<Tables>,
  domain: string,
  input: { now: Date; retryAt: (failures: number) => Date },
): Promise<void> => {
  const [row] = await tx.query<{ failures: number; retry_at: Date }>({
    text: `insert into queue_destination (domain, failures, failing_since, retry_at) values ($1, 0, $2, $2)
           on conflict (domain) do update set domain = excluded.domain returning failures, retry_at`,
    values: [domain, input.now],
  })
  // Several messages that failed together are one failure.
  if (!row || (row.failures > 0 && row.retry_at > input.now)) return
  await tx.query({
    text: 'update queue_destination set failures = failures + 1, retry_at = $2 where domain = $1',
    values: [domain, input.retryAt(row.failures + 1)],
  })
}

export const noteSuccess = async (tx: Tx<Tables>, domains: readonly string[]): Promise<void> => {
  await tx.query({
    name: 'queue_note_success',
    // From a query, so that PostgreSQL does not plan anew for each number of them.
    text: 'delete from queue_destination where domain = any(array(select unnest($1::text[])))',
    values: [domains],
  })
}

/** Counts a temporary failure of a recipient, once for each message; gives how many there were since then. */
export const addSoftBounce = async (
  tx: Tx<Tables>,
  input: { accountId: string; email: string; messageId: string; now: Date; since: Date },
): Promise<number> => {
  await tx
    .insertInto('soft_bounce')
    .values({ account_id: input.accountId, email: input.email, message_id: input.messageId, created_at: input.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await tx
    .selectFrom('soft_bounce')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', input.accountId)
    .where('email', '=', input.email)
    .where('created_at', '>=', input.since)
    .executeTakeFirstOrThrow()
  return row.count
}

export const deleteSoftBounces = async (
  tx: Tx<Tables>,
  accountIds: readonly string[],
  emails: readonly string[],
): Promise<void> => {
  await tx.query({
    name: 'queue_delete_soft_bounces',
    text: `delete from soft_bounce s using unnest($1::uuid[], $2::text[]) as g (account_id, email)
           where s.account_id = g.account_id and s.email = g.email`,
    values: [accountIds, emails],
  })
}
