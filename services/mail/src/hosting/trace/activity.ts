import type { Activity } from '@stoa/mail-model/activity.ts'
import type { Selectable } from 'kysely'
import type { ActivityTable } from '../../tables/receiving.ts'

export type ActivityRow = Omit<Selectable<ActivityTable>, 'address_id'>

export const activityJson = (row: ActivityRow): Activity => ({
  object: 'activity',
  id: row.id,
  type: row.type,
  direction: row.direction,
  from: row.sender,
  to: row.recipient,
  subject: row.subject,
  message_id: row.message_id,
  size_bytes: row.size_bytes,
  remote_ip: row.remote_ip,
  result: row.result,
  created_at: row.created_at.toISOString(),
})
