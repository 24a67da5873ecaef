import { email as emailShape, personName } from '@stoa/cms-model/accounts.ts'
import {
  boolean,
  cidrList,
  host,
  integer,
  masterSecret,
  nodeEnv,
  oneOf,
  optionalPort,
  origin,
  originList,
  port,
  secret,
  secretUrl,
  text,
} from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigProblem, defineConfig, type Env, loadConfig } from '@stoa/kit/config.ts'
import { checkPasswordForm } from '@stoa/kit/crypto/password.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** Every variable the service reads; `docs/config.md` is compared with it. */
export const variables = defineConfig({
  NODE_ENV: nodeEnv({ doc: 'Set production where real people use the service: unsafe settings are then refused.' }),
  PORT: port({ default: '4300', doc: 'Port of the service.' }),
  HOST: host({ default: '0.0.0.0', doc: 'Address the service listens on.' }),
  PUBLIC_URL: origin({
    defaultText: 'http://localhost:PORT',
    doc: 'The one public origin, as browsers see it; cookies, links and origin checks depend on it.',
  }),
  CMS_DATABASE_URL: secretUrl(
    'postgres',
    'postgresql',
  )({
    required: true,
    alias: ['DATABASE_URL'],
    defaultText: 'the embedded PostgreSQL',
    doc: 'PostgreSQL database of the site. One database is one site.',
  }),
  DB_POOL_SIZE: integer({ min: 2, max: 1000 })({ default: '5', doc: 'Database connections per process.' }),
  SECRET: masterSecret({
    defaultText: 'written to .env by the first start',
    doc: 'Signs sessions and seals credentials: 32 or more random characters. A new one ends all sessions.',
  }),
  DELIVERY_ORIGINS: originList({
    default: '',
    doc: 'Browser origins that may call the delivery API, with commas between them; servers need none.',
  }),
  TRUSTED_PROXIES: cidrList({
    default: '',
    doc: 'Networks of the proxies whose X-Forwarded-For is believed; without them all clients behind a proxy share limits.',
  }),
  WEBHOOK_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: 'Webhooks may reach private addresses, any port and plain http, and follow up to three redirects. Otherwise https on ports 443 and 8443 of public addresses only.',
  }),
  BOOTSTRAP_EMAIL: text({ doc: 'Address of the first owner, made at start while there is no account.' }),
  BOOTSTRAP_PASSWORD: secret({ doc: 'Password of that owner. An existing account is never changed by it.' }),
  BOOTSTRAP_NAME: text({ default: 'Owner', doc: 'Name of that owner.' }),
  METRICS_PORT: optionalPort({
    default: '',
    doc: 'Loopback port with figures for Prometheus; nothing switches it off.',
  }),
  LOG_LEVEL: oneOf(
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
    'silent',
  )({
    default: 'info',
    doc: 'The least important lines that are logged.',
  }),
})

export type Bootstrap = { email: string; name: string; password: Secret }

export type Config = {
  readonly port: number
  readonly host: string
  readonly publicUrl: string
  readonly databaseUrl: Secret
  readonly poolSize: number
  readonly secret: Secret
  readonly deliveryOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly webhookAllowPrivate: boolean
  readonly bootstrap: Bootstrap | null
  readonly metricsPort: number | null
  readonly logLevel: string
}

/** Reads the environment once; throws ConfigError with all that is wrong. */
export const readConfig = (env: Env): Config => {
  const values = loadConfig(variables, { env, alone: true })
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
    databaseUrl: values.CMS_DATABASE_URL,
    poolSize: values.DB_POOL_SIZE,
    secret: values.SECRET,
    deliveryOrigins: values.DELIVERY_ORIGINS,
    trustedProxies: values.TRUSTED_PROXIES,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    bootstrap: readBootstrap(values.BOOTSTRAP_EMAIL, values.BOOTSTRAP_PASSWORD, values.BOOTSTRAP_NAME),
    metricsPort: values.METRICS_PORT,
    logLevel: values.LOG_LEVEL,
  })
}

/** For commands that need nothing but the database. */
export const readDatabaseUrl = (env: Env): Secret =>
  loadConfig({ CMS_DATABASE_URL: variables.CMS_DATABASE_URL }, { env, alone: true }).CMS_DATABASE_URL

const readBootstrap = (email: string | undefined, password: Secret | undefined, name: string): Bootstrap | null => {
  if (email === undefined && password === undefined) return null
  const problems: ConfigProblem[] = []
  const address = emailShape.safeParse(email)
  if (!address.success)
    problems.push({ name: 'BOOTSTRAP_EMAIL', problem: 'Give the e-mail address of the first owner.' })
  const called = personName.safeParse(name)
  if (!called.success) problems.push({ name: 'BOOTSTRAP_NAME', problem: 'Give a name of 200 characters at most.' })
  const refusal = password === undefined ? 'is missing' : checkPasswordForm(password.reveal())
  if (refusal !== null)
    problems.push({
      name: 'BOOTSTRAP_PASSWORD',
      problem: `The password is refused (${refusal}). Give 8 to 1024 bytes.`,
    })
  if (!address.success || !called.success || password === undefined || problems.length > 0)
    throw new ConfigError(problems)
  return { email: address.data, name: called.data, password }
}
