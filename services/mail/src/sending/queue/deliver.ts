import { isAscii } from 'node:buffer'
import type { Clock } from '@stoa/kit/clock.ts'
import type { Log } from '@stoa/kit/log.ts'
import { isAddressFailure, srsForward } from '../../formats/bounces/bounces.ts'
import type { Route } from '../../hosting/addresses/addresses.ts'
import { destinationOf } from '../../hosting/enqueue/enqueue.ts'
import { type OutgoingMessages, Unsendable } from './outgoing.ts'
import type {
  AttemptResult,
  Claim,
  ClaimedRecipient,
  LocalAnswer,
  Path,
  QueueParts,
  Result,
  ServiceRoute,
} from './parts.ts'
import { deliverRemote, type RemoteParts } from './remote.ts'
import { failedHere, NO_PATH, temporary } from './verdicts.ts'

export type DeliverParts = Pick<
  QueueParts,
  'resolveRecipient' | 'deliverLocal' | 'deliverToService' | 'simulate' | 'config' | 'log'
> & {
  clock: Clock
  outgoing: OutgoingMessages
  remote: RemoteParts
}

export type DeliverInput = {
  claim: Claim
  /** Asked right before a message cannot be taken back any more. */
  mayFinish: () => boolean
  signal: AbortSignal
}

/** Tries to deliver a message to the recipients of one destination; always one result for each of them. */
export const deliver = async (parts: DeliverParts, input: DeliverInput): Promise<Result[]> => {
  const began = performance.now()
  const { claim } = input
  const found = new Map<ClaimedRecipient, { verdict: AttemptResult; path: Path }>()
  const active = claim.recipients.filter((recipient) => {
    const verdict = refusalOf(claim, recipient) ?? parts.simulate?.(recipient) ?? null
    if (verdict) found.set(recipient, { verdict, path: NO_PATH })
    return verdict === null
  })
  try {
    const away = await deliverHere(parts, input, active, found)
    for (const [domain, group] of away) {
      const remote = await deliverAway(parts, input, domain, group)
      for (const [index, { recipient }] of group.entries()) {
        const verdict = remote.verdicts[index] ?? temporary('4.3.0', 'no reply', false)
        found.set(recipient, { verdict, path: remote.path })
      }
    }
  } catch (error) {
    const verdict = verdictOf(error, parts.log, claim)
    for (const recipient of active) if (!found.has(recipient)) found.set(recipient, { verdict, path: NO_PATH })
  }
  const durationMs = Math.round(performance.now() - began)
  return [...found].map(([recipient, { verdict, path }]) => ({ recipient, verdict, path, durationMs }))
}

const SUPPRESSED: AttemptResult = { kind: 'suppressed' }
const WAITING: AttemptResult = { kind: 'waiting' }

/** Refuses without an attempt: mail of a suspended account waits until it may send again, or expires. */
const refusalOf = ({ isSuspended }: Claim, { isSuppressed }: ClaimedRecipient): AttemptResult | null => {
  if (isSuspended) return WAITING
  return isSuppressed ? SUPPRESSED : null
}

type Away = { recipient: ClaimedRecipient; address: string }
type Found = Map<ClaimedRecipient, { verdict: AttemptResult; path: Path }>

/** Delivers what stays here, and gives the rest by its destinations. */
const deliverHere = async (
  parts: DeliverParts,
  input: DeliverInput,
  recipients: readonly ClaimedRecipient[],
  found: Found,
): Promise<Map<string, Away[]>> => {
  const away = new Map<string, Away[]>()
  const send = (recipient: ClaimedRecipient, address: string): void => {
    const domain = destinationOf(address)
    away.set(domain, [...(away.get(domain) ?? []), { recipient, address }])
  }
  let isForeign = false
  for (const recipient of recipients) {
    // They all have the same domain, so what is true of one is true of all.
    const route: Route = isForeign ? { kind: 'foreign' } : await parts.resolveRecipient(recipient.address)
    if (route.kind === 'foreign') {
      isForeign = true
      send(recipient, recipient.address)
    } else if (route.kind === 'outside') send(recipient, route.to)
    else if (isServiceRoute(route) && !parts.deliverToService) send(recipient, recipient.address)
    else found.set(recipient, { verdict: await deliverTo(parts, input, recipient, route), path: HERE })
  }
  return away
}

const HERE: Path = { ...NO_PATH, policy: 'local' }

const isServiceRoute = (route: Route): route is ServiceRoute =>
  route.kind === 'bounce' || route.kind === 'srs' || route.kind === 'reports'

const deliverTo = async (
  parts: DeliverParts,
  input: DeliverInput,
  recipient: ClaimedRecipient,
  route: Exclude<Route, { kind: 'foreign' | 'outside' }>,
): Promise<AttemptResult> => {
  if (route.kind === 'malformed') return failedHere('5.1.3', 'the address is not valid')
  if (route.kind === 'unknown')
    return {
      kind: 'permanent',
      code: 550,
      status: '5.1.1',
      reply: '550 5.1.1 No such address here',
      by: 'peer',
      isAddress: true,
    }
  if (!input.mayFinish()) return temporary('4.3.2', 'the message was taken over by another process', false)
  const { messageId, message, returnPath } = input.claim
  const mail = {
    queueMessageId: messageId,
    returnPath,
    recipient: recipient.address,
    blob: { key: message.blobKey, size: message.size - message.prefix.length },
    prefix: message.prefix,
    source: message.source,
  }
  if (route.kind === 'mailbox') return localVerdict(await parts.deliverLocal({ ...mail, route }))
  const answer = await parts.deliverToService?.({ ...mail, route })
  return answer ? localVerdict(answer) : temporary('4.3.0', 'the message was rejected', false)
}

const localVerdict = (answer: LocalAnswer): AttemptResult => {
  if (answer.ok) return { kind: 'delivered', code: 250, status: '2.0.0', reply: '250 2.0.0 Delivered', where: 'here' }
  const { code, status } = answer
  const reply = `${code} ${status} ${answer.text}`
  if (!answer.permanent) return { kind: 'temporary', code, status, reply, isDestination: false }
  return { kind: 'permanent', code, status, reply, by: 'peer', isAddress: isAddressFailure({ code, status }) }
}

const deliverAway = async (parts: DeliverParts, input: DeliverInput, domain: string, group: readonly Away[]) => {
  const { claim, mayFinish, signal } = input
  const { message } = claim
  return deliverRemote(parts.remote, {
    domain,
    envelope: {
      from: wireAddress(senderOf(parts, claim), message.needsUtf8),
      recipients: group.map(({ recipient, address }) => ({
        address: wireAddress(address, message.needsUtf8),
        notify: recipient.notify,
        orcpt: recipient.orcpt,
      })),
      needsUtf8: message.needsUtf8,
      needs8bit: message.needs8bit,
      envid: message.envid,
      ret: message.ret,
    },
    requiresTls: message.requiresTls,
    prepare: () => parts.outgoing.prepare(claim),
    mayFinish,
    signal,
  })
}

/** Forwarded mail leaves under our name, so that SPF holds at the next host. */
const senderOf = ({ config, clock }: DeliverParts, { message, returnPath }: Claim): string => {
  if (message.source !== 'forward' || returnPath === '') return returnPath
  return srsForward(returnPath, config.hostname, config.secret, clock.now())
}

/** Peers without SMTPUTF8 take names in their ASCII form only. */
const wireAddress = (address: string, needsUtf8: boolean): string => {
  if (address === '' || needsUtf8 || isAscii(Buffer.from(address))) return address
  return `${address.slice(0, address.lastIndexOf('@'))}@${destinationOf(address)}`
}

const verdictOf = (error: unknown, log: Log, claim: Claim): AttemptResult => {
  if (error instanceof Unsendable) return failedHere(error.status, error.message)
  log.error({ err: error, queueMessageId: claim.messageId }, 'a message could not be handled; it is tried again later')
  return temporary('4.3.0', 'internal error', false)
}
