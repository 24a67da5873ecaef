import { newId } from '@stoa/kit/ids.ts'
import type { ArrivingMail } from './arrive.ts'
import type { Arrived, Delivery } from './parts.ts'
import type { ActivityEntry } from './queries.ts'

/** What all lines of activity about this delivery say. */
export const activityOf = (arrived: Arrived, delivery: Delivery, now: Date) => ({
  id: newId(),
  addressId: delivery.route.addressId,
  direction: 'in' as const,
  sender: arrived.returnPath,
  recipient: delivery.recipient,
  subject: arrived.read.subject?.slice(0, 500) ?? null,
  messageId: arrived.read.envelope.messageId[0]?.slice(0, 500) ?? null,
  sizeBytes: arrived.blob.size,
  remoteIp: arrived.peer?.ip ?? null,
  createdAt: now,
})

/** A line about a message that was refused before anybody got it. */
export const refusedActivity = (
  mail: ArrivingMail,
  addressId: string,
  recipient: string,
  result: string,
  createdAt: Date,
): ActivityEntry => ({
  id: newId(),
  addressId,
  type: 'rejected',
  direction: 'in',
  sender: mail.returnPath,
  recipient,
  subject: null,
  messageId: null,
  sizeBytes: mail.blob.size,
  remoteIp: mail.peer.ip,
  result: result.slice(0, 500),
  createdAt,
})
