import { newId } from '@stoa/kit/ids.ts'
import type { ArrivingMail } from './arrive.ts'
import type { Arrived, Delivery, ReceiveParts } from './parts.ts'
import { type ActivityEntry, insertDeferred, insertRefused } from './queries.ts'

/** Fields that all activity lines of a delivery share. */
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

type Refused = Pick<ActivityEntry, 'addressId' | 'sender' | 'recipient' | 'sizeBytes' | 'remoteIp'>

/** The line for a message that was refused before it was read. */
export const refusedLine = (refused: Refused, createdAt: Date) => ({
  id: newId(),
  direction: 'in' as const,
  ...refused,
  subject: null,
  messageId: null,
  createdAt,
})

/** A line about a message that was refused before anybody got it. */
export const refusedActivity = (
  mail: ArrivingMail,
  addressId: string,
  recipient: string,
  result: string,
  createdAt: Date,
): ActivityEntry => {
  const { returnPath: sender, bytes, peer } = mail
  const line = refusedLine({ addressId, sender, recipient, sizeBytes: bytes.length, remoteIp: peer.ip }, createdAt)
  return { ...line, type: 'rejected', result: result.slice(0, 500) }
}

type Line = Omit<ActivityEntry, 'type' | 'result'>

/** The trace of a mailbox shows why a message is not there yet. */
export const recordDeferral = (parts: ReceiveParts, line: Line, result: string): Promise<void> =>
  record(parts, line, () => insertDeferred(parts.database.db, { ...line, result: result.slice(0, 500) }))

/** Records a server that was refused before it sent the message. */
export const recordBlocked = (parts: ReceiveParts, line: Line, result: string): Promise<void> =>
  record(parts, line, () => insertRefused(parts.database.db, { ...line, result: result.slice(0, 500) }))

const record = async ({ log }: ReceiveParts, { addressId }: Line, write: () => Promise<void>): Promise<void> => {
  try {
    await write()
  } catch (error) {
    // The sender gets the answer all the same
    log.error({ err: error, addressId }, 'a line of activity could not be written')
  }
}
