import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import dnsPacket, { type Packet, type RecordType } from 'dns-packet'
import { canonicalName } from './names.ts'

export type Server = { host: string; port: number }
export type DnsQuestion = { name: string; type: RecordType }

/** A size that fits every path without fragments; longer answers come over TCP (RFC 9715). */
const UDP_BYTES = 1232
/** RFC 1035 §4.2.2: the length before a message has two bytes. */
const LENGTH_BYTES = 2
const DEFAULT_PORT = 53

/** Reads `host`, `host:port` or `[address]:port`. */
export const parseServer = (text: string): Server => {
  if (isIPv6(text)) return { host: text, port: DEFAULT_PORT }
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === '') throw new TypeError(`'${text}' is no name server`)
  return { host, port: port === undefined ? DEFAULT_PORT : Number(port) }
}

/** Queries one server once, over UDP and, for what does not fit, over TCP. Fails when it does not answer in time. */
export const ask = async (server: Server, question: DnsQuestion, timeoutMs: number): Promise<Packet> => {
  const id = randomInt(0x1_0000)
  const query = encodeQuery(id, question)
  const deadline = AbortSignal.timeout(timeoutMs)
  const isAnswer = (packet: Packet): boolean => answers(packet, id, question)
  const answer = await askUdp(server, query, { isAnswer, deadline })
  return isTruncated(answer) ? askTcp(server, query, { isAnswer, deadline }) : answer
}

const isTruncated = ({ flags = 0 }: Packet): boolean => (flags & dnsPacket.TRUNCATED_RESPONSE) !== 0

type Waiting = { isAnswer(packet: Packet): boolean; deadline: AbortSignal }

const encodeQuery = (id: number, { name, type }: DnsQuestion): Buffer =>
  dnsPacket.encode({
    type: 'query',
    id,
    // RFC 6840 §5.7: asks a validating server to say whether it did.
    flags: dnsPacket.RECURSION_DESIRED | dnsPacket.AUTHENTIC_DATA,
    questions: [{ name, type, class: 'IN' }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: UDP_BYTES,
        flags: 0,
        options: [],
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
      },
    ],
  })

/** RFC 5452 §9: an attacker must guess all of these, and the port. */
const answers = (packet: Packet, id: number, { name, type }: DnsQuestion): boolean => {
  const asked = packet.questions?.[0]
  return (
    packet.id === id &&
    packet.type === 'response' &&
    packet.questions?.length === 1 &&
    asked?.type === type &&
    canonicalName(asked.name) === name
  )
}

/** A socket for each question: its port is one more thing to guess. What is no answer to it is not looked at. */
const askUdp = ({ host, port }: Server, query: Buffer, { isAnswer, deadline }: Waiting): Promise<Packet> =>
  new Promise((resolve, reject) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    const end = (settle: () => void) => {
      deadline.removeEventListener('abort', giveUp)
      socket.removeAllListeners('message').removeAllListeners('error').on('error', ignore)
      socket.close()
      settle()
    }
    const giveUp = () => end(() => reject(new Error('no answer in time')))
    deadline.addEventListener('abort', giveUp)
    socket.on('error', (error) => end(() => reject(error)))
    socket.on('message', (bytes) => {
      const packet = decode(bytes)
      if (packet && isAnswer(packet)) end(() => resolve(packet))
    })
    // Connected: only that server's packets arrive, and a closed port is an error at once.
    socket.connect(port, host, (error?: Error) => {
      if (error) end(() => reject(error))
      else socket.send(query)
    })
    if (deadline.aborted) giveUp()
  })

const askTcp = ({ host, port }: Server, query: Buffer, { isAnswer, deadline }: Waiting): Promise<Packet> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal: deadline })
    const chunks: Buffer[] = []
    let received = 0
    const end = (settle: () => void) => {
      socket.removeAllListeners().on('error', ignore).destroy()
      settle()
    }
    socket.on('connect', () => {
      const length = Buffer.alloc(LENGTH_BYTES)
      length.writeUInt16BE(query.length)
      socket.write(Buffer.concat([length, query]))
    })
    socket.on('error', (error) => end(() => reject(error)))
    socket.on('close', () => end(() => reject(new Error('the server hung up'))))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      received += chunk.length
      const bytes = received < LENGTH_BYTES ? null : Buffer.concat(chunks)
      if (!bytes || received < LENGTH_BYTES + bytes.readUInt16BE(0)) return
      const packet = decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + bytes.readUInt16BE(0)))
      end(() => (packet && isAnswer(packet) ? resolve(packet) : reject(new Error('the answer cannot be read'))))
    })
  })

const decode = (bytes: Buffer): Packet | null => {
  try {
    return dnsPacket.decode(bytes)
  } catch {
    return null
  }
}

const ignore = (): void => undefined
