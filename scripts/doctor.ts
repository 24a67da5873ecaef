// `npm run doctor [-- --json]`: what the owners' Health screens show, from the host. Exits with 0, 1 (warning) or 2 (error).
import { readConfig as readCmsConfig } from '@stoa/cms/config.ts'
import { lookAtHealth as lookAtCms } from '@stoa/cms/instance/health/health.ts'
import type { Tables as CmsTables } from '@stoa/cms/tables.ts'
import { systemClock } from '@stoa/kit/clock.ts'
import { type Database, openDatabase } from '@stoa/kit/db/database.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { type HealthCheck, type HealthStatus, overallStatus } from '@stoa/kit/health/health.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { redactText } from '@stoa/kit/redact.ts'
import { readConfig as readMailConfig } from '@stoa/mail/config.ts'
import { lookAtHealth as lookAtMail } from '@stoa/mail/panel/health/health.ts'
import type { Tables as MailTables } from '@stoa/mail/tables.ts'
import { printError } from './terminal.ts'

const USAGE = `Usage: npm run doctor             check this instance: ports, DNS, certificates, background work, database, disk, backups
       npm run doctor -- --json   print the result as JSON`

const EXIT_CODES = { ok: 0, warning: 1, error: 2 } as const satisfies Record<HealthStatus, number>
const MARKS = { ok: '✓', warning: '!', error: '✗' } as const satisfies Record<HealthStatus, string>

type Call = { args: readonly string[]; env: NodeJS.ProcessEnv; print: (text: string) => void }
type ServiceCheck = HealthCheck & { service: string }

/** Checks the services that have a database here; gives the exit code. */
export const runDoctor = async ({ args, env, print }: Call): Promise<number> => {
  const isJson = args.length === 1 && args[0] === '--json'
  if (args.length > 0 && !isJson) throw new Error(USAGE)
  const present = patients.filter(({ urlVariable }) => env[urlVariable])
  const checks: ServiceCheck[] = []
  for (const { service, look } of present) {
    const found = await look(env).catch((error: unknown): HealthCheck[] => [cannotLook(error)])
    checks.push(...found.map((check) => ({ service, ...check })))
  }
  const status = overallStatus(checks)
  const health = { object: 'health', status, checked_at: systemClock.now().toISOString(), checks }
  print(isJson ? `${JSON.stringify(health, null, 2)}\n` : `${checks.map(textOf).join('\n')}\n`)
  return EXIT_CODES[status]
}

const textOf = ({ service, id, status, message, action }: ServiceCheck): string =>
  [`${MARKS[status]} ${service} ${id}: ${message}`, ...(action === null ? [] : [`    ${action}`])].join('\n')

/** Settings that the service would not start with, or a database that does not answer. */
const cannotLook = (error: unknown): HealthCheck => ({
  id: 'start',
  status: 'error',
  message: redactText(error instanceof Error ? error.message : String(error)),
  action: 'Correct the settings (docs/config.md) or start the database, then run npm run doctor again.',
  value: null,
})

const log = createLogger({ name: 'doctor', level: 'silent' })

const withDatabase = async <T, R>(service: string, url: string, run: (database: Database<T>) => Promise<R>) => {
  // An instance that was never started has no tables yet.
  await migrate(url, new URL(`../services/${service}/migrations/`, import.meta.url), log)
  const database = openDatabase<T>({ url, poolSize: 2, log, applicationName: 'stoa-doctor' })
  return run(database).finally(() => database.close())
}

const patients: { service: string; urlVariable: string; look(env: NodeJS.ProcessEnv): Promise<HealthCheck[]> }[] = [
  {
    service: 'cms',
    urlVariable: 'CMS_DATABASE_URL',
    async look(env) {
      const config = readCmsConfig(env)
      return withDatabase<CmsTables, HealthCheck[]>('cms', config.databaseUrl.reveal(), async ({ db, tx }) => {
        return (await lookAtCms({ config, db, tx, log, now: systemClock.now })).checks
      })
    },
  },
  {
    service: 'mail',
    urlVariable: 'MAIL_DATABASE_URL',
    async look(env) {
      const config = readMailConfig(env)
      return withDatabase<MailTables, HealthCheck[]>('mail', config.databaseUrl.reveal(), async (database) => {
        return (await lookAtMail({ config, database, log, clock: systemClock })).checks
      })
    },
  },
]

if (import.meta.main) {
  const print = (text: string): void => void process.stdout.write(text)
  const call = { args: process.argv.slice(2), env: process.env, print }
  process.exit(
    await runDoctor(call).catch((error: unknown) => {
      printError(error)
      return EXIT_CODES.error
    }),
  )
}
