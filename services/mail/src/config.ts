import { type Acme, acmeVariables, readAcme } from '@stoa/kit/config/acme.ts'
import { type AcmeDns, acmeDnsVariables, readAcmeDns } from '@stoa/kit/config/acme-dns.ts'
import { type BackupSettings, backupVariables, readBackupSettings } from '@stoa/kit/config/backup.ts'
import { type DnsApiBases, dnsVariables, readDnsApiBases } from '@stoa/kit/config/dns-apis.ts'
import {
  boolean,
  bytes,
  cidrList,
  host,
  hostPortList,
  integer,
  list,
  listOf,
  masterSecret,
  nodeEnv,
  oneOf,
  optionalPort,
  origin,
  port,
  secretUrl,
  text,
  url,
} from '@stoa/kit/config/kinds.ts'
import { ConfigError, defineConfig, type Env, type Environment, loadConfig } from '@stoa/kit/config.ts'
import { type Cidr, parseCidr } from '@stoa/kit/http/client-address.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { workersText } from '@stoa/kit/workers/count.ts'
import { type Doors, doorVariables, readDoors, readPublicDoors } from './config/doors.ts'
import { type Names, nameVariables, readNames } from './config/names.ts'
import { type Payment, paymentVariables, readPayment } from './config/payment.ts'
import { readStorage, type Storage, storageVariables } from './config/storage.ts'

/** The parts of the service; a process runs all of them by default. */
export const ROLES = ['smtp', 'imap', 'http', 'worker'] as const

/** Large hosts that authenticate what they forward and seal it (RFC 8617). */
const TRUSTED_SEALERS = ['google.com', 'microsoft.com', 'messagingengine.com', 'fastmail.com', 'pobox.com']

const postgresUrl = secretUrl('postgres', 'postgresql')

/** What the mail service reads from its environment; the reference in the docs is compared with it. */
export const variables = defineConfig({
  MAIL_PORT: port({ default: '4400', alias: ['PORT'], doc: 'Port of the control panel and its API.' }),
  MAIL_HOST: host({ default: '0.0.0.0', alias: ['HOST'], doc: 'IP address the mail service listens on.' }),
  MAIL_PUBLIC_URL: origin({
    alias: ['PUBLIC_URL'],
    defaultText: 'http://localhost and the port',
    doc: 'URL of the control panel in browsers, like https://mail.example.com. Cookies are Secure if it starts with https.',
  }),
  MAIL_DATABASE_URL: postgresUrl({
    required: true,
    alias: ['DATABASE_URL'],
    defaultText: 'the embedded PostgreSQL',
    doc: 'PostgreSQL database of the mail service, like postgres://user:password@host:port/name.',
  }),
  MAIL_DATABASE_DIRECT_URL: postgresUrl({
    alias: ['DATABASE_DIRECT_URL'],
    defaultText: 'MAIL_DATABASE_URL',
    doc: 'The same database without PgBouncer, if MAIL_DATABASE_URL leads through PgBouncer in transaction mode. Used for notifications and migrations.',
  }),
  DB_POOL_SIZE: integer({ min: 1, max: 1000 })({ default: '5', doc: 'Database connections per process.' }),
  SECRET: masterSecret({
    defaultText: 'generated on the first start in development',
    doc: 'Signs sessions and encrypts stored credentials. Use at least 32 random characters in production.',
  }),
  NODE_ENV: nodeEnv({
    doc: 'Set to production when real people use the service. The service then refuses to start with unsafe settings.',
  }),
  LOG_LEVEL: oneOf(
    'trace',
    'debug',
    'info',
    'warn',
    'error',
    'fatal',
    'silent',
  )({
    default: 'info',
    doc: 'Minimum level of log lines.',
  }),
  RATE_LIMIT_PER_SECOND: integer({ min: 1, max: 1_000_000 })({
    default: '10',
    doc: "API requests per second for each account, and for each IP address that isn't signed in.",
  }),
  SIGNUPS: oneOf(
    'open',
    'closed',
  )({ default: 'open', doc: 'Whether anyone can sign up. The first account can always be created.' }),
  TRUSTED_PROXIES: cidrList({
    default: '',
    doc: 'Networks of trusted proxies, whose X-Forwarded-For header is used, like 10.0.0.0/8.',
  }),
  DRAIN_SECONDS: integer({ min: 0, max: 60 })({
    default: '0',
    doc: "How many seconds the service keeps serving requests after it was told to stop, while /readyz returns 503. Set it slightly above your proxy's health check interval, so that the proxy sends new requests elsewhere.",
  }),
  MAIL_METRICS_PORT: optionalPort({
    default: '',
    alias: ['METRICS_PORT'],
    doc: "Port of MAIL_METRICS_HOST with the mail service's Prometheus metrics of all processes at /metrics, and with /healthz and /readyz. Leave empty to turn it off.",
  }),
  MAIL_METRICS_HOST: host({
    default: '127.0.0.1',
    alias: ['METRICS_HOST'],
    doc: 'IP address of the port for metrics and health. A load balancer on another machine needs it where the role http is missing; use a private address, because everyone who reaches it can read the metrics.',
  }),
  MAIL_ROLES: listOf(...ROLES)({
    default: ROLES.join(','),
    doc: 'What this instance does: smtp (receiving and submission), imap (IMAP, POP3, ManageSieve), http, worker (queue, jobs).',
  }),
  MAIL_WORKERS: integer({ min: 1, max: 64 })({
    alias: ['WORKERS'],
    defaultText: workersText,
    doc: 'Number of mail service processes that share its ports. Each uses DB_POOL_SIZE + 1 database connections. npm run dev uses 1.',
  }),
  ...nameVariables,
  ...acmeVariables,
  ...acmeDnsVariables,
  MAIL_HTTP_CHALLENGE_PORT: optionalPort({
    default: '80',
    alias: ['HTTP_CHALLENGE_PORT'],
    doc: 'With ACME on: port where the certificate authority checks host names. Other requests are redirected to https. 0 turns it off.',
  }),
  MAIL_HTTPS_PORT: optionalPort({
    default: '',
    alias: ['HTTPS_PORT'],
    doc: 'Port for the control panel, webmail and the API over https without a proxy, like 443. Leave empty if a proxy does this.',
  }),
  ...doorVariables,
  ...storageVariables,
  ...backupVariables,
  DNS_RESOLVERS: hostPortList({ defaultPort: 53 })({
    default: '',
    defaultText: "the system's",
    doc: 'Comma-separated DNS resolvers, as IP address or host name, optionally with a port, like 127.0.0.1,[::1]:5353. A host name is looked up once, at the start. DANE requires validating resolvers on a trusted network path.',
  }),
  SMTP_OUTBOUND_PORT: integer({ min: 1, max: 65_535 })({
    default: '25',
    doc: 'Port to connect to when delivering mail to other servers.',
  }),
  RELAY_URL: secretUrl(
    'smtp',
    'smtps',
  )({ doc: 'Relay for all outgoing mail, like smtp://user:password@host:port or smtps://….' }),
  OUTBOUND_ALLOW_PRIVATE: boolean({ default: 'false', doc: 'Allow delivering mail to servers at private addresses.' }),
  WEBHOOK_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: 'Allow webhooks to private addresses, any port and plain http.',
  }),
  TRANSFER_ALLOW_PRIVATE_HOSTS: boolean({
    default: 'false',
    doc: 'Allow copying mailboxes from servers at private addresses, on any port and without TLS.',
  }),
  ATTACHMENT_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: 'Allow downloading attachments given as a URL from private addresses, any port and plain http.',
  }),
  IMAGE_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: 'Allow loading images in mail from private addresses, any port and plain http.',
  }),
  UNSUBSCRIBE_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: 'Allow unsubscribing from mailing lists at private addresses, any port and plain http.',
  }),
  MAX_MESSAGE_BYTES: bytes({ min: 64 * 1024, max: 1024 * 2 ** 20 })({
    default: '52428800',
    doc: 'Maximum size of a received or sent message, in bytes or as a size like 50 MB.',
  }),
  SMTP_MAX_PER_IP: integer({ min: 1, max: 100_000 })({
    default: '50',
    doc: 'Maximum SMTP connections per IP address.',
  }),
  IMAP_MAX_PER_IP: integer({ min: 1, max: 100_000 })({
    default: '50',
    doc: 'Maximum IMAP and POP3 connections per IP address.',
  }),
  IMAP_MAX_PER_USER: integer({ min: 1, max: 10_000 })({
    default: '20',
    doc: 'Maximum IMAP and POP3 connections per mailbox.',
  }),
  LIMIT_EXEMPT: cidrList({
    default: '',
    doc: 'Networks that are exempt from the limits per IP address, for example of a webmail or a monitoring system.',
  }),
  ARC_TRUSTED_SEALERS: list({
    default: TRUSTED_SEALERS.join(','),
    doc: 'Comma-separated domains of forwarders and mailing lists whose ARC seals are trusted.',
  }),
  RSPAMD_URL: url('http', 'https')({ doc: 'URL of an rspamd server to use in addition to the built-in spam filter.' }),
  SCANNER_URL: url('http', 'https')({ doc: 'URL of a malware scanner that checks every message.' }),
  ...paymentVariables,
  ...dnsVariables,
  SECURITY_CONTACT: text({ doc: 'Contact in security.txt, like mailto:security@example.com or https://….' }),
})

export type MailRole = (typeof ROLES)[number]

export type Config = Readonly<{
  port: number
  host: string
  publicUrl: string
  databaseUrl: Secret
  /** The same database without a connection pooler; null when there is none. */
  databaseDirectUrl: Secret | null
  databasePoolSize: number
  secret: Secret
  environment: Environment
  logLevel: string
  ratePerSecond: number
  signups: 'open' | 'closed'
  trustedProxies: readonly Cidr[]
  drainSeconds: number
  metricsPort: number | null
  metricsHost: string
  roles: ReadonlySet<MailRole>
  /** Null: what the machine and the database have room for. */
  workers: number | null
  dataDir: string
  storage: Storage
  backup: BackupSettings
  /** `host:port` of each name server; none: the system's. */
  dnsResolvers: readonly string[]
  outboundPort: number
  relayUrl: Secret | null
  outboundAllowPrivate: boolean
  webhookAllowPrivate: boolean
  transferAllowPrivate: boolean
  attachmentAllowPrivate: boolean
  imageAllowPrivate: boolean
  unsubscribeAllowPrivate: boolean
  maxMessageBytes: number
  smtpMaxPerIp: number
  imapMaxPerIp: number
  imapMaxPerUser: number
  limitExempt: readonly Cidr[]
  arcTrustedSealers: readonly string[]
  rspamdUrl: string | null
  scannerUrl: string | null
  billing: 'on' | 'off'
  payment: Payment
  /** Addresses of DNS APIs that the operator chose in place of the providers' own. */
  dnsApiBases: DnsApiBases
  securityContact: string | null
  /** Null: certificates are not ordered. */
  acme: Acme | null
  /** Null: the operator's own names are proven over HTTP, too. */
  acmeDns: AcmeDns | null
  challengePort: number | null
  /** Null: https is somebody else's. */
  httpsPort: number | null
  /** The ports that clients are given. */
  publicPorts: Doors
}> &
  Names &
  Doors

/** Reads the environment once; all that is wrong with it is reported together. */
export const readConfig = (env: Env = process.env): Config => {
  // Set by the launcher when the CMS runs beside us and owns the bare names too.
  const values = loadConfig(variables, { env, alone: env.STOA_ALONE !== 'false' })
  const names = readNames(values)
  const doors = readDoors(values)
  const roles = new Set(values.MAIL_ROLES)
  const acme = readAcme(values)
  const httpsPort = values.MAIL_HTTPS_PORT
  const isMissing = names.tls === null && acme === null && needsCertificate({ ...doors, roles, httpsPort })
  if (isMissing && values.NODE_ENV === 'production')
    throw new ConfigError([{ name: 'TLS_CERT_FILE', problem: `is missing. Set it: ${variables.TLS_CERT_FILE.doc}` }])
  return Object.freeze({
    ...names,
    ...doors,
    publicPorts: readPublicDoors(values),
    port: values.MAIL_PORT,
    host: values.MAIL_HOST,
    publicUrl: values.MAIL_PUBLIC_URL ?? `http://localhost:${values.MAIL_PORT}`,
    databaseUrl: values.MAIL_DATABASE_URL,
    databaseDirectUrl: values.MAIL_DATABASE_DIRECT_URL ?? null,
    databasePoolSize: values.DB_POOL_SIZE,
    secret: values.SECRET,
    environment: values.NODE_ENV,
    logLevel: values.LOG_LEVEL,
    ratePerSecond: values.RATE_LIMIT_PER_SECOND,
    signups: values.SIGNUPS,
    trustedProxies: values.TRUSTED_PROXIES.map(parseCidr),
    drainSeconds: values.DRAIN_SECONDS,
    metricsPort: values.MAIL_METRICS_PORT,
    metricsHost: values.MAIL_METRICS_HOST,
    roles,
    workers: values.MAIL_WORKERS ?? null,
    dataDir: values.DATA_DIR,
    storage: readStorage(values, values.NODE_ENV),
    backup: readBackupSettings(values),
    dnsResolvers: values.DNS_RESOLVERS,
    outboundPort: values.SMTP_OUTBOUND_PORT,
    relayUrl: values.RELAY_URL ?? null,
    outboundAllowPrivate: values.OUTBOUND_ALLOW_PRIVATE,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    transferAllowPrivate: values.TRANSFER_ALLOW_PRIVATE_HOSTS,
    attachmentAllowPrivate: values.ATTACHMENT_ALLOW_PRIVATE,
    imageAllowPrivate: values.IMAGE_ALLOW_PRIVATE,
    unsubscribeAllowPrivate: values.UNSUBSCRIBE_ALLOW_PRIVATE,
    maxMessageBytes: values.MAX_MESSAGE_BYTES,
    smtpMaxPerIp: values.SMTP_MAX_PER_IP,
    imapMaxPerIp: values.IMAP_MAX_PER_IP,
    imapMaxPerUser: values.IMAP_MAX_PER_USER,
    limitExempt: values.LIMIT_EXEMPT.map(parseCidr),
    arcTrustedSealers: values.ARC_TRUSTED_SEALERS.map((name) => name.toLowerCase()),
    rspamdUrl: values.RSPAMD_URL ?? null,
    scannerUrl: values.SCANNER_URL ?? null,
    billing: values.BILLING,
    payment: readPayment(values),
    dnsApiBases: readDnsApiBases(values),
    securityContact: values.SECURITY_CONTACT ?? null,
    acme,
    acmeDns: readAcmeDns(values),
    challengePort: values.MAIL_HTTP_CHALLENGE_PORT,
    httpsPort,
  })
}

/** What the operator's commands need: the database, and what the service signs and seals with. */
export type CommandConfig = Pick<Config, 'databaseUrl' | 'secret' | 'environment' | 'hostname'>

/** Reads only that, so that a command works on a machine where the service itself would not start. */
export const readCommandConfig = (env: Env = process.env): CommandConfig => {
  const { MAIL_DATABASE_URL, MAIL_DATABASE_DIRECT_URL, SECRET, NODE_ENV } = variables
  const definition = { ...nameVariables, MAIL_DATABASE_URL, MAIL_DATABASE_DIRECT_URL, SECRET, NODE_ENV }
  const values = loadConfig(definition, { env, alone: env.STOA_ALONE !== 'false' })
  return {
    // Few statements and a migration: not worth a pooler.
    databaseUrl: values.MAIL_DATABASE_DIRECT_URL ?? values.MAIL_DATABASE_URL,
    secret: values.SECRET,
    environment: values.NODE_ENV,
    hostname: readNames(values).hostname,
  }
}

/** Whether this process has a listener that uses TLS. */
export const needsCertificate = (config: Doors & Pick<Config, 'roles' | 'httpsPort'>): boolean => {
  const { roles, httpsPort, smtpPort, submissionPort, submissionsPort } = config
  const { imapPort, imapsPort, pop3Port, pop3sPort, manageSievePort } = config
  const isOpen = (ports: readonly number[]): boolean => ports.some((door) => door !== 0)
  return (
    (roles.has('smtp') && isOpen([smtpPort, submissionPort, submissionsPort])) ||
    (roles.has('imap') && isOpen([imapPort, imapsPort, pop3Port, pop3sPort, manageSievePort])) ||
    (roles.has('http') && httpsPort !== null)
  )
}
