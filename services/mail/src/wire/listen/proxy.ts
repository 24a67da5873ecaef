import { isIP, type Socket } from 'node:net'

/** The start of a connection: no header, an incomplete one, an invalid one, or the client's address. */
export type ProxyHeader =
  | { readonly kind: 'none' }
  | { readonly kind: 'more' }
  | { readonly kind: 'broken' }
  /** A null address is the proxy's own connection, such as a health check. */
  | { readonly kind: 'header'; readonly ip: string | null; readonly length: number }

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const V1 = Buffer.from('PROXY ')
/** The length of the longest version 1 header, with its line end. */
const V1_MAX = 107
/** More than all addresses and TLVs that proxies send. */
const V2_MAX = 4_096

/** Reads a header of the PROXY protocol, version 1 or 2. Only for peers that are trusted to send one. */
export const readProxyHeader = (bytes: Buffer): ProxyHeader => {
  if (startsLike(bytes, V1)) return bytes.length < V1.length ? { kind: 'more' } : readV1(bytes)
  if (startsLike(bytes, SIGNATURE)) return bytes.length < SIGNATURE.length + 4 ? { kind: 'more' } : readV2(bytes)
  return { kind: 'none' }
}

/** The client that the peer names, and what came after it; null when the header is invalid, incomplete in time, or cut off. */
export const askProxy = (
  socket: Socket,
  { ms, stopping }: { ms: number; stopping: AbortSignal },
): Promise<{ ip: string | null; early: Buffer } | null> =>
  new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    const finish = (said: { ip: string | null; early: Buffer } | null) => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', give)
      socket.off('data', onData).off('end', give).off('close', give).pause()
      resolve(said)
    }
    // A peer that sends nothing at all waits for our greeting: such as a client that connects without the proxy.
    const give = () => finish(bytes.length > 0 ? null : { ip: null, early: bytes })
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const header = readProxyHeader(bytes)
      if (header.kind === 'header') finish({ ip: header.ip, early: bytes.subarray(header.length) })
      else if (header.kind === 'broken') finish(null)
      else if (header.kind === 'none') finish({ ip: null, early: bytes })
    }
    const timer = setTimeout(give, ms)
    stopping.addEventListener('abort', give)
    socket.on('data', onData).on('end', give).on('close', give)
  })

const startsLike = (bytes: Buffer, start: Buffer): boolean => {
  const length = Math.min(bytes.length, start.length)
  return length > 0 && bytes.subarray(0, length).equals(start.subarray(0, length))
}

const readV1 = (bytes: Buffer): ProxyHeader => {
  const end = bytes.indexOf('\r\n')
  if (end === -1) return bytes.length >= V1_MAX ? { kind: 'broken' } : { kind: 'more' }
  if (end + 2 > V1_MAX) return { kind: 'broken' }
  const [, family, source = '', target = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  if (family === 'UNKNOWN') return { kind: 'header', ip: null, length: end + 2 }
  const version = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : -1
  const isRight =
    isIP(source) === version && isIP(target) === version && ports.length === 2 && ports.every((port) => isPort(port))
  return isRight ? { kind: 'header', ip: plain(source), length: end + 2 } : { kind: 'broken' }
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535

const readV2 = (bytes: Buffer): ProxyHeader => {
  const command = bytes.readUInt8(12)
  const family = bytes.readUInt8(13)
  const length = bytes.readUInt16BE(14)
  const total = 16 + length
  if (command >> 4 !== 2 || total > V2_MAX || (command & 15) > 1) return { kind: 'broken' }
  if (bytes.length < total) return { kind: 'more' }
  // LOCAL, or a family of addresses that is not that of the internet.
  if ((command & 15) === 0 || family === 0) return { kind: 'header', ip: null, length: total }
  if (family === 0x11 && length >= 12)
    return { kind: 'header', ip: [...bytes.subarray(16, 20)].join('.'), length: total }
  if (family === 0x21 && length >= 36) return { kind: 'header', ip: plain(ipv6(bytes.subarray(16, 32))), length: total }
  return { kind: 'broken' }
}

const ipv6 = (bytes: Buffer): string =>
  Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')

/** An IPv4 address that is written as IPv6 is counted as what it is. */
export const plain = (ip: string): string => {
  const [, mapped] = /^(?:::ffff:|0:0:0:0:0:ffff:)(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? []
  if (mapped) return mapped
  const [, high, low] = /^0:0:0:0:0:ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(ip) ?? []
  if (high === undefined || low === undefined) return ip
  const value = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.')
}
