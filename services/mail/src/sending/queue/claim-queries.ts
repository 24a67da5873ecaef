import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { QueueSource } from '../../hosting/enqueue/enqueue.ts'
import type { Tables } from '../../tables.ts'
import type { Claim } from './parts.ts'
import { UNFINISHED } from './states.ts'

/**
 * Destinations after `after` with something due, by name; `next` is null at the end. Jumps from name to name in the index,
 * so that a long queue of one destination costs no more than a short one.
 */
export const findDueDestinations = async (
  db: Db<Tables>,
  input: { after: string; now: Date; steps: number },
): Promise<{ domains: string[]; next: string | null }> => {
  const rows = await db.query<{ domain: string; is_due: boolean }>({
    name: 'queue_due_destinations',
    text: `with recursive waiting as (
             (select domain, next_at, 1 as step from queue_recipient
              where state in ${UNFINISHED} and domain > $1 order by domain, next_at limit 1)
             union all
             select next.domain, next.next_at, w.step + 1 from waiting w
             cross join lateral (
               select r.domain, r.next_at from queue_recipient r
               where r.state in ${UNFINISHED} and r.domain > w.domain
               order by r.domain, r.next_at limit 1
             ) next
             where w.step < $3
           )
           select w.domain, w.next_at <= $2 and not coalesce(d.retry_at > $2, false) and h.id is null as is_due
           from waiting w left join queue_destination d on d.domain = w.domain
           left join queue_hold h on h.domain = w.domain`,
    values: [input.after, input.now, input.steps],
  })
  return {
    domains: rows.filter(({ is_due }) => is_due).map(({ domain }) => domain),
    next: rows.length < input.steps ? null : (rows.at(-1)?.domain ?? null),
  }
}

export type ClaimInput = {
  /** How many messages of each destination. */
  slots: ReadonlyMap<string, number>
  now: Date
  leaseUntil: Date
}

/**
 * Takes due messages of these destinations; a dead process loses its rows when their lease ends. A failing destination gets
 * one message at a time, one on hold none.
 */
export const claimDue = (tx: Tx<Tables>, input: ClaimInput): Promise<Claim[]> =>
  claimWith(tx, 'queue_claim', dueRows(CANDIDATES_BY_DESTINATION), [
    input.now,
    input.leaseUntil,
    [...input.slots.keys()],
    [...input.slots.values()],
  ])

/**
 * Takes what has been due for long because its destination does not answer or is on hold: it may have to be reported or given
 * up.
 */
export const claimStalled = (
  tx: Tx<Tables>,
  input: { now: Date; leaseUntil: Date; dueBefore: Date; limit: number },
): Promise<Claim[]> =>
  claimWith(tx, 'queue_claim_stalled', dueRows(CANDIDATES_STALLED), [
    input.now,
    input.leaseUntil,
    input.dueBefore,
    input.limit,
  ])

/** Takes one recipient, due or not, unless somebody works on it or it is finished. */
export const claimOne = async (
  tx: Tx<Tables>,
  input: { id: string; now: Date; leaseUntil: Date },
): Promise<Claim | undefined> => {
  const [claim] = await claimWith(tx, 'queue_claim_one', ONE_ROW, [input.now, input.leaseUntil, input.id])
  return claim
}

/** Extends the leases of what is still under way. Gives the tokens that are still ours. */
export const renewLeases = async (tx: Tx<Tables>, claims: readonly Claim[], until: Date): Promise<Set<string>> => {
  const rows = await tx.query<{ lease_token: string }>({
    text: `with held as materialized (${HELD})
           update queue_recipient r set lease_until = $4, next_at = $4
           from held where r.message_id = held.message_id and r.ordinal = held.ordinal returning r.lease_token`,
    values: [...heldBy(claims), until],
  })
  return new Set(rows.map(({ lease_token }) => lease_token))
}

/** Gives claims back as if they had never been taken, due at once. */
export const releaseClaims = async (tx: Tx<Tables>, claims: readonly Claim[], now: Date): Promise<void> => {
  await tx.query({
    text: `with held as materialized (${HELD})
           update queue_recipient r
           set state = case when r.attempts > 1 then 'deferred' else 'queued' end, attempts = r.attempts - 1,
             next_at = $4, lease_until = null, lease_token = null
           from held where r.message_id = held.message_id and r.ordinal = held.ordinal`,
    values: [...heldBy(claims), now],
  })
}

/** Locked in one order, so that nobody waits for each other. */
const HELD = `
  select r.message_id, r.ordinal from queue_recipient r
  join unnest($1::uuid[], $2::integer[], $3::uuid[]) as given (message_id, ordinal, token)
    on given.message_id = r.message_id and given.ordinal = r.ordinal and given.token = r.lease_token
  where r.state = 'sending' order by r.message_id, r.ordinal for update of r`

const heldBy = (claims: readonly Claim[]): [string[], number[], string[]] => {
  const rows = claims.flatMap((claim) => claim.recipients.map(({ ordinal }) => ({ ...claim, ordinal })))
  return [
    rows.map(({ messageId }) => messageId),
    rows.map(({ ordinal }) => ordinal),
    rows.map(({ leaseToken }) => leaseToken),
  ]
}

// The lists are read from queries, so that PostgreSQL does not count them: it would plan anew for each number of
// destinations, which takes longer than the claim.
const CANDIDATES_BY_DESTINATION = `
  select distinct due.message_id, w.domain, due.return_path
  from unnest(array(select unnest($3::text[])), array(select unnest($4::integer[]))) as w (domain, slots)
  left join queue_destination d on d.domain = w.domain
  left join queue_hold h on h.domain = w.domain
  cross join lateral (
    select r.message_id, r.return_path from queue_recipient r
    where r.domain = w.domain and r.state in ${UNFINISHED} and r.next_at <= $1
    order by r.next_at
    limit case when h.id is not null or d.retry_at > $1 then 0 when d.domain is null then w.slots else 1 end
  ) due`

const CANDIDATES_STALLED = `
  select distinct message_id, domain, return_path from (
    select r.message_id, r.domain, r.return_path from queue_recipient r
    left join queue_destination d on d.domain = r.domain
    left join queue_hold h on h.domain = r.domain
    where r.state in ${UNFINISHED} and r.next_at <= $3 and (d.retry_at > $1 or h.id is not null)
    order by r.next_at limit $4
  ) overdue`

const dueRows = (candidates: string): string => `
  with candidate as materialized (${candidates}),
  locked as materialized (
    select r.message_id, r.ordinal, r.domain, r.return_path from queue_recipient r
    join candidate c on c.message_id = r.message_id and c.domain = r.domain and c.return_path = r.return_path
    where r.state in ${UNFINISHED} and r.next_at <= $1
    order by r.message_id, r.ordinal
    for update of r skip locked
  )`

/** Not of a process that works on it now; one that died has no say any more. */
const IS_LEASED = `r.state = 'sending' and r.lease_until > $1`

const ONE_ROW = `
  with locked as materialized (
    select r.message_id, r.ordinal, r.domain, r.return_path from queue_recipient r
    where r.id = $3 and r.state in ${UNFINISHED} and not (${IS_LEASED})
    for update of r
  )`

const claimSql = (locked: string): string => `
  ${locked},
  token as materialized (
    select message_id, domain, return_path, gen_random_uuid() as value
    from (select distinct message_id, domain, return_path from locked) l
  )
  update queue_recipient r
  set state = 'sending', attempts = r.attempts + 1, next_at = $2, lease_until = $2, lease_token = t.value
  from locked l
  join token t on t.message_id = l.message_id and t.domain = l.domain and t.return_path = l.return_path
  join queue_message m on m.id = l.message_id
  where r.message_id = l.message_id and r.ordinal = l.ordinal
  returning r.message_id, r.ordinal, r.recipient, r.domain, r.attempts, r.lease_token, r.return_path, r.bounce_token,
    r.notify, r.orcpt, r.delay_told_at is not null as is_delay_told,
    exists (select from queue_hold h where h.domain = r.domain) as is_held,
    m.source in ('submission', 'api', 'webmail', 'jmap') and exists (
      select from account a where a.id = m.account_id and a.suspended_at is not null) as is_suspended,
    m.source = 'api' and exists (
      select from suppression s where s.account_id = m.account_id
        and s.email = lower(left(r.recipient, -strpos(reverse(r.recipient), '@'))) || '@' || r.domain
        and (s.expires_at is null or s.expires_at > $1)) as is_suppressed,
    m.account_id, m.address_id, m.source, m.blob_key, m.prefix, m.size, m.signing_domain_id,
    m.message_id as header_message_id, m.header_from, m.subject, m.needs_utf8, m.needs_8bit,
    m.requires_tls, m.envid, m.ret, m.expires_at, m.created_at`

type ClaimRow = {
  message_id: string
  ordinal: number
  recipient: string
  domain: string
  attempts: number
  lease_token: string
  return_path: string
  bounce_token: string | null
  notify: string[] | null
  orcpt: string | null
  is_delay_told: boolean
  is_held: boolean
  is_suspended: boolean
  is_suppressed: boolean
  account_id: string | null
  address_id: string | null
  source: QueueSource
  blob_key: string
  prefix: Buffer
  size: number
  signing_domain_id: string | null
  header_message_id: string | null
  header_from: string | null
  subject: string | null
  needs_utf8: boolean
  needs_8bit: boolean
  requires_tls: boolean
  envid: string | null
  ret: 'full' | 'hdrs' | null
  expires_at: Date
  created_at: Date
}

const claimWith = async (tx: Tx<Tables>, name: string, locked: string, values: unknown[]): Promise<Claim[]> => {
  const rows = await tx.query<ClaimRow>({ name, text: claimSql(locked), values })
  const groups = Map.groupBy(rows, ({ lease_token }) => lease_token)
  return [...groups.values()].flatMap((group) => toClaims(group.toSorted((a, b) => a.ordinal - b.ordinal)))
}

/** RFC 5321 §4.5.3.1.8: a peer takes a hundred recipients at least; the rest waits for the next turn. */
const MAX_RECIPIENTS = 100

const toClaims = (rows: readonly ClaimRow[]): Claim[] => {
  const [row] = rows
  if (!row) return []
  const claims: Claim[] = []
  for (let from = 0; from < rows.length; from += MAX_RECIPIENTS)
    claims.push(toClaim(row, rows.slice(from, from + MAX_RECIPIENTS)))
  return claims
}

const toClaim = (row: ClaimRow, recipients: readonly ClaimRow[]): Claim => ({
  messageId: row.message_id,
  domain: row.domain,
  leaseToken: row.lease_token,
  returnPath: row.return_path,
  bounceToken: row.bounce_token,
  isHeld: row.is_held,
  isSuspended: row.is_suspended,
  recipients: recipients.map((one) => ({
    ordinal: one.ordinal,
    address: one.recipient,
    attempt: one.attempts,
    notify: one.notify,
    orcpt: one.orcpt,
    isDelayReported: one.is_delay_told,
    isSuppressed: one.is_suppressed,
  })),
  message: {
    accountId: row.account_id,
    addressId: row.address_id,
    source: row.source,
    blobKey: row.blob_key,
    prefix: row.prefix,
    size: row.size,
    signingDomainId: row.signing_domain_id,
    headerMessageId: row.header_message_id,
    headerFrom: row.header_from,
    subject: row.subject,
    needsUtf8: row.needs_utf8,
    needs8bit: row.needs_8bit,
    requiresTls: row.requires_tls,
    envid: row.envid,
    ret: row.ret,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  },
})
