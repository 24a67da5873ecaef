import { createHash } from 'node:crypto'
import type { RecordKind, RecordType } from '@stoa/mail-model/dns.ts'
import { jmapUrl } from '../../config/servers.ts'
import type { Config } from '../../config.ts'
import type { DkimKey, Domain } from '../domains/domains.ts'

/** A record as its owner must publish it. Host names are without the closing dot; `.` alone is "not offered". */
export type WantedRecord = {
  readonly record: RecordKind
  readonly name: string
  readonly fqdn: string
  readonly type: RecordType
  readonly value: string
  readonly priority: number | null
  readonly weight: number | null
  readonly port: number | null
  readonly required: boolean
}

export type RecordSetConfig = Pick<Config, 'hostname' | 'mxHosts' | 'spfInclude' | 'publicUrl' | 'publicPorts'>
export type RecordSetDomain = Pick<Domain, 'name' | 'ownership_token' | 'dmarc_policy' | 'mta_sts_mode'>
export type RecordSetKey = Pick<DkimKey, 'selector' | 'algorithm' | 'public_key' | 'active'>

export const TTL = 3600
/** MX preferences leave room for what an owner puts between them. */
const MX_STEP = 10

/** Every record that a domain should have, in the order in which it is shown. */
export const recordSet = (
  config: RecordSetConfig,
  domain: RecordSetDomain,
  keys: readonly RecordSetKey[],
): WantedRecord[] => {
  const { spfInclude, hostname } = config
  const web = new URL(config.publicUrl)
  const at = recordsAt(domain.name)
  const spf = spfInclude === null ? 'v=spf1 mx ~all' : `v=spf1 include:${spfInclude} ~all`
  const dmarc = `v=DMARC1; p=${domain.dmarc_policy}; rua=mailto:dmarc-reports@${hostname}`
  return [
    at.txt('Ownership', '_mail-verify', `mail-verify=${domain.ownership_token}`, true),
    ...config.mxHosts.map((host, index) => at.mx(host, (index + 1) * MX_STEP)),
    at.txt('SPF', '@', spf, true),
    ...keys.map((key) => at.txt('DKIM', `${key.selector}._domainkey`, dkimValue(key), key.active)),
    at.txt('DMARC', '_dmarc', dmarc, true),
    ...(domain.mta_sts_mode === 'none'
      ? []
      : [
          at.txt('MTA-STS', '_mta-sts', `v=STSv1; id=${policyId(config, domain)};`),
          at.cname('MTA-STS', 'mta-sts', web.hostname),
        ]),
    at.txt('TLS-RPT', '_smtp._tls', `v=TLSRPTv1; rua=mailto:tls-reports@${hostname}`),
    at.cname('Autoconfig', 'autoconfig', web.hostname),
    at.cname('Autodiscover', 'autodiscover', web.hostname),
    ...doorRecords(at, config, web),
  ]
}

/** What a DKIM key is published as (RFC 6376 §3.6.1). */
export const dkimValue = ({ algorithm, public_key }: Pick<RecordSetKey, 'algorithm' | 'public_key'>): string =>
  `v=DKIM1; k=${algorithm === 'ed25519-sha256' ? 'ed25519' : 'rsa'}; p=${public_key}`

/** What a record's state is stored under: the same for as long as the record means the same. */
export const recordKey = ({ record, type, name, value }: WantedRecord): string =>
  type === 'MX' ? `${record} ${type} ${name} ${value}` : `${record} ${type} ${name}`

/** The policy's id changes when the policy does (RFC 8461 §3.1). */
const policyId = ({ mxHosts }: RecordSetConfig, { mta_sts_mode }: RecordSetDomain): string =>
  createHash('sha256')
    .update(`${mta_sts_mode} ${mxHosts.join(' ')}`)
    .digest('hex')
    .slice(0, 20)

const recordsAt = (domain: string) => {
  const base = (record: RecordKind, name: string, type: RecordType, value: string) => ({
    record,
    name,
    fqdn: name === '@' ? domain : `${name}.${domain}`,
    type,
    value,
    priority: null,
    weight: null,
    port: null,
    required: false,
  })
  return {
    txt: (record: RecordKind, name: string, value: string, required = false): WantedRecord => ({
      ...base(record, name, 'TXT', value),
      required,
    }),
    mx: (host: string, priority: number): WantedRecord => ({
      ...base('MX', '@', 'MX', host),
      priority,
      required: true,
    }),
    cname: (record: RecordKind, name: string, host: string): WantedRecord => base(record, name, 'CNAME', host),
    /** Port 0: the service is not offered (RFC 2782). */
    srv: (record: RecordKind, name: string, to: { host: string; port: number; priority?: number }): WantedRecord => ({
      ...base(record, name, 'SRV', to.port === 0 ? '.' : to.host),
      priority: to.port === 0 ? 0 : (to.priority ?? 0),
      weight: to.port === 0 ? 0 : 1,
      port: to.port,
    }),
  }
}

/** Where clients find the doors: RFC 6186, RFC 8314 §5.1, RFC 5804 §1.8, RFC 8620 §2.2. */
const doorRecords = (at: ReturnType<typeof recordsAt>, config: RecordSetConfig, web: URL): WantedRecord[] => {
  const { hostname: host, publicPorts: ports } = config
  const webPort = Number(web.port) || (web.protocol === 'https:' ? 443 : 80)
  const site = { host: web.hostname, port: webPort }
  return [
    at.srv('SRV', '_autodiscover._tcp', site),
    at.srv('SRV', '_imaps._tcp', { host, port: ports.imapsPort }),
    at.srv('SRV', '_imap._tcp', { host, port: ports.imapPort, priority: 10 }),
    at.srv('SRV', '_pop3s._tcp', { host, port: ports.pop3sPort, priority: 20 }),
    at.srv('SRV', '_pop3._tcp', { host, port: ports.pop3Port, priority: 30 }),
    at.srv('SRV', '_submissions._tcp', { host, port: ports.submissionsPort }),
    at.srv('SRV', '_submission._tcp', { host, port: ports.submissionPort, priority: 5 }),
    at.srv('SRV', '_sieve._tcp', { host, port: ports.manageSievePort }),
    ...(jmapUrl(config) === null ? [] : [at.srv('JMAP', '_jmap._tcp', site)]),
  ]
}
