import type { CertificateNames } from '@stoa/kit/acme/orders.ts'
import type { Clock } from '@stoa/kit/clock.ts'
import { isCertifiable } from '@stoa/kit/config/acme.ts'
import type { Database, Db } from '@stoa/kit/db/database.ts'
import { type CertificatePair, isFor } from '@stoa/kit/tls/pair.ts'
import type { Config } from '../../config.ts'
import { freshResolver } from '../../hosting/dns-records/dns-records.ts'
import { findLocalDomain } from '../../hosting/domains/domains.ts'
import type { Tables } from '../../tables.ts'
import { DnsError } from '../../wire/dns/dns.ts'

/** Subdomains of a customer's domain that are served over https. */
const CUSTOMER_PREFIXES = ['mta-sts', 'autoconfig', 'autodiscover'] as const

type NameConfig = Pick<Config, 'hostname' | 'mxHosts' | 'publicUrl' | 'httpsPort'>

/** The operator's own names: of mail, and of the web unless a proxy serves it. */
export const ownNames = ({ hostname, mxHosts, publicUrl, httpsPort }: NameConfig): string[] => {
  const web = httpsPort === null ? [] : [new URL(publicUrl).hostname]
  return [...new Set([hostname, ...mxHosts, ...web])].filter(isCertifiable)
}

export type NameParts = {
  config: Config
  database: Database<Tables>
  clock: Clock
  /** The certificate in TLS_CERT_FILE; a name that it covers is not ordered. */
  given: CertificatePair | null
}

export const mailCertificateNames = ({ config, database, clock, given }: NameParts): CertificateNames => {
  const own = ownNames(config).filter((name) => !(given && isFor(given, name)))
  const isWeb = config.httpsPort !== null
  /** Fresh each time: a user who has just changed a record must not wait for a cache to expire. */
  const addressesOf = async (name: string): Promise<readonly string[]> => {
    try {
      return await freshResolver(config, clock).addresses(name)
    } catch (error) {
      if (error instanceof DnsError) return []
      throw error
    }
  }
  const hereAddresses = async (): Promise<ReadonlySet<string>> =>
    new Set((await Promise.all(ownNames(config).map(addressesOf))).flat())

  return {
    own,
    missing: (limit) => (isWeb ? findMissingNames(database.db, CUSTOMER_PREFIXES, limit) : Promise.resolve([])),
    async isWanted(name) {
      const [prefix = '', ...rest] = name.split('.')
      if (!isWeb || !CUSTOMER_PREFIXES.some((known) => known === prefix)) return false
      return (await findLocalDomain(database.db, rest.join('.'))) !== null
    },
    async refusal(name) {
      const isOwn = own.includes(name)
      if (isOwn && config.acmeDns) return null
      const addresses = await addressesOf(name)
      if (addresses.length === 0) return 'The name has no address in DNS.'
      if (isOwn) return null
      // Every one of them: an authority may choose any.
      const here = await hereAddresses()
      return addresses.every((address) => here.has(address)) ? null : 'The name points to another server in DNS.'
    },
  }
}

/** Names below verified domains that no certificate was tried for, those of the newest domains first. */
const findMissingNames = async (db: Db<Tables>, prefixes: readonly string[], limit: number): Promise<string[]> => {
  const rows = await db.query<{ name: string }>({
    text: `select prefix || '.' || domain.name as name from domain, unnest($1::text[]) prefix
      where domain.deleted_at is null and domain.verified_at is not null
        and not exists (select from certificate where certificate.name = prefix || '.' || domain.name)
      order by domain.verified_at desc, domain.name, prefix limit $2`,
    values: [prefixes, limit],
  })
  return rows.map(({ name }) => name)
}
