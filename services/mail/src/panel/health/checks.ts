import { readFile } from 'node:fs/promises'
import { type CertificateHealth, readCertificateHealth } from '@stoa/kit/acme/health.ts'
import { checkBackups } from '@stoa/kit/backup/health.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import type { Db } from '@stoa/kit/db/database.ts'
import { checkClock, checkDatabase, checkJobs } from '@stoa/kit/health/database-checks.ts'
import type { CheckDefinition, Finding } from '@stoa/kit/health/health.ts'
import { checkDisk, checkPorts, judgeCertificate, type ListeningPort } from '@stoa/kit/health/machine-checks.ts'
import type { Config } from '../../config.ts'
import type { Tables } from '../../tables.ts'
import { createResolver } from '../../wire/dns/dns.ts'
import type { HealthParts } from './health.ts'
import { checkBlocklists, checkHostNames, checkReverseDns } from './name-checks.ts'
import { countQueue, judgeQueue } from './queue-check.ts'

/** One server that does not answer must not take the time of a whole check. */
const DNS_TIMEOUT_MS = 1_500

/** Everything that is looked at, in the order in which it is shown. What is asked for comes from the settings alone. */
export const checksOf = ({ config, database, clock }: HealthParts): CheckDefinition[] => {
  const { db } = database
  // Nothing that was kept: a record that was just mended counts at once.
  const resolver = createResolver({ servers: config.dnsResolvers, clock: systemClock, timeoutMs: DNS_TIMEOUT_MS })
  const names = { resolver, config }
  return [
    { id: 'ports', run: () => checkPorts(config.host, portsOf(config), NOT_LISTENING) },
    { id: 'host_names', run: () => checkHostNames(names) },
    { id: 'reverse_dns', run: () => checkReverseDns(names) },
    { id: 'blocklists', run: () => checkBlocklists(names) },
    { id: 'certificate', run: () => checkCertificate(config, db, clock.now()) },
    { id: 'queue', run: async () => judgeQueue(await countQueue(db, clock.now()), clock.now()) },
    { id: 'jobs', run: () => checkJobs(db) },
    { id: 'database', run: () => checkDatabase(db) },
    { id: 'clock', run: () => checkClock(db) },
    { id: 'disk', run: () => checkDisk(config.storage.driver === 'local' ? config.storage.folder : config.dataDir) },
    // The time of a backup is the machine's.
    { id: 'backups', run: () => checkBackups(db, { dataDir: config.dataDir, now: systemClock.now() }) },
  ]
}

const NOT_LISTENING = 'Start Stoa (npm start), and check in its log why a port could not be opened.'

/** Those that this process's roles ask for; others may be another machine's. */
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
  const { roles } = config
  return [
    ...(roles.has('http') ? [{ label: 'HTTP', port: config.port }] : []),
    ...(roles.has('smtp') ? smtp : []),
    ...(roles.has('imap') ? imap : []),
  ].filter(({ port }) => port !== 0)
}

const checkCertificate = async ({ tls, acme, hostname }: Config, db: Db<Tables>, now: Date): Promise<Finding> => {
  if (tls) return judgeCertificate(await readFile(tls.certFile, 'utf8'), { hostname, now })
  if (acme) return judgeOrdered(await readCertificateHealth(db, now))
  return {
    status: 'warning',
    message: 'The certificate is self-signed, for development only.',
    action: `Set ACME=on, or set TLS_CERT_FILE and TLS_KEY_FILE to a certificate for ${hostname}.`,
  }
}

/** Certificates that the service orders and renews by itself. */
export const judgeOrdered = ({ soonest, ending }: CertificateHealth): Finding => {
  if (soonest === null)
    return {
      status: 'warning',
      message: "The first certificate hasn't been issued yet.",
      action: 'Check that port 80 of this server can be reached from the internet, and look for "acme" in the log.',
    }
  if (ending.length > 0)
    return {
      status: 'error',
      message: `The certificate for ${ending.map(({ name }) => name).join(', ')} wasn't renewed in time.`,
      action: ending[0]?.lastError ?? 'Look for "acme" in the log.',
      value: ending.length,
    }
  return {
    status: 'ok',
    message: `Certificates are renewed automatically. The first to end is ${soonest.name}, on ${soonest.notAfter.toISOString().slice(0, 10)}.`,
  }
}
