import { createHash } from 'node:crypto'
import type { DeliverLocal, DeliverToService, LocalAnswer, LocalMail } from '../../sending/queue/queue.ts'
import { readMessage } from '../../store/store.ts'
import { NO_REPUTATION } from '../reputation/reputation.ts'
import type { ServiceHooks } from './bounces.ts'
import { deliver } from './deliver.ts'
import type { Arrived, DeliveryResult, ReceiveParts } from './parts.ts'
import { deliverService } from './service-mail.ts'
import { withStored } from './spool.ts'

/** Takes mail of the service's own queue, which does not come from outside. */
export const createLocalDelivery = (
  parts: ReceiveParts,
  hooks: ServiceHooks = {},
): { deliverLocal: DeliverLocal; deliverToService: DeliverToService } => ({
  deliverLocal: (mail) =>
    withStored(parts, mail.blob, async (bytes) => {
      const { route, recipient, queueMessageId } = mail
      // The queue may try again what it did not note as delivered.
      const receiptHash = createHash('sha256').update(`queue\0${queueMessageId}\0${recipient}`).digest()
      return answerOf(await deliver(parts, await arrivedOf(parts, mail, bytes), { route, recipient, receiptHash }))
    }),
  deliverToService: (mail) =>
    withStored(parts, mail.blob, async (bytes) => {
      const { route, recipient } = mail
      const arrived = await arrivedOf(parts, mail, bytes)
      return answerOf(await deliverService(parts, hooks, { arrived, route, recipient }))
    }),
})

const arrivedOf = async (parts: ReceiveParts, mail: LocalMail, bytes: Buffer): Promise<Arrived> => ({
  ...(await wholeOf(parts, mail, bytes)),
  hash: mail.queueMessageId,
  returnPath: mail.returnPath,
  peer: null,
  authenticity: null,
  spoofedDomain: null,
  reputation: NO_REPUTATION,
  spamText: null,
  opinion: null,
  virusLevel: null,
  isUtf8: false,
  receivedAt: parts.clock.now(),
})

/** A field other than those that say which way a message took. */
const OWN_FIELD = /^(?!received:)[!-9;-~]+:/im

/**
 * The queue puts before a message what it lacked when it was handed in, such as its date. Readers of the mailbox
 * look for that in the message itself, so there it becomes part of it.
 */
const wholeOf = async (
  parts: ReceiveParts,
  { blob, prefix }: LocalMail,
  bytes: Buffer,
): Promise<Pick<Arrived, 'blob' | 'bytes' | 'read' | 'prefix'>> => {
  if (!OWN_FIELD.test(prefix.toString('latin1'))) return { blob, bytes, read: readMessage(bytes), prefix }
  const whole = Buffer.concat([prefix, bytes])
  const { key, size } = await parts.blobs.put(whole, { maxBytes: whole.length })
  return { blob: { key, size }, bytes: whole, read: readMessage(whole), prefix: Buffer.alloc(0) }
}

const answerOf = (outcome: DeliveryResult): LocalAnswer => {
  switch (outcome.kind) {
    case 'delivered':
      return { ok: true }
    case 'rejected':
      return { ok: false, code: 550, status: '5.7.1', text: outcome.text, permanent: true }
    case 'failed':
      return {
        ok: false,
        code: outcome.code,
        status: outcome.status,
        text: outcome.text,
        permanent: outcome.code >= 500,
      }
  }
}
