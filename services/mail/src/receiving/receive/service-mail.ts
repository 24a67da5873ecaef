import { Fault } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { srsForward, srsReverse } from '../../formats/bounces/bounces.ts'
import { enqueue } from '../../hosting/enqueue/enqueue.ts'
import type { ServiceRoute } from '../../sending/queue/queue.ts'
import { takeReports } from '../reports/reports.ts'
import { type ServiceHooks, takeBounce } from './bounces.ts'
import { relayHashOf } from './deliver.ts'
import type { Arrived, DeliveryResult, ReceiveParts } from './parts.ts'
import { insertRelayReceipt } from './queries.ts'
import { forwardPrefix } from './trace.ts'

/** Takes mail to the service itself. Mail without a usable report is accepted too: nobody would read a refusal. */
export const deliverService = async (
  parts: ReceiveParts,
  hooks: ServiceHooks,
  { arrived, route, recipient }: { arrived: Arrived; route: ServiceRoute; recipient: string },
): Promise<DeliveryResult> => {
  try {
    switch (route.kind) {
      case 'bounce':
        await takeBounce(parts, hooks, { arrived, token: route.token })
        return DELIVERED
      case 'srs':
        return await returnForward(parts, { arrived, localPart: route.localPart, recipient })
      case 'reports':
        if (arrived.authenticity)
          await takeReports(parts.database, {
            bytes: arrived.bytes,
            authenticity: arrived.authenticity,
            now: parts.clock.now(),
          })
        return DELIVERED
    }
  } catch (error) {
    if (!(error instanceof Fault && error.kind === 'unavailable'))
      parts.log.error({ err: error, kind: route.kind }, 'mail to the service failed')
    return { kind: 'failed', code: 451, status: '4.3.0', text: 'Try again later' }
  }
}

/** Mail of the service to an address elsewhere, such as postmaster's. */
export const deliverOutside = async (
  parts: ReceiveParts,
  { arrived, to, accountId, recipient }: { arrived: Arrived; to: string; accountId: string; recipient: string },
): Promise<DeliveryResult> => {
  const { hostname, secret } = parts.config
  const now = parts.clock.now()
  const returnPath = arrived.returnPath === '' ? '' : srsForward(arrived.returnPath, hostname, secret, now)
  return sendOn(parts, { arrived, to, accountId, recipient, returnPath, now })
}

const DELIVERED: DeliveryResult = { kind: 'delivered' }

/** RFC 5321 §4.5.5: reports come from the null sender; anything else to such an address is not for anybody. */
const returnForward = async (
  parts: ReceiveParts,
  { arrived, localPart, recipient }: { arrived: Arrived; localPart: string; recipient: string },
): Promise<DeliveryResult> => {
  const now = parts.clock.now()
  const to = srsReverse(localPart, parts.config.secret, now)
  if (to === null || arrived.returnPath !== '')
    return { kind: 'failed', code: 550, status: '5.1.1', text: 'No such address' }
  return sendOn(parts, { arrived, to, accountId: null, recipient, returnPath: '', now })
}

type SendOn = {
  arrived: Arrived
  to: string
  accountId: string | null
  recipient: string
  returnPath: string
  now: Date
}

const sendOn = async (parts: ReceiveParts, input: SendOn): Promise<DeliveryResult> => {
  const { arrived, to, accountId, recipient, returnPath, now } = input
  const trace = { hostname: parts.config.hostname, id: newId(), email: recipient, recipient, mark: '' }
  await parts.database.tx(async (tx) => {
    // The sender may not have received our answer, and sends it again.
    if (!(await insertRelayReceipt(tx, relayHashOf(arrived, recipient), now))) return
    await enqueue(tx, {
      accountId,
      addressId: null,
      source: 'forward',
      blob: arrived.blob,
      prefix: forwardPrefix(arrived, trace),
      returnPath,
      recipients: [{ address: to, ...(returnPath === '' ? { notify: ['never'] } : {}) }],
      signingDomainId: null,
      messageId: arrived.read.envelope.messageId[0] ?? null,
      headerFrom: arrived.read.envelope.from[0]?.email ?? null,
      subject: arrived.read.subject,
      needsUtf8: arrived.isUtf8,
      needs8bit: true,
      now,
    })
  })
  return DELIVERED
}
