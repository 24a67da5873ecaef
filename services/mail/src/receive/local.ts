import { createHash } from 'node:crypto'
import type { DeliverLocal, DeliverToService, LocalAnswer, LocalMail } from '../queue/parts.ts'
import { readMessage } from '../store/read.ts'
import { deliver } from './deliver.ts'
import type { Arrived, Outcome, ReceiveParts } from './parts.ts'
import { deliverService, type ServiceHooks } from './service-mail.ts'
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
      return answerOf(await deliver(parts, arrivedOf(parts, mail, bytes), { route, recipient, receiptHash }))
    }),
  deliverToService: (mail) =>
    withStored(parts, mail.blob, async (bytes) => {
      const { route, recipient } = mail
      return answerOf(await deliverService(parts, hooks, { arrived: arrivedOf(parts, mail, bytes), route, recipient }))
    }),
})

const arrivedOf = (
  parts: ReceiveParts,
  { blob, prefix, returnPath, queueMessageId }: LocalMail,
  bytes: Buffer,
): Arrived => ({
  blob,
  bytes,
  read: readMessage(bytes),
  hash: queueMessageId,
  returnPath,
  peer: null,
  authenticity: null,
  spamText: null,
  opinion: null,
  virusLevel: null,
  isUtf8: false,
  receivedAt: parts.clock.now(),
  prefix,
})

const answerOf = (outcome: Outcome): LocalAnswer => {
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
