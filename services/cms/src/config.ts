import { email as emailShape, personName } from '@stoa/cms-model/accounts.ts'
import { type BackupSettings, backupVariables, readBackupSettings } from '@stoa/kit/config/backup.ts'
import {
  boolean,
  bytes,
  cidrList,
  host,
  integer,
  list,
  listOf,
  masterSecret,
  nodeEnv,
  oneOf,
  optionalPort,
  origin,
  originList,
  path,
  port,
  secret,
  text,
  url,
} from '@stoa/kit/config/kinds.ts'
import { ConfigError, type ConfigOf, type ConfigProblem, defineConfig, type Env, loadConfig } from '@stoa/kit/config.ts'
import { checkPasswordForm } from '@stoa/kit/crypto/password.ts'
import type { Secret } from '@stoa/kit/secret.ts'
import { workersText } from '@stoa/kit/workers/count.ts'
import { databaseVariables } from './config-database.ts'
import { type Https, httpsVariables, readHttps } from './config-https.ts'
import { readSmtp, type Smtp, smtpVariables } from './config-smtp.ts'
import { readStorage, type Storage, storageVariables } from './config-storage.ts'

/** The parts of the service; a process runs all of them by default. */
export const ROLES = ['http', 'worker'] as const

const socialVariablesOf = <const N extends string>(network: N, label: string) => {
  const members = {
    CLIENT_ID: text({ doc: `Client ID of the ${label} app. Used until one is saved in the settings.` }),
    CLIENT_SECRET: secret({ doc: `Client secret of the ${label} app.` }),
    AUTHORIZE_URL: url('https', 'http')({ doc: `Authorization URL to use instead of ${label}'s own.` }),
    TOKEN_URL: url('https', 'http')({ doc: `Token URL to use instead of ${label}'s own.` }),
    SCOPES: list({
      default: '',
      doc: `Comma-separated scopes to request from ${label} instead of the default ones.`,
    }),
  }
  const named = Object.entries(members).map(([name, variable]) => [`SOCIAL_OAUTH_${network}_${name}`, variable])
  return Object.fromEntries(named) as { [K in keyof typeof members as `SOCIAL_OAUTH_${N}_${K}`]: (typeof members)[K] }
}

/** One reviewed app may serve many sites of a host; the other networks tie an app to one site. */
const socialVariables = {
  ...socialVariablesOf('FACEBOOK', 'Facebook'),
  ...socialVariablesOf('INSTAGRAM', 'Instagram'),
  ...socialVariablesOf('LINKEDIN', 'LinkedIn'),
  ...socialVariablesOf('X', 'X'),
  SOCIAL_LATE_HOURS: integer({ min: 1, max: 720 })({
    default: '24',
    doc: 'How many hours after its scheduled time a social post is still sent or retried automatically. After that, someone has to send it by hand.',
  }),
}

/** Where Anthropic asks people, and gives out tokens; a registered client may have others. */
const ANTHROPIC_OAUTH = {
  authorizeUrl: 'https://claude.ai/oauth/authorize',
  tokenUrl: 'https://api.anthropic.com/v1/oauth/token',
  scopes: ['user:inference'],
}

const aiVariables = {
  AI_OAUTH_A_CLIENT_ID: text({
    doc: 'Client ID registered with Anthropic. With it, admins can connect Anthropic by signing in; without it, they need an API key.',
  }),
  AI_OAUTH_A_CLIENT_SECRET: secret({ doc: 'Client secret that belongs to AI_OAUTH_A_CLIENT_ID, if there is one.' }),
  AI_OAUTH_A_AUTHORIZE_URL: url(
    'https',
    'http',
  )({
    defaultText: ANTHROPIC_OAUTH.authorizeUrl,
    doc: "Authorization URL to use instead of Anthropic's own.",
  }),
  AI_OAUTH_A_TOKEN_URL: url(
    'https',
    'http',
  )({
    defaultText: ANTHROPIC_OAUTH.tokenUrl,
    doc: "Token URL to use instead of Anthropic's own.",
  }),
  AI_OAUTH_A_SCOPES: list({
    default: '',
    defaultText: ANTHROPIC_OAUTH.scopes.join(','),
    doc: 'Comma-separated scopes to request from Anthropic instead of the default ones.',
  }),
}

/** Every variable the service reads; `docs/config.md` is compared with it. */
export const variables = defineConfig({
  NODE_ENV: nodeEnv({
    doc: 'Set to production when real people use the service. The service then refuses to start with unsafe settings.',
  }),
  PORT: port({ default: '4300', doc: 'Port the service listens on.' }),
  HOST: host({ default: '0.0.0.0', doc: 'IP address the service listens on.' }),
  PUBLIC_URL: origin({
    defaultText: 'http://localhost:PORT',
    doc: 'The public origin that browsers use. Cookies, links and origin checks depend on it.',
  }),
  ...databaseVariables,
  SECRET: masterSecret({
    defaultText: 'generated on first start and saved to .env',
    doc: 'Signs sessions and encrypts stored credentials. Use at least 32 random characters. Changing it signs everyone out.',
  }),
  DELIVERY_ORIGINS: originList({
    default: '',
    doc: "Comma-separated browser origins that may call the delivery API. Requests from servers don't need this.",
  }),
  DELIVERY_CACHE_BYTES: bytes({ max: 16 * 2 ** 30 })({
    default: '64 MB',
    doc: 'Memory per process for cached responses of the delivery API. 0 turns the cache off.',
  }),
  TRUSTED_PROXIES: cidrList({
    default: '',
    doc: 'Networks of trusted proxies, whose X-Forwarded-For header is used. Without it, all clients behind a proxy share one rate limit.',
  }),
  WEBHOOK_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: 'Allow webhooks to private addresses, any port and plain http, and follow up to three redirects. When off, only https to public addresses on ports 443 and 8443.',
  }),
  PREVIEW_ALLOW_PRIVATE: boolean({
    default: 'false',
    doc: "Allow the visual editor to load the website's pages from private addresses, any port and plain http. When off, only https from public addresses on ports 443 and 8443; outside production, loopback addresses also work.",
  }),
  ...storageVariables,
  MAX_UPLOAD_BYTES: bytes({ min: 1024, max: 4 * 2 ** 30 })({
    default: '25 MB',
    doc: 'Maximum size of an uploaded file, in bytes or as a size like 25 MB.',
  }),
  ...backupVariables,
  SITE_URL: origin({
    doc: 'URL of the website, used for links in the demo content. npm start sets it to the example website.',
  }),
  ...socialVariables,
  ...aiVariables,
  PLUGIN_DIR: path({
    doc: 'Folder with one subfolder per plugin. Without it, no plugin can be turned on or reloaded here; those that are on run.',
  }),
  PLUGIN_AUTOENABLE: list({
    default: '',
    doc: 'Comma-separated names of plugins to turn on when a site that has no accounts yet starts. They get all the permissions they ask for.',
  }),
  BOOTSTRAP_EMAIL: text({ doc: 'Email address of the first owner, created at startup if there are no accounts yet.' }),
  BOOTSTRAP_PASSWORD: secret({ doc: 'Password of the first owner. Existing accounts are never changed.' }),
  BOOTSTRAP_NAME: text({ default: 'Owner', doc: 'Name of the first owner.' }),
  BOOTSTRAP_DELIVERY_KEY: secret({
    doc: "Delivery key for all content types, created at startup if it doesn't exist yet: cms_ followed by 43 random letters and digits.",
  }),
  ...smtpVariables,
  ...httpsVariables,
  DRAIN_SECONDS: integer({ min: 0, max: 60 })({
    default: '0',
    doc: "How many seconds the service keeps serving requests after it was told to stop, while /readyz returns 503. Set it slightly above your proxy's health check interval, so that the proxy sends new requests elsewhere.",
  }),
  METRICS_PORT: optionalPort({
    default: '',
    doc: 'Port of METRICS_HOST with Prometheus metrics of all processes at /metrics, and with /healthz and /readyz. Leave empty to turn it off.',
  }),
  METRICS_HOST: host({
    default: '127.0.0.1',
    doc: 'IP address of the port for metrics and health. A load balancer on another machine needs it where the role http is missing; use a private address, because everyone who reaches it can read the metrics.',
  }),
  CMS_ROLES: listOf(...ROLES)({
    default: ROLES.join(','),
    doc: 'What this instance does: http (admin, APIs and WebSockets), worker (jobs, scheduled publishing, webhooks, social posts, plugin events).',
  }),
  WORKERS: integer({ min: 1, max: 64 })({
    defaultText: workersText,
    doc: 'Number of CMS processes that share the port. Each uses DB_POOL_SIZE + 1 database connections. npm run dev uses 1.',
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
    doc: 'Minimum level of log lines.',
  }),
})

export type CmsRole = (typeof ROLES)[number]

export type Bootstrap = { email: string; name: string; password: Secret }

/** The app of a network that the operator set up; what is null is the network's own. */
export type EnvironmentApp = {
  readonly clientId: string
  readonly clientSecret: Secret | null
  readonly authorizeUrl: string | null
  readonly tokenUrl: string | null
  readonly scopes: readonly string[] | null
}

/** The client that the operator registered at an AI provider. */
export type AiOauthApp = {
  readonly clientId: string
  readonly clientSecret: Secret | null
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly scopes: readonly string[]
}

export type Config = Https & {
  readonly port: number
  readonly host: string
  readonly publicUrl: string
  readonly databaseUrl: Secret
  /** The same database without a pooler; null if not set. */
  readonly databaseDirectUrl: Secret | null
  readonly poolSize: number
  readonly secret: Secret
  readonly deliveryOrigins: readonly string[]
  readonly deliveryCacheBytes: number
  readonly trustedProxies: readonly string[]
  readonly webhookAllowPrivate: boolean
  readonly previewAllowPrivate: boolean
  readonly isProduction: boolean
  readonly storage: Storage
  readonly maxUploadBytes: number
  readonly backup: BackupSettings
  /** The website that the demo content is for, where it is known. */
  readonly siteUrl: string | null
  /** Apps by network. */
  readonly socialApps: Readonly<Record<string, EnvironmentApp>>
  readonly socialLateHours: number
  /** Null: the AI provider is connected with a key only. */
  readonly aiOauth: AiOauthApp | null
  /** Where plugins are found; null: there are none. */
  readonly pluginDir: string | null
  /** Names of plugins that a new site begins with. */
  readonly pluginAutoenable: readonly string[]
  readonly bootstrap: Bootstrap | null
  readonly bootstrapKey: Secret | null
  /** Null: nothing is mailed. */
  readonly smtp: Smtp | null
  readonly drainSeconds: number
  readonly metricsPort: number | null
  readonly metricsHost: string
  readonly roles: ReadonlySet<CmsRole>
  /** Null: what the machine and the database have room for. */
  readonly workers: number | null
  readonly logLevel: string
  readonly dataDir: string
}

/** Reads the environment once; throws ConfigError with all that is wrong. */
export const readConfig = (env: Env = process.env): Config => {
  const values = loadConfig(variables, { env, alone: true })
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    publicUrl,
    databaseUrl: values.CMS_DATABASE_URL,
    databaseDirectUrl: values.CMS_DATABASE_DIRECT_URL ?? null,
    poolSize: values.DB_POOL_SIZE,
    secret: values.SECRET,
    deliveryOrigins: values.DELIVERY_ORIGINS,
    deliveryCacheBytes: values.DELIVERY_CACHE_BYTES,
    trustedProxies: values.TRUSTED_PROXIES,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE,
    previewAllowPrivate: values.PREVIEW_ALLOW_PRIVATE,
    isProduction: values.NODE_ENV === 'production',
    storage: readStorage(values, values.NODE_ENV),
    maxUploadBytes: values.MAX_UPLOAD_BYTES,
    backup: readBackupSettings(values),
    siteUrl: values.SITE_URL ?? null,
    socialApps: readSocialApps(values),
    socialLateHours: values.SOCIAL_LATE_HOURS,
    aiOauth: readAiOauth(values),
    pluginDir: values.PLUGIN_DIR ?? null,
    pluginAutoenable: values.PLUGIN_AUTOENABLE,
    bootstrap: readBootstrap(values.BOOTSTRAP_EMAIL, values.BOOTSTRAP_PASSWORD, values.BOOTSTRAP_NAME),
    bootstrapKey: readBootstrapKey(values.BOOTSTRAP_DELIVERY_KEY),
    smtp: readSmtp(values, publicUrl),
    drainSeconds: values.DRAIN_SECONDS,
    metricsPort: values.METRICS_PORT,
    metricsHost: values.METRICS_HOST,
    roles: new Set(values.CMS_ROLES),
    workers: values.WORKERS ?? null,
    logLevel: values.LOG_LEVEL,
    dataDir: values.DATA_DIR,
    ...readHttps(values, values.NODE_ENV),
  })
}

/** For commands that need nothing but the database. */
export const readDatabaseUrl = (env: Env): Secret =>
  loadConfig({ CMS_DATABASE_URL: variables.CMS_DATABASE_URL }, { env, alone: true }).CMS_DATABASE_URL

/** For commands that read or write the stored files. */
export const readFilesConfig = (env: Env): Pick<Config, 'secret' | 'storage'> => {
  const { SECRET, NODE_ENV } = variables
  const values = loadConfig({ SECRET, NODE_ENV, ...storageVariables }, { env, alone: true })
  return { secret: values.SECRET, storage: readStorage(values, values.NODE_ENV) }
}

/** Without an id there is no app. */
const readSocialApps = (values: ConfigOf<typeof variables>): Readonly<Record<string, EnvironmentApp>> => {
  const apps = (['FACEBOOK', 'INSTAGRAM', 'LINKEDIN', 'X'] as const).flatMap((network) => {
    const clientId = values[`SOCIAL_OAUTH_${network}_CLIENT_ID`]
    if (clientId === undefined) return []
    const scopes = values[`SOCIAL_OAUTH_${network}_SCOPES`]
    const app: EnvironmentApp = {
      clientId,
      clientSecret: values[`SOCIAL_OAUTH_${network}_CLIENT_SECRET`] ?? null,
      authorizeUrl: values[`SOCIAL_OAUTH_${network}_AUTHORIZE_URL`] ?? null,
      tokenUrl: values[`SOCIAL_OAUTH_${network}_TOKEN_URL`] ?? null,
      scopes: scopes.length === 0 ? null : scopes,
    }
    return [[network.toLowerCase(), app] as const]
  })
  return Object.fromEntries(apps)
}

const readAiOauth = (values: ConfigOf<typeof variables>): AiOauthApp | null => {
  const { AI_OAUTH_A_CLIENT_ID: clientId, AI_OAUTH_A_SCOPES: scopes } = values
  if (clientId === undefined) return null
  return {
    clientId,
    clientSecret: values.AI_OAUTH_A_CLIENT_SECRET ?? null,
    authorizeUrl: values.AI_OAUTH_A_AUTHORIZE_URL ?? ANTHROPIC_OAUTH.authorizeUrl,
    tokenUrl: values.AI_OAUTH_A_TOKEN_URL ?? ANTHROPIC_OAUTH.tokenUrl,
    scopes: scopes.length === 0 ? ANTHROPIC_OAUTH.scopes : scopes,
  }
}

const readBootstrap = (email: string | undefined, password: Secret | undefined, name: string): Bootstrap | null => {
  if (email === undefined && password === undefined) return null
  const problems: ConfigProblem[] = []
  const address = emailShape.safeParse(email)
  if (!address.success)
    problems.push({ name: 'BOOTSTRAP_EMAIL', problem: 'Enter the email address of the first owner.' })
  const called = personName.safeParse(name)
  if (!called.success) problems.push({ name: 'BOOTSTRAP_NAME', problem: 'Enter a name of up to 200 characters.' })
  const refusal = password === undefined ? 'is missing' : checkPasswordForm(password.reveal())
  if (refusal !== null)
    problems.push({
      name: 'BOOTSTRAP_PASSWORD',
      problem: `This password can't be used (${refusal}). Enter 8 to 1024 bytes.`,
    })
  if (!address.success || !called.success || password === undefined || problems.length > 0)
    throw new ConfigError(problems)
  return { email: address.data, name: called.data, password }
}

/** Drawn by a program: something that a person chose could be guessed. */
const DELIVERY_KEY = /^cms_[A-Za-z0-9]{43}$/

const readBootstrapKey = (key: Secret | undefined): Secret | null => {
  if (key === undefined || DELIVERY_KEY.test(key.reveal())) return key ?? null
  throw new ConfigError([
    {
      name: 'BOOTSTRAP_DELIVERY_KEY',
      problem: 'Enter cms_ followed by 43 random letters and digits, or leave it empty.',
    },
  ])
}
