import { getServers } from 'node:dns'
import type { Clock } from '@stoa/kit/clock.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import dnsPacket, { type Answer, type Packet, type RecordType } from 'dns-packet'
import { createAnswerCache } from './cache.ts'
import { DnsError } from './dns-error.ts'
import { ask, type DnsQuestion, parseServer, type Server } from './exchange.ts'
import { askedName, canonicalName } from './names.ts'

/** The records of a name and type, at the end of its CNAMEs. None: `absent` says whether the name itself exists. */
export type Lookup = {
  readonly records: readonly Answer[]
  readonly absent: 'ENOTFOUND' | 'ENODATA' | null
  /** A validating server that the operator chose has checked the signatures. */
  readonly authentic: boolean
}

export type ResolverOptions = {
  /** `host[:port]` of each server; none: the system's. */
  servers: readonly string[]
  /** For one question to one server. */
  timeoutMs?: number
  clock: Clock
}

const TIMEOUT_MS = 2_500
/** Over all servers: a slow one is queried again before a look-up fails. */
const ROUNDS = 2
const MAX_CNAMES = 10
const MIN_TTL = 1
const MAX_TTL = 3_600
const NEGATIVE_TTL = 60
/** Each has a socket of its own. */
const PARALLEL = 256
const WAITING = 20_000

/** Queries the servers in turn and caches their answers. Fails with DnsError when none of them can. */
export const createLookup = ({ servers, timeoutMs = TIMEOUT_MS, clock }: ResolverOptions) => {
  const given = servers.map(parseServer)
  const cache = createAnswerCache<Lookup>(clock)
  const running = new Map<string, Promise<Lookup>>()
  const places = createSemaphore({ parallel: PARALLEL, waiting: WAITING })
  const isTrusted = given.length > 0

  const askAll = async (question: DnsQuestion): Promise<Packet> => {
    const all: Server[] = given.length > 0 ? given : getServers().map(parseServer)
    let failure = new DnsError('ETIMEOUT', `no name server answers for ${question.name}`)
    for (const server of Array.from({ length: ROUNDS }, () => all).flat()) {
      try {
        const answer = await ask(server, question, timeoutMs)
        if (isFinal(answer)) return answer
        failure = new DnsError('ESERVFAIL', `the name servers cannot answer for ${question.name}`)
      } catch (error) {
        failure = new DnsError('ETIMEOUT', `no name server answers for ${question.name}`, { cause: error })
      }
    }
    throw failure
  }

  const lookUp = async ({ name, type }: DnsQuestion): Promise<Lookup> => {
    let owner = name
    let ttl = MAX_TTL
    let authentic = isTrusted
    for (let asked = 0; asked <= MAX_CNAMES; asked += 1) {
      const answer = await askAll({ name: owner, type })
      const found = follow(answer, owner, type)
      authentic &&= isAuthentic(answer)
      ttl = Math.min(ttl, found.ttl)
      if (found.records.length > 0)
        return keep({ name, type }, { records: found.records, absent: null, authentic }, ttl)
      // A server that is not recursive leaves the rest of the way to us.
      if (found.owner === owner || !isNoError(answer)) {
        const absent = isNoError(answer) ? 'ENODATA' : 'ENOTFOUND'
        return keep({ name, type }, { records: [], absent, authentic }, Math.min(ttl, NEGATIVE_TTL))
      }
      owner = found.owner
    }
    throw new DnsError('ESERVFAIL', `the CNAME records of ${name} lead too far`)
  }

  const keep = ({ name, type }: DnsQuestion, found: Lookup, ttl: number): Lookup => {
    cache.keep(`${type} ${name}`, found, Math.max(MIN_TTL, ttl))
    return found
  }

  return async (given: string, type: RecordType): Promise<Lookup> => {
    const name = askedName(given)
    if (name === null) throw new DnsError('ENOTFOUND', 'this is not a name')
    const key = `${type} ${name}`
    const known = cache.get(key) ?? running.get(key)
    if (known) return known
    const asking = places.run(() => lookUp({ name, type })).finally(() => running.delete(key))
    running.set(key, asking)
    return asking
  }
}

/** RFC 1035 §4.1.1 */
const RCODE_BITS = 0xf
const NOERROR = 0
const NXDOMAIN = 3

const rcodeOf = ({ flags = 0 }: Packet): number => flags & RCODE_BITS
const isNoError = (answer: Packet): boolean => rcodeOf(answer) === NOERROR
/** Anything else (SERVFAIL, REFUSED …) is an answer that another server may improve. */
const isFinal = (answer: Packet): boolean => isNoError(answer) || rcodeOf(answer) === NXDOMAIN
const isAuthentic = ({ flags = 0 }: Packet): boolean => (flags & dnsPacket.AUTHENTIC_DATA) !== 0

/** Walks along the CNAMEs of an answer to the records that were asked for. */
const follow = (answer: Packet, from: string, type: RecordType) => {
  const all = answer.answers ?? []
  const at = (owner: string, wanted: RecordType): Answer[] =>
    all.filter((record) => record.type === wanted && canonicalName(record.name) === owner)
  let owner = from
  let ttl = MAX_TTL
  for (let hop = 0; hop <= MAX_CNAMES; hop += 1) {
    const records = at(owner, type)
    if (records.length > 0) return { records, owner, ttl: Math.min(ttl, ...records.map(ttlOf)) }
    const [alias] = at(owner, 'CNAME')
    if (alias?.type !== 'CNAME') return { records: [], owner, ttl }
    ttl = Math.min(ttl, ttlOf(alias))
    owner = canonicalName(alias.data)
  }
  throw new DnsError('ESERVFAIL', `the CNAME records of ${from} lead too far`)
}

const ttlOf = (record: Answer): number => ('ttl' in record && typeof record.ttl === 'number' ? record.ttl : 0)
