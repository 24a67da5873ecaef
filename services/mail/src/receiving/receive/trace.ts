import { isIPv6 } from 'node:net'
import { formatMailDate } from '../../formats/mime/mime.ts'
import type { Arrived, Peer } from './parts.ts'

/** The Received field of RFC 5321 §4.4 for one recipient. */
const receivedField = (
  peer: Peer | null,
  { hostname, id, recipient, at }: { hostname: string; id: string; recipient: string; at: Date },
): string => {
  const from = peer ? `from ${peer.helo} (${literal(peer.ip)})\r\n\t` : ''
  const tls = peer?.tls ? `\r\n\t(using ${peer.tls.protocol} with cipher ${peer.tls.cipher})` : ''
  const protocol = peer ? peer.protocol : 'local'
  return `Received: ${from}by ${hostname} with ${protocol} id ${id}${tls}\r\n\tfor <${recipient}>; ${formatMailDate(at)}\r\n`
}

/** RFC 5321 §4.1.3. */
const literal = (ip: string): string => (isIPv6(ip) ? `[IPv6:${ip}]` : `[${ip}]`)

/** RFC 3848. */
export const protocolOf = (session: { isExtended: boolean; tls: object | null; isSignedIn: boolean }): string =>
  session.isExtended ? `ESMTP${session.tls ? 'S' : ''}${session.isSignedIn ? 'A' : ''}` : 'SMTP'

/** The fields that a mailbox has before a message: who sent it, whom it was for, what we found out, how it came. */
export const deliveryPrefix = (arrived: Arrived, { hostname, id, email, recipient, spam }: TraceInput): Buffer => {
  const results = arrived.authenticity?.header ?? ''
  const received = receivedField(arrived.peer, { hostname, id, recipient, at: arrived.receivedAt })
  const fields = `Return-Path: <${arrived.returnPath}>\r\nDelivered-To: ${email}\r\n${spam}${results}${received}`
  return Buffer.concat([Buffer.from(fields), arrived.prefix])
}

export type TraceInput = { hostname: string; id: string; email: string; recipient: string; spam: string }

/** The fields before a message that goes on from a mailbox to somewhere else. */
export const forwardPrefix = (arrived: Arrived, input: Omit<TraceInput, 'spam'> & { mark: string }): Buffer => {
  const { hostname, id, email, recipient, mark } = input
  const results = arrived.authenticity?.header ?? ''
  const received = receivedField(arrived.peer, { hostname, id, recipient, at: arrived.receivedAt })
  return Buffer.concat([Buffer.from(`${results}Delivered-To: ${email}\r\n${mark}${received}`), arrived.prefix])
}
