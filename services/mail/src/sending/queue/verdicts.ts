import { isAddressFailure } from '../../formats/bounces/bounces.ts'
import type { AttemptResult, Path } from './parts.ts'
import type { SmtpFailure } from './smtp-connection.ts'
import type { RecipientReply } from './smtp-message.ts'
import { isPermanent, isPositive, replyText } from './smtp-replies.ts'

export const NO_PATH: Path = { host: null, ip: null, policy: null, tls: null }

/** A permanent failure that we detected. It may be our own fault, so it never suppresses anybody. */
export const failedHere = (status: string, reply: string): AttemptResult => ({
  kind: 'permanent',
  code: null,
  status,
  reply,
  by: 'us',
})

export const temporary = (status: string, reply: string, isDestination: boolean): AttemptResult => ({
  kind: 'temporary',
  code: null,
  status,
  reply,
  isDestination,
})

/** What a peer's reply means for a recipient. */
export const replyVerdict = ({ stage, reply }: RecipientReply, hasDsn: boolean): AttemptResult => {
  const text = replyText(reply)
  if (stage === 'end' && isPositive(reply)) {
    const where = hasDsn ? 'peer' : 'relay_without_dsn'
    return { kind: 'delivered', code: reply.code, status: reply.status ?? '2.0.0', reply: text, where }
  }
  if (!isPermanent(reply)) {
    const status = reply.status?.startsWith('4') ? reply.status : '4.0.0'
    return { kind: 'temporary', code: reply.code, status, reply: text, isDestination: reply.code === CLOSING }
  }
  const status = reply.status?.startsWith('5') ? reply.status : '5.0.0'
  // A refused MAIL concerns the sender; without an enhanced code, refused content may mean anything.
  const isAboutRecipient = stage === 'rcpt' || (stage !== 'mail' && reply.status !== null)
  const isAddress = isAboutRecipient && isAddressFailure(reply)
  return { kind: 'permanent', code: reply.code, status, reply: text, by: 'peer', isAddress }
}

/** A conversation that broke: the message waits. The host may be to blame, or only this message. */
export const failureVerdict = ({ problem, message, reply }: SmtpFailure, isDestination: boolean): AttemptResult => ({
  kind: 'temporary',
  code: reply?.code ?? null,
  // A 5xx greeting refuses the connection, not the recipient (RFC 5321 §3.1), so it is tried again.
  status: reply?.status?.startsWith('4') ? reply.status : FAILURE_STATUS[problem],
  reply: reply ? replyText(reply) : message,
  isDestination: isDestination || reply?.code === CLOSING,
})

/** RFC 5321 §3.8: the host takes nothing at the moment, whatever it is. */
const CLOSING = 421

const FAILURE_STATUS = {
  connect: '4.4.1',
  timeout: '4.4.2',
  cut: '4.4.2',
  protocol: '4.5.0',
  tls: '4.7.5',
  rejected: '4.3.2',
} as const satisfies Record<SmtpFailure['problem'], string>
