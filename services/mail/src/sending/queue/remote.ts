import { isIP } from 'node:net'
import type { Clock } from '@stoa/kit/clock.ts'
import { DnsError, type Resolver } from '../../wire/dns/dns.ts'
import { findHosts, type HostRules, type MxHost } from './hosts.ts'
import type { StsPolicies, StsPolicy } from './mta-sts.ts'
import type { Outgoing } from './outgoing.ts'
import type { AttemptResult, Path } from './parts.ts'
import type { SessionPool } from './pool.ts'
import type { Relay } from './relay.ts'
import { SmtpFailure, type SmtpTimeouts } from './smtp-connection.ts'
import { hadNotBegun, type SmtpEnvelope, sendMessage } from './smtp-message.ts'
import { openSession, type SmtpSession } from './smtp-session.ts'
import type { TlsCounters } from './tls-counters.ts'
import { decideTls, type TlsPolicy } from './tls-policy.ts'
import { failedHere, failureVerdict, NO_PATH, replyVerdict, temporary } from './verdicts.ts'

export type RemoteParts = {
  resolver: Resolver
  policies: StsPolicies
  pool: SessionPool
  counters: TlsCounters
  clock: Clock
  rules: HostRules
  relay: Relay | null
  port: number
  hostname: string
  timeouts: SmtpTimeouts
  trustedCa: readonly string[] | undefined
}

export type RemoteInput = {
  domain: string
  /** Size is filled in once the message is read. */
  envelope: Omit<SmtpEnvelope, 'size'>
  requiresTls: boolean
  /** Read and signed only when a peer has been reached. */
  prepare: () => Promise<Outgoing>
  mayFinish: () => boolean
  signal: AbortSignal
}

/** One entry for each recipient of the envelope. */
export type RemoteResult = { verdicts: AttemptResult[]; path: Path }

/** Hands a message to the first host of its destination that takes it. */
export const deliverRemote = async (parts: RemoteParts, input: RemoteInput): Promise<RemoteResult> => {
  const all = (verdict: AttemptResult, path: Path = NO_PATH): RemoteResult => ({
    verdicts: input.envelope.recipients.map(() => verdict),
    path,
  })
  const found = await findDestination(parts, input.domain)
  if (found.kind === 'none') return all(failedHere(found.status, found.reason))
  if (found.kind === 'temporary') return all(temporary(found.status, found.reason, true))
  const ground = await policyGround(parts, input.domain, found.isImplicit)
  let last = all(temporary('4.4.1', 'no destination server responded', true))
  for (const host of found.hosts) {
    if (input.signal.aborted) break
    const attempt = await tryHost(parts, input, host, ground)
    if (attempt.isFinal) return attempt.result
    last = attempt.result
  }
  return last
}

type Ground = { sts: StsPolicy | null; isAuthentic: boolean }
type Attempt = { isFinal: boolean; result: RemoteResult }

const findDestination = (parts: RemoteParts, domain: string) => {
  if (!parts.relay) return findHosts(parts.resolver, domain, parts.rules)
  return findRelay(parts.resolver, parts.relay.host)
}

/** The operator named it, so its addresses may be private. */
const findRelay = async (resolver: Resolver, host: string) => {
  try {
    const addresses = isIP(host) ? [host] : await resolver.addresses(host)
    return { kind: 'hosts', hosts: [{ name: host, addresses }], isImplicit: true } as const
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return { kind: 'temporary', status: '4.4.3', reason: 'DNS lookup of the relay failed' } as const
  }
}

const policyGround = async (parts: RemoteParts, domain: string, isImplicit: boolean): Promise<Ground> => {
  if (parts.relay || domain.startsWith('[')) return { sts: null, isAuthentic: false }
  const [sts, isAuthentic] = await Promise.all([
    parts.policies.find(domain),
    parts.resolver.authentic(domain, isImplicit ? 'A' : 'MX').catch((error: unknown) => {
      if (error instanceof DnsError) return false
      throw error
    }),
  ])
  return { sts, isAuthentic }
}

const tryHost = async (parts: RemoteParts, input: RemoteInput, host: MxHost, ground: Ground): Promise<Attempt> => {
  const all = (verdict: AttemptResult, path: Path): RemoteResult => ({
    verdicts: input.envelope.recipients.map(() => verdict),
    path,
  })
  const decision = await decide(parts, input, host, ground)
  if ('refused' in decision) {
    parts.counters.count(input.domain, decision.counted, host.name, decision.result)
    const path = { ...NO_PATH, host: host.name, policy: decision.counted === 'sts' ? 'mta-sts' : 'dane' }
    return { isFinal: false, result: all(temporary('4.7.5', decision.refused, true), path) }
  }
  const { policy } = decision
  const key = `${host.name}:${parts.relay?.port ?? parts.port} ${policyName(policy)} ${policyDetail(policy)}`
  const open = (withoutTls: boolean) => openTo(parts, input, { host, policy, withoutTls })
  try {
    return { isFinal: true, result: await converse(parts, input, { key, policy, open }) }
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error
    const path = { ...NO_PATH, host: host.name, policy: policyName(policy) }
    const isOver = pathOf.get(error)
    return { isFinal: isOver !== undefined, result: all(failureVerdict(error, isOver === undefined), isOver ?? path) }
  }
}

const decide = (parts: RemoteParts, input: RemoteInput, host: MxHost, ground: Ground) => {
  if (parts.relay) return { policy: relayPolicy(parts.relay, input.requiresTls) }
  return decideTls(parts.resolver, {
    domain: input.domain,
    host: host.name,
    port: parts.port,
    requiresTls: input.requiresTls,
    ...ground,
  })
}

/** Credentials are shown to nobody but the host that the operator named. */
const relayPolicy = (relay: Relay, requiresTls: boolean): TlsPolicy => {
  if (relay.credentials || relay.isImplicit) return { kind: 'verified', counted: 'no-policy-found' }
  return { kind: requiresTls ? 'encrypted' : 'opportunistic', counted: 'no-policy-found' }
}

const openTo = async (
  parts: RemoteParts,
  input: RemoteInput,
  { host, policy, withoutTls }: { host: MxHost; policy: TlsPolicy; withoutTls: boolean },
): Promise<SmtpSession> =>
  openSession({
    host: host.name,
    addresses: host.addresses,
    port: parts.relay?.port ?? parts.port,
    hostname: parts.hostname,
    policy,
    withoutTls,
    isImplicit: parts.relay?.isImplicit ?? false,
    credentials: parts.relay?.credentials,
    trustedCa: parts.trustedCa,
    timeouts: parts.timeouts,
    now: parts.clock.now,
    signal: input.signal,
    onTls: (result) => {
      if (!parts.relay && !withoutTls) parts.counters.count(input.domain, policy.counted, host.name, result)
    },
  })

type Conversation = { key: string; policy: TlsPolicy; open(withoutTls: boolean): Promise<SmtpSession> }

/** A failure in the middle of a message: another host is not tried, because this one may have taken it. */
const pathOf = new WeakMap<SmtpFailure, Path>()

const converse = async (parts: RemoteParts, input: RemoteInput, conversation: Conversation): Promise<RemoteResult> => {
  for (;;) {
    const { session, isReused } = await parts.pool.acquire(conversation.key, () => openOrDowngrade(conversation))
    const path = pathTo(session)
    try {
      const refusal = refuseByExtensions(session, input)
      if (refusal) return { verdicts: input.envelope.recipients.map(() => refusal), path }
      return { verdicts: await send(parts, input, session), path }
    } catch (error) {
      session.line.destroy()
      if (!(error instanceof SmtpFailure)) throw error
      const isUntouched = hadNotBegun.has(error)
      // An idle connection that the peer has closed meanwhile says nothing about the peer.
      if (isUntouched && isReused && error.problem !== 'timeout') continue
      if (!isUntouched) pathOf.set(error, path)
      throw error
    } finally {
      parts.pool.release(conversation.key, session)
    }
  }
}

/** RFC 7435: where nothing was promised, mail that goes unprotected is better than mail that does not go. */
const openOrDowngrade = async (conversation: Conversation): Promise<SmtpSession> => {
  try {
    return await conversation.open(false)
  } catch (error) {
    const mayDowngrade =
      conversation.policy.kind === 'opportunistic' && error instanceof SmtpFailure && error.problem === 'tls'
    if (!mayDowngrade) throw error
    return conversation.open(true)
  }
}

const refuseByExtensions = ({ extensions }: SmtpSession, { envelope }: RemoteInput): AttemptResult | null => {
  // RFC 6531 §3.5 and RFC 6152 §3: what the peer cannot take is not sent to it.
  if (envelope.needsUtf8 && !extensions.has('SMTPUTF8'))
    return failedHere('5.6.7', 'the server does not support internationalized email')
  if (envelope.needs8bit && !extensions.has('8BITMIME'))
    return failedHere('5.6.3', 'the server does not support 8-bit email')
  return null
}

const send = async (parts: RemoteParts, input: RemoteInput, session: SmtpSession): Promise<AttemptResult[]> => {
  const outgoing = await input.prepare()
  const limit = Number(session.extensions.get('SIZE') ?? 0)
  if (limit > 0 && outgoing.size > limit)
    return input.envelope.recipients.map(() => failedHere('5.3.4', 'the message is too large for the server'))
  if (input.signal.aborted) throw new SmtpFailure('cut', 'the service is stopping')
  let isFinishing = false
  const onAbort = () => {
    // Once the end of the message is sent, only the reply shows whether it was accepted.
    if (!isFinishing) session.line.destroy()
  }
  input.signal.addEventListener('abort', onAbort)
  try {
    const replies = await sendMessage(session, {
      envelope: { ...input.envelope, size: outgoing.size },
      body: outgoing.body,
      mayFinish: () => {
        isFinishing = input.mayFinish()
        return isFinishing
      },
      timeouts: parts.timeouts,
    })
    const hasDsn = session.extensions.has('DSN')
    return replies.map((outcome) => replyVerdict(outcome, hasDsn))
  } finally {
    input.signal.removeEventListener('abort', onAbort)
  }
}

const pathTo = ({ host, ip, tls, policy }: SmtpSession): Path => ({ host, ip, tls, policy: policyName(policy) })

const policyName = (policy: TlsPolicy): string => {
  if (policy.kind === 'dane') return 'dane'
  if (policy.kind === 'verified') return policy.counted === 'sts' ? 'mta-sts' : 'verified'
  return policy.kind
}

/** Connections are shared by TLS policy: other records are another policy. */
const policyDetail = (policy: TlsPolicy): string =>
  policy.kind === 'dane'
    ? policy.records.map(({ certificate }) => certificate.toString('hex', 0, 16)).join() + policy.names.join()
    : ''
