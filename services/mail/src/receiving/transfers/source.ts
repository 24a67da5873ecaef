import { parseHost } from '@stoa/kit/egress/address.ts'
import { createEgress, type Egress } from '@stoa/kit/egress/egress.ts'
import { EgressFailed, EgressRefused } from '@stoa/kit/egress/errors.ts'
import type { TransferSecurity } from '@stoa/mail-model/transfers.ts'
import type { Config } from '../../config.ts'
import { failMember } from '../../errors.ts'

/** Where mail is copied from. */
export type Source = { host: string; port: number; security: TransferSecurity }

/** IMAP, and IMAP over TLS. */
const PORTS = [143, 993]

/** The way to sources: public hosts and the two ports, unless the operator allows more. */
export const createTransferEgress = (config: Pick<Config, 'transferAllowPrivate' | 'dnsResolvers'>): Egress =>
  createEgress({
    ports: PORTS,
    allowPrivate: config.transferAllowPrivate,
    ...(config.dnsResolvers.length > 0 && { resolvers: config.dnsResolvers }),
  })

/** Refuses what cannot be a source, without a connection. */
export const checkSource = ({ allowPrivate }: Pick<Egress, 'allowPrivate'>, source: Source): void => {
  if (source.security === 'none' && !allowPrivate) failMember('security', 'must be tls or starttls')
  if (parseHost(source.host) === null) failMember('host', 'must be a server name like imap.example.com')
  if (!allowPrivate && !PORTS.includes(source.port)) failMember('port', 'must be 993 or 143')
}

/** Refuses a source that may not be reached. One that does not answer now may do so later. */
export const checkReach = async (egress: Egress, source: Source): Promise<void> => {
  try {
    await addressesOf(egress, source)
  } catch (error) {
    if (error instanceof EgressRefused) failMember('host', "the server couldn't be reached")
    if (!(error instanceof EgressFailed)) throw error
  }
}

/** What a host is now; every address of it may be connected to. */
export const addressesOf = async (
  egress: Egress,
  { host: text, port }: Pick<Source, 'host' | 'port'>,
): Promise<{ host: string; addresses: readonly string[] }> => {
  const host = parseHost(text)
  if (host === null) throw new EgressRefused('invalid_url')
  const written = host.kind === 'name' ? host.name : host.address.includes(':') ? `[${host.address}]` : host.address
  const { addresses } = await egress.check(`https://${written}:${port}/`)
  return { host: host.kind === 'name' ? host.name : host.address, addresses }
}
