import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import dnsPacket, {
  type Answer,
  type CaaData,
  type MxData,
  type Packet,
  type Question,
  type SoaData,
  type SrvData,
  type TlsaData,
  type TxtData,
} from 'dns-packet'

/** The record types the zone can hold, with the shape of one record's data. */
export type RecordData = {
  A: string
  AAAA: string
  CNAME: string
  NS: string
  PTR: string
  MX: MxData
  TXT: TxtData
  SRV: SrvData
  SOA: SoaData
  CAA: CaaData
  TLSA: TlsaData
}
export type FakeRecordType = keyof RecordData

export type Rcode = 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED'

/** The response to one query. `timeout` never answers; `truncate` sends the client from UDP to TCP. */
export type FakeDnsReply<K extends FakeRecordType> =
  | { answers: readonly RecordData[K][]; ttl?: number; delayMs?: number; truncate?: boolean }
  | { rcode: Rcode; delayMs?: number }
  | 'timeout'

export type FakeDnsQuery = { name: string; type: string; transport: 'udp' | 'tcp' }

export type FakeDns = {
  /** `host:port`, for UDP and TCP. */
  readonly address: string
  readonly port: number
  /** Replaces the records of a name and type. An empty list means: the name exists, this type does not. */
  set<K extends FakeRecordType>(
    name: string,
    type: K,
    answers: readonly RecordData[K][],
    options?: { ttl?: number; delayMs?: number; truncate?: boolean },
  ): void
  /** Answers the first query with the first reply and so on; the last one stays. For rebinding and recovery. */
  sequence<K extends FakeRecordType>(name: string, type: K, replies: readonly FakeDnsReply<K>[]): void
  /** Every query for this name and type fails this way. */
  fail(name: string, type: FakeRecordType, how: Rcode | 'timeout'): void
  /** Forgets a name: it does not exist any more. */
  remove(name: string): void
  /** The queries so far, oldest first, with names as they were spelled. */
  queries(name?: string, type?: FakeRecordType): FakeDnsQuery[]
  close(): Promise<void>
}

export type FakeDnsPlace = { host?: string; port?: number }

/** An authoritative DNS server, on a free port of loopback if absent, that answers only what a test has scripted. */
export const startFakeDns = async ({ host = '127.0.0.1', port: wanted = 0 }: FakeDnsPlace = {}): Promise<FakeDns> => {
  const zone: Zone = new Map()
  const log: FakeDnsQuery[] = []
  const stop = new AbortController()

  const answer = async (bytes: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | null> => {
    const query = decode(bytes)
    if (query === null) return bytes.length < HEADER_BYTES ? null : failure(bytes.readUInt16BE(0), [], 'FORMERR')
    if (query.type !== 'query') return null
    const refusal = refuse(query)
    const question = query.questions?.[0]
    if (refusal || !question) return failure(query.id ?? 0, query.questions ?? [], refusal ?? 'FORMERR')
    log.push({ name: question.name, type: question.type, transport })
    const found = lookUp(zone, question)
    if (found === 'timeout') return null
    if (found.delayMs) await sleep(found.delayMs, undefined, { signal: stop.signal })
    return 'rcode' in found
      ? failure(query.id ?? 0, [question], found.rcode)
      : success(query, question, found, transport)
  }

  const { udp, tcp, port, connections } = await listen(answer, stop.signal, { host, port: wanted })

  const put = (name: string, type: FakeRecordType, replies: readonly StoredReply[]) => {
    const key = canonical(name)
    const types = zone.get(key) ?? new Map<string, StoredReply[]>()
    zone.set(key, types.set(type, [...replies]))
  }
  return {
    address: `${host}:${port}`,
    port,
    set: (name, type, answers, options = {}) => put(name, type, [{ answers, ...options }]),
    sequence: (name, type, replies) => put(name, type, replies),
    fail: (name, type, how) => put(name, type, [how === 'timeout' ? how : { rcode: how }]),
    remove: (name) => void zone.delete(canonical(name)),
    queries: (name, type) =>
      log.filter(
        (query) =>
          (name === undefined || canonical(query.name) === canonical(name)) &&
          (type === undefined || query.type === type),
      ),
    async close() {
      stop.abort()
      for (const connection of connections) connection.destroy()
      const closed = [once(udp, 'close'), once(tcp, 'close')]
      udp.close()
      tcp.close()
      await Promise.all(closed)
    },
  }
}

type StoredReply =
  | { answers: readonly RecordData[FakeRecordType][]; ttl?: number; delayMs?: number; truncate?: boolean }
  | { rcode: Rcode; delayMs?: number }
  | 'timeout'
type Zone = Map<string, Map<string, StoredReply[]>>
type Found = { records: Answer[]; delayMs: number; truncate: boolean } | { rcode: Rcode; delayMs?: number } | 'timeout'
type AnswerQuery = (bytes: Buffer, transport: 'udp' | 'tcp') => Promise<Buffer | null>

const HEADER_BYTES = 12
/** RFC 1035 §4.2.1, when the client does not say more by EDNS. */
const PLAIN_UDP_BYTES = 512
const OPCODE_BITS = 0x7800
const MAX_CNAMES = 8
const DEFAULT_TTL = 60
const RCODES: Record<Rcode, number> = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 }

const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, '')

const decode = (bytes: Buffer): Packet | null => {
  try {
    return dnsPacket.decode(bytes)
  } catch {
    return null
  }
}

const refuse = (query: Packet): Rcode | null => {
  if (((query.flags ?? 0) & OPCODE_BITS) !== 0) return 'NOTIMP'
  if (query.questions?.length !== 1) return 'FORMERR'
  return query.questions[0]?.class === 'IN' ? null : 'REFUSED'
}

const lookUp = (zone: Zone, question: Question): Found => {
  const records: Answer[] = []
  let owner = question.name
  for (let hop = 0; hop < MAX_CNAMES; hop += 1) {
    const types = zone.get(canonical(owner))
    const isAlias = types?.has('CNAME') === true && !types.has(question.type)
    const type = isAlias ? 'CNAME' : question.type
    const reply = types === undefined ? undefined : take(types.get(type))
    if (reply === 'timeout') return reply
    if (reply === undefined) return exists(zone, owner) || hop > 0 ? nothing(records) : { rcode: 'NXDOMAIN' }
    if ('rcode' in reply) return reply
    const found = reply.answers.map((data) => record(owner, type, data, reply.ttl ?? DEFAULT_TTL))
    records.push(...found)
    const next = isAlias ? reply.answers[0] : undefined
    if (typeof next !== 'string') return { records, delayMs: reply.delayMs ?? 0, truncate: reply.truncate ?? false }
    owner = next
  }
  return { rcode: 'SERVFAIL' }
}

/** The next reply of a sequence; the last one is never used up. */
const take = (replies: StoredReply[] | undefined): StoredReply | undefined =>
  replies && replies.length > 1 ? replies.shift() : replies?.[0]

/** RFC 8020: a name with something below it exists, even without records of its own. */
const exists = (zone: Zone, name: string): boolean => {
  const wanted = canonical(name)
  return [...zone.keys()].some((key) => key === wanted || key.endsWith(`.${wanted}`))
}

const nothing = (records: Answer[]): Found => ({ records, delayMs: 0, truncate: false })

// `set` ties the data to the type; the compiler cannot follow that through the map.
const record = (name: string, type: string, data: unknown, ttl: number): Answer =>
  ({ name, type, class: 'IN', ttl, data }) as Answer

const failure = (id: number, questions: Question[], rcode: Rcode): Buffer =>
  dnsPacket.encode({ type: 'response', id, flags: dnsPacket.AUTHORITATIVE_ANSWER | RCODES[rcode], questions })

const success = (
  query: Packet,
  question: Question,
  found: { records: Answer[]; truncate: boolean },
  transport: 'udp' | 'tcp',
): Buffer => {
  const opt = query.additionals?.find((additional) => additional.type === 'OPT')
  const build = (answers: Answer[], flags: number) =>
    dnsPacket.encode({
      type: 'response',
      id: query.id ?? 0,
      flags: dnsPacket.AUTHORITATIVE_ANSWER | flags,
      questions: [question],
      answers,
      additionals: opt ? [{ ...opt, options: [] }] : [],
    })
  const full = build(found.records, 0)
  const room = opt && 'udpPayloadSize' in opt ? Math.max(PLAIN_UDP_BYTES, opt.udpPayloadSize) : PLAIN_UDP_BYTES
  if (transport === 'udp' && (found.truncate || full.length > room)) return build([], dnsPacket.TRUNCATED_RESPONSE)
  return full
}

const listen = async (answer: AnswerQuery, signal: AbortSignal, place: Required<FakeDnsPlace>) => {
  const connections = new Set<Socket>()
  const tcp = createServer((socket) => {
    connections.add(socket.on('close', () => connections.delete(socket)).on('error', () => socket.destroy()))
    serveTcp(socket, answer, signal)
  })
  // UDP and TCP need the same port: take a free TCP port, then hope that the UDP port is free, too.
  for (let tried = 0; ; tried += 1) {
    tcp.listen(place.port, place.host)
    await once(tcp, 'listening')
    const address = tcp.address()
    if (address === null || typeof address === 'string') throw new Error('the DNS fake has no port')
    const udp = await bindUdp(address.port, place.host)
    if (udp) {
      udp.on('message', (bytes, peer) => {
        answer(bytes, 'udp').then((reply) => {
          if (reply && !signal.aborted) udp.send(reply, peer.port, peer.address)
        }, whenStopped(signal))
      })
      return { udp, tcp, port: address.port, connections }
    }
    tcp.close()
    await once(tcp, 'close')
    if (tried === 20) throw new Error('the DNS fake found no port that is free for UDP and TCP')
  }
}

const bindUdp = (port: number, host: string): Promise<UdpSocket | null> =>
  new Promise((resolve) => {
    const udp = createSocket('udp4')
    udp.once('error', () => udp.close(() => resolve(null)))
    udp.bind(port, host, () => resolve(udp.removeAllListeners('error')))
  })

/** RFC 1035 §4.2.2: two bytes of length before each message. */
const serveTcp = (socket: Socket, answer: AnswerQuery, signal: AbortSignal): void => {
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0)
      const message = pending.subarray(2, end)
      pending = pending.subarray(end)
      answer(message, 'tcp').then((reply) => {
        if (reply === null || socket.destroyed) return
        const length = Buffer.alloc(2)
        length.writeUInt16BE(reply.length)
        socket.write(Buffer.concat([length, reply]))
      }, whenStopped(signal))
    }
  })
}

/** A delay that `close` interrupted is no failure; anything else is a mistake of the test. */
const whenStopped = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error
}
