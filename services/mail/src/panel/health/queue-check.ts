import type { Db } from '@stoa/kit/db/database.ts'
import type { Finding } from '@stoa/kit/health/health.ts'
import { UNFINISHED } from '../../sending/queue/queue.ts'
import type { Tables } from '../../tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** A worker takes what is due within seconds, and one that is busy within minutes. */
const OVERDUE_MS = 15 * MINUTE_MS
const OLD_HOURS = 24
const LARGE = 10_000

export type QueueFacts = { waiting: number; overdue: number; oldestAt: Date | null }

export const judgeQueue = ({ waiting, overdue, oldestAt }: QueueFacts, now: Date): Finding => {
  const hours = oldestAt === null ? 0 : Math.floor((now.getTime() - oldestAt.getTime()) / HOUR_MS)
  if (overdue > 0)
    return {
      status: 'error',
      message: `${overdue === 1 ? '1 message' : `${overdue} messages`} should have been tried at least 15 minutes ago.`,
      action: 'Check that a process with the worker role is running (MAIL_ROLES), and check its log.',
      value: overdue,
    }
  const message =
    waiting === 0
      ? 'The queue is empty.'
      : `${waiting === 1 ? '1 message is waiting' : `${waiting} messages are waiting`}, the oldest for ${hours === 1 ? '1 hour' : `${hours} hours`}.`
  if (waiting > LARGE || hours >= OLD_HOURS)
    return {
      status: 'warning',
      message,
      action: 'Open Queue to see why. If no server accepts mail, check that port 25 is open to the outside.',
      value: waiting,
    }
  return { status: 'ok', message, value: waiting }
}

/** Counts the queue without messages that are scheduled for later or held by the owner. */
export const countQueue = async (db: Db<Tables>, now: Date): Promise<QueueFacts> => {
  const [row] = await db.query<QueueFacts>({
    text: `select count(*) as waiting, min(greatest(m.created_at, m.not_before)) as "oldestAt",
             count(*) filter (where greatest(r.next_at, d.retry_at) < $2
               and (r.state <> 'sending' or r.lease_until < $2)) as overdue
           from queue_recipient r
           join queue_message m on m.id = r.message_id
           left join queue_destination d on d.domain = r.domain
           where r.state in ${UNFINISHED} and (m.not_before is null or m.not_before <= $1)
             and not exists (select from queue_hold h where h.domain = r.domain)`,
    values: [now, new Date(now.getTime() - OVERDUE_MS)],
  })
  if (!row) throw new Error('a count returned no row')
  return row
}
