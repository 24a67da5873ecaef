import { checkCertificate } from '@stoa/kit/acme/health.ts'
import { checkBackups } from '@stoa/kit/backup/health.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { hostOfUrl, isPublicAddress } from '@stoa/kit/egress/address.ts'
import { dnsResolve, isInnerName } from '@stoa/kit/egress/resolve.ts'
import { checkClock, checkDatabase, checkJobs } from '@stoa/kit/health/database-checks.ts'
import type { CheckDefinition, Finding } from '@stoa/kit/health/health.ts'
import { checkDisk, checkPorts, type ListeningPort } from '@stoa/kit/health/machine-checks.ts'
import type { Config } from '../../config.ts'
import { listFailingWebhooks } from '../../site/webhooks/webhooks.ts'
import type { HealthParts } from './health.ts'
import { readPluginFacts, readSocialFacts } from './queries.ts'
import { judgePlugins, judgeSocial, judgeWebhooks } from './work-checks.ts'

/** Everything that is looked at, in the order in which it is shown. What is asked for comes from the settings alone. */
export const checksOf = ({ config, db, now }: HealthParts): CheckDefinition[] => [
  { id: 'ports', counts: 'worst', run: () => checkPorts(config.host, portsOf(config), NOT_LISTENING) },
  { id: 'public_url', run: () => checkPublicUrl(config) },
  { id: 'certificate', run: () => checkHttps(config, db, now()) },
  { id: 'webhooks', run: async () => judgeWebhooks(await listFailingWebhooks({ db })) },
  { id: 'social', run: async () => judgeSocial(await readSocialFacts(db, now())) },
  { id: 'plugins', run: async () => judgePlugins(await readPluginFacts(db, now())) },
  { id: 'jobs', run: () => checkJobs(db) },
  { id: 'database', run: () => checkDatabase(db) },
  { id: 'clock', counts: 'worst', run: () => checkClock(db) },
  {
    id: 'disk',
    counts: 'worst',
    run: () => checkDisk(config.storage.driver === 'local' ? config.storage.folder : config.dataDir),
  },
  // A backup is a file of this machine, with the machine's time.
  { id: 'backups', counts: 'least', run: () => checkBackups(db, { dataDir: config.dataDir, now: systemClock.now() }) },
]

const NOT_LISTENING = 'Start Stoa (npm start), and check in its log why a port could not be opened.'

/** The ports that this process should listen on. */
const portsOf = ({ roles, port, httpsPort, acme, challengePort }: Config): ListeningPort[] => {
  if (!roles.has('http')) return []
  return [
    { label: 'HTTP', port },
    { label: 'HTTPS', port: httpsPort ?? 0 },
    {
      label: 'Certificate checks',
      port: httpsPort !== null && acme !== null && challengePort !== null ? challengePort : 0,
    },
  ].filter((one) => one.port !== 0)
}

const checkHttps = (config: Config, db: HealthParts['db'], now: Date): Promise<Finding> | Finding => {
  if (config.httpsPort !== null)
    return checkCertificate(db, { ...config, hostname: new URL(config.publicUrl).hostname }, now)
  return { status: 'ok', message: 'HTTPS_PORT is not set: a proxy has the certificate.' }
}

/** RFC 6761: names of tests, which no name server knows. */
const RESERVED = /\.(test|invalid)$/i

const checkPublicUrl = async ({ publicUrl, isProduction }: Config): Promise<Finding> => {
  const host = hostOfUrl(new URL(publicUrl))
  const isNamed = host?.kind === 'name' && !isInnerName(host.name) && !RESERVED.test(host.name)
  const addresses = isNamed ? await dnsResolve()(host.name).catch(() => null) : []
  return judgePublicUrl({ publicUrl, isProduction, isNamed, addresses })
}

export type PublicUrlFacts = {
  publicUrl: string
  isProduction: boolean
  /** A name that DNS can know. */
  isNamed: boolean
  /** The result of the DNS lookup; null if DNS did not answer. */
  addresses: readonly string[] | null
}

/** Whether browsers find the site by the URL that cookies, links and origin checks are made for. */
export const judgePublicUrl = ({ publicUrl, isProduction, isNamed, addresses }: PublicUrlFacts): Finding => {
  const { hostname, protocol } = new URL(publicUrl)
  if (!isNamed)
    return {
      status: 'warning',
      message: `${publicUrl} only works on this server or in its own network.`,
      action: 'Set PUBLIC_URL to the URL that browsers use, like https://cms.example.com.',
    }
  if (isProduction && protocol !== 'https:')
    return {
      status: 'error',
      message: `${publicUrl} isn't encrypted.`,
      action: 'Serve the site over https (HTTPS_PORT and ACME=on, or a proxy), and set PUBLIC_URL to its https URL.',
    }
  if (addresses === null)
    return {
      status: 'warning',
      message: `DNS didn't answer for ${hostname}.`,
      action: 'Check the network and the name servers of this machine, then check again.',
    }
  if (!addresses.some(isPublicAddress))
    return {
      status: 'error',
      message: `${hostname} doesn't have a public address in DNS.`,
      action: `Add an A record (and AAAA for IPv6) for ${hostname} that points to this server or its proxy.`,
    }
  return { status: 'ok', message: `${hostname} can be found in DNS.`, value: addresses.length }
}
