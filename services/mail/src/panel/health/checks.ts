import { checkCertificate } from '@stoa/kit/acme/health.ts'
import { checkBackups } from '@stoa/kit/backup/health.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { checkClock, checkDatabase, checkJobs } from '@stoa/kit/health/database-checks.ts'
import type { CheckDefinition } from '@stoa/kit/health/health.ts'
import { checkDisk, checkPorts, type ListeningPort } from '@stoa/kit/health/machine-checks.ts'
import type { Config } from '../../config.ts'
import { findInstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'
import { createResolver, resolveForMailauth } from '../../wire/dns/dns.ts'
import { judgeDomains, readDomainFacts } from './domain-check.ts'
import type { HealthParts } from './health.ts'
import { checkDnsLists } from './list-check.ts'
import { checkBlocklists, checkHostNames, checkReverseDns } from './name-checks.ts'
import { countQueue, judgeQueue } from './queue-check.ts'

/** One server that does not answer must not take the time of a whole check. */
const DNS_TIMEOUT_MS = 1_500

/** Everything that is looked at, in the order in which it is shown. What is asked for comes from the settings alone. */
export const checksOf = ({ config, database, clock }: HealthParts): CheckDefinition[] => {
  const { db } = database
  // A resolver without a cache: a record that was just fixed counts at once.
  const resolver = createResolver({ servers: config.dnsResolvers, clock: systemClock, timeoutMs: DNS_TIMEOUT_MS })
  const names = { resolver, config }
  return [
    { id: 'ports', counts: 'worst', run: () => checkPorts(config.host, portsOf(config), NOT_LISTENING) },
    { id: 'host_names', run: () => checkHostNames(names) },
    { id: 'reverse_dns', run: () => checkReverseDns(names) },
    { id: 'blocklists', run: () => checkBlocklists(names) },
    {
      id: 'dns_lists',
      run: async () => checkDnsLists(resolveForMailauth(resolver), await findInstanceSettings(db)),
    },
    { id: 'domains', run: async () => judgeDomains(await readDomainFacts(db)) },
    { id: 'certificate', run: () => checkCertificate(db, config, clock.now()) },
    { id: 'queue', run: async () => judgeQueue(await countQueue(db, clock.now()), clock.now()) },
    { id: 'jobs', run: () => checkJobs(db) },
    { id: 'database', run: () => checkDatabase(db) },
    { id: 'clock', counts: 'worst', run: () => checkClock(db) },
    {
      id: 'disk',
      counts: 'worst',
      run: () => checkDisk(config.storage.driver === 'local' ? config.storage.folder : config.dataDir),
    },
    // The time of a backup is the machine's.
    {
      id: 'backups',
      counts: 'least',
      run: () => checkBackups(db, { dataDir: config.dataDir, now: systemClock.now() }),
    },
  ]
}

const NOT_LISTENING = 'Start Stoa (npm start), and check in its log why a port could not be opened.'

/** The ports that this process's roles use. */
const portsOf = (config: Config): ListeningPort[] => {
  const smtp = [
    { label: 'SMTP', port: config.smtpPort },
    { label: 'Submission', port: config.submissionPort },
    { label: 'Submission with TLS', port: config.submissionsPort },
  ]
  const imap = [
    { label: 'IMAP', port: config.imapPort },
    { label: 'IMAP with TLS', port: config.imapsPort },
    { label: 'POP3', port: config.pop3Port },
    { label: 'POP3 with TLS', port: config.pop3sPort },
    { label: 'ManageSieve', port: config.manageSievePort },
  ]
  const web = [
    { label: 'HTTP', port: config.port },
    { label: 'HTTPS', port: config.httpsPort ?? 0 },
    { label: 'Certificate checks', port: config.acme && config.challengePort ? config.challengePort : 0 },
  ]
  const { roles } = config
  return [
    ...(roles.has('http') ? web : []),
    ...(roles.has('smtp') ? smtp : []),
    ...(roles.has('imap') ? imap : []),
  ].filter(({ port }) => port !== 0)
}
