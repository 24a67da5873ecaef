import {
  cidrList,
  host,
  integer,
  masterSecret,
  nodeEnv,
  oneOf,
  origin,
  port,
  secretUrl,
} from '@stoa/kit/config/kinds.ts'
import { defineConfig, type Env, type Environment, loadConfig } from '@stoa/kit/config.ts'
import { type Cidr, parseCidr } from '@stoa/kit/http/client-address.ts'
import type { Secret } from '@stoa/kit/secret.ts'

/** What the mail service reads from its environment; the reference in the docs is compared with it. */
export const variables = defineConfig({
  MAIL_PORT: port({ default: '4400', alias: ['PORT'], doc: 'Port of the panel and its API.' }),
  MAIL_HOST: host({ default: '0.0.0.0', alias: ['HOST'], doc: 'Address that the mail service listens on.' }),
  MAIL_PUBLIC_URL: origin({
    alias: ['PUBLIC_URL'],
    defaultText: 'http://localhost and the port',
    doc: 'Where browsers reach the panel, such as https://mail.example.com. Cookies are Secure when it is https.',
  }),
  MAIL_DATABASE_URL: secretUrl(
    'postgres',
    'postgresql',
  )({
    required: true,
    alias: ['DATABASE_URL'],
    defaultText: 'the embedded PostgreSQL',
    doc: 'PostgreSQL of the mail service, as postgres://user:password@host:port/name.',
  }),
  DB_POOL_SIZE: integer({ min: 1, max: 1000 })({ default: '5', doc: 'Database connections of one process.' }),
  SECRET: masterSecret({
    defaultText: 'generated on the first start in development',
    doc: 'Random text that signs sessions and seals stored credentials. Production needs 32 characters or more.',
  }),
  NODE_ENV: nodeEnv({ doc: 'In production the service refuses unsafe settings.' }),
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
    doc: 'The least important lines that are logged.',
  }),
  RATE_LIMIT_PER_SECOND: integer({ min: 1, max: 1_000_000 })({
    default: '10',
    doc: 'API requests per second of one account, and of one IP address that is not signed in.',
  }),
  SIGNUPS: oneOf(
    'open',
    'closed',
  )({ default: 'open', doc: 'Whether strangers may create accounts. The first account is always accepted.' }),
  TRUSTED_PROXIES: cidrList({
    default: '',
    doc: 'Networks whose X-Forwarded-For is believed, such as 10.0.0.0/8.',
  }),
  MAIL_METRICS_PORT: port({
    alias: ['METRICS_PORT'],
    doc: 'Port on 127.0.0.1 with the Prometheus metrics of the mail service.',
  }),
})

export type Config = Readonly<{
  port: number
  host: string
  publicUrl: string
  databaseUrl: Secret
  databasePoolSize: number
  secret: Secret
  environment: Environment
  logLevel: string
  ratePerSecond: number
  signups: 'open' | 'closed'
  trustedProxies: readonly Cidr[]
  metricsPort: number | undefined
}>

/** Reads the environment once; all that is wrong with it is reported together. */
export const readConfig = (env: Env = process.env): Config => {
  // The launcher tells when the CMS runs beside us and owns the bare names too.
  const values = loadConfig(variables, { env, alone: env.STOA_ALONE !== 'false' })
  return Object.freeze({
    port: values.MAIL_PORT,
    host: values.MAIL_HOST,
    publicUrl: values.MAIL_PUBLIC_URL ?? `http://localhost:${values.MAIL_PORT}`,
    databaseUrl: values.MAIL_DATABASE_URL,
    databasePoolSize: values.DB_POOL_SIZE,
    secret: values.SECRET,
    environment: values.NODE_ENV,
    logLevel: values.LOG_LEVEL,
    ratePerSecond: values.RATE_LIMIT_PER_SECOND,
    signups: values.SIGNUPS,
    trustedProxies: values.TRUSTED_PROXIES.map(parseCidr),
    metricsPort: values.MAIL_METRICS_PORT,
  })
}
