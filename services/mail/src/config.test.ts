import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, test } from 'node:test'
import { ConfigError } from '@stoa/kit/config.ts'
import { readConfig } from './config.ts'

const SECRET = 'x'.repeat(32)
const MAIL_DATABASE_URL = 'postgres://mail:hunter2@127.0.0.1:5432/mail'

const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET,
  MAIL_DATABASE_URL,
  STORAGE_DRIVER: 'local',
  STORAGE_LOCAL_DIR: '/srv/files',
  TLS_CERT_FILE: '/tls/cert.pem',
  TLS_KEY_FILE: '/tls/key.pem',
}
const PORTS = {
  smtpPort: 2025,
  submissionPort: 2587,
  submissionsPort: 2465,
  imapPort: 2143,
  imapsPort: 2993,
  pop3Port: 2110,
  pop3sPort: 2995,
  manageSievePort: 4190,
}

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    assert.equal(error.message.includes('hunter2'), false)
    return error.problems.map(({ name }) => name)
  }
}

describe('the configuration', () => {
  test('has the documented defaults', () => {
    const { databaseUrl, secret, ...plain } = readConfig({
      SECRET,
      MAIL_DATABASE_URL,
      MAIL_HOSTNAME: 'Mail.Example.Test',
    })
    assert.deepEqual(plain, {
      port: 4400,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:4400',
      databaseDirectUrl: null,
      databasePoolSize: 5,
      environment: 'development',
      logLevel: 'info',
      ratePerSecond: 10,
      signups: 'open',
      trustedProxies: [],
      drainSeconds: 0,
      metricsPort: null,
      metricsHost: '127.0.0.1',
      roles: new Set(['smtp', 'imap', 'http', 'worker']),
      workers: null,
      dataDir: resolve('data'),
      storage: { driver: 'local', folder: resolve('data/blobs/mail') },
      hostname: 'mail.example.test',
      mxHosts: ['mail.example.test'],
      spfInclude: null,
      testDomain: 'simulator.mail.example.test',
      systemFrom: 'no-reply@mail.example.test',
      tls: null,
      ...PORTS,
      publicPorts: PORTS,
      dnsResolvers: [],
      outboundPort: 25,
      relayUrl: null,
      outboundAllowPrivate: false,
      webhookAllowPrivate: false,
      transferAllowPrivate: false,
      attachmentAllowPrivate: false,
      imageAllowPrivate: false,
      unsubscribeAllowPrivate: false,
      maxMessageBytes: 52_428_800,
      smtpMaxPerIp: 50,
      imapMaxPerIp: 50,
      imapMaxPerUser: 20,
      limitExempt: [],
      arcTrustedSealers: ['google.com', 'microsoft.com', 'messagingengine.com', 'fastmail.com', 'pobox.com'],
      rspamdUrl: null,
      scannerUrl: null,
      backup: { to: null, everyHours: 24, keep: 7, passphrase: null, objectStore: null },
      billing: 'off',
      payment: {
        secretKey: null,
        publishableKey: null,
        webhookSecrets: [],
        apiBase: 'https://api.stripe.com',
        collectsTax: false,
        referralCreditCents: 0,
      },
      dnsApiBases: new Map(),
      securityContact: null,
      acme: null,
      acmeDns: null,
      challengePort: 80,
      httpsPort: null,
    })
    assert.equal(databaseUrl.reveal(), MAIL_DATABASE_URL)
    assert.equal(secret.reveal(), SECRET)
  })

  test('takes the bare names when the service runs alone, and its own names before them', () => {
    const env = { SECRET, DATABASE_URL: MAIL_DATABASE_URL, PORT: '5000', PUBLIC_URL: 'https://mail.example.test' }
    assert.deepEqual(pick(readConfig(env)), [5000, 'https://mail.example.test'])
    assert.deepEqual(pick(readConfig({ ...env, MAIL_PORT: '5001' })), [5001, 'https://mail.example.test'])
    const beside = readConfig({ ...env, MAIL_DATABASE_URL, STOA_ALONE: 'false' })
    assert.deepEqual(pick(beside), [4400, 'http://localhost:4400'])
  })

  test('names all that is wrong at once and never shows a secret', () => {
    const env = {
      MAIL_DATABASE_URL: 'mysql://mail:hunter2@db/mail',
      MAIL_PORT: '70000',
      MAIL_PUBLIC_URL: 'https://mail.example.test/path',
      SIGNUPS: 'maybe',
      RATE_LIMIT_PER_SECOND: '0',
      TRUSTED_PROXIES: '10.0.0.0/99',
      DB_POOL_SIZE: '0',
      LOG_LEVEL: 'loud',
    }
    assert.deepEqual(problemsOf(env).sort(), [...Object.keys(env), 'SECRET'].sort())
  })

  test('of production needs a SECRET of 32 characters', () => {
    assert.deepEqual(problemsOf({ ...PRODUCTION, SECRET: '' }), ['SECRET'])
    assert.deepEqual(problemsOf({ ...PRODUCTION, SECRET: 'x'.repeat(31) }), ['SECRET'])
    assert.deepEqual(problemsOf(PRODUCTION), [])
  })

  test('of production needs a place for messages', () => {
    assert.deepEqual(problemsOf({ ...PRODUCTION, STORAGE_DRIVER: '' }), ['STORAGE_DRIVER'])
    assert.deepEqual(problemsOf({ ...PRODUCTION, STORAGE_LOCAL_DIR: '' }), ['STORAGE_LOCAL_DIR'])
    assert.deepEqual(problemsOf({ ...PRODUCTION, STORAGE_DRIVER: 'object', OBJECT_BUCKET: 'b' }), [
      'OBJECT_ENDPOINT',
      'OBJECT_ACCESS_KEY',
      'OBJECT_SECRET_KEY',
    ])
  })

  test('of production needs a certificate as long as a protocol door is open', () => {
    const plain = { ...PRODUCTION, TLS_CERT_FILE: '', TLS_KEY_FILE: '' }
    assert.deepEqual(problemsOf(plain), ['TLS_CERT_FILE'])
    assert.deepEqual(problemsOf({ ...plain, MAIL_ROLES: 'http,worker' }), [])
    assert.deepEqual(problemsOf({ ...plain, MAIL_ROLES: 'smtp', IMAP_PORT: '143' }), ['TLS_CERT_FILE'])
    const closed = { SMTP_PORT: '', SUBMISSION_PORT: '0', SUBMISSIONS_PORT: '0' }
    assert.deepEqual(problemsOf({ ...plain, ...closed, MAIL_ROLES: 'smtp' }), [])
    assert.deepEqual(problemsOf({ ...plain, TLS_KEY_FILE: '/key.pem' }), ['TLS_CERT_FILE'])
  })

  test('shares a folder and a bucket with the content service, each in its own part', () => {
    assert.deepEqual(readConfig({ ...PRODUCTION, STORAGE_LOCAL_DIR: '/srv/files' }).storage, {
      driver: 'local',
      folder: '/srv/files/mail',
    })
    const { storage } = readConfig({
      ...PRODUCTION,
      STORAGE_DRIVER: 'object',
      OBJECT_ENDPOINT: 'https://s3.example.test',
      OBJECT_BUCKET: 'files',
      OBJECT_ACCESS_KEY: 'key',
      OBJECT_SECRET_KEY: 'hunter2',
    })
    assert.ok(storage.driver === 'object')
    assert.deepEqual([storage.prefix, storage.region, storage.secretKey.reveal()], ['mail', 'us-east-1', 'hunter2'])
  })

  test('disables a protocol with 0 or nothing, and gives clients another port where there is one', () => {
    const env = { SECRET, MAIL_DATABASE_URL, POP3_PORT: '0', POP3S_PORT: '', PUBLIC_IMAPS_PORT: '993' }
    const config = readConfig({ ...env, PUBLIC_IMAP_PORT: '0' })
    assert.deepEqual([config.pop3Port, config.pop3sPort, config.imapPort, config.imapsPort], [0, 0, 2143, 2993])
    const { pop3Port, imapPort, imapsPort, submissionPort } = config.publicPorts
    assert.deepEqual([pop3Port, imapPort, imapsPort, submissionPort], [0, 0, 993, 2587])
  })

  test('brings names into their ASCII form and refuses what is none', () => {
    const env = { SECRET, MAIL_DATABASE_URL, MAIL_HOSTNAME: 'mail.example.test' }
    const config = readConfig({
      ...env,
      MX_HOSTS: 'MX1.example.test, mx2.b\u00fccher.example',
      SPF_INCLUDE: '_spf.example.test',
    })
    assert.deepEqual(config.mxHosts, ['mx1.example.test', 'mx2.xn--bcher-kva.example'])
    assert.equal(config.spfInclude, '_spf.example.test')
    const wrong = { MAIL_HOSTNAME: '-bad-', MX_HOSTS: 'a b', SPF_INCLUDE: 'a..b', SYSTEM_FROM: 'nobody' }
    assert.deepEqual(problemsOf({ ...env, ...wrong, TEST_DOMAIN: 'test.example' }).sort(), Object.keys(wrong).sort())
    assert.match(readConfig({ SECRET, MAIL_DATABASE_URL }).hostname, /^[a-z0-9._-]+$/)
  })

  test('takes several secrets of callbacks, under either name', () => {
    const env = { SECRET, MAIL_DATABASE_URL, BILLING: 'on', STRIPE_SECRET_KEY: 'sk_test_hunter2' }
    const secrets = (more: Record<string, string>) =>
      readConfig({ ...env, ...more }).payment.webhookSecrets.map((secret) => secret.reveal())
    assert.deepEqual(secrets({ STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b,' }), ['whsec_a', 'whsec_b'])
    assert.deepEqual(secrets({ PAYMENT_WEBHOOK_SECRET: 'whsec_c' }), ['whsec_c'])
  })

  test('of payments that is there by half is refused', () => {
    const paying = { ...PRODUCTION, BILLING: 'on', STRIPE_SECRET_KEY: 'sk_live_hunter2' }
    assert.deepEqual(problemsOf(paying), ['STRIPE_WEBHOOK_SECRET'])
    assert.deepEqual(problemsOf({ ...paying, BILLING: 'off' }), [])
    const whole = { ...paying, STRIPE_WEBHOOK_SECRET: 'whsec_a', STRIPE_PUBLISHABLE_KEY: 'pk_live_a' }
    assert.deepEqual(problemsOf(whole), [])
    assert.deepEqual(problemsOf({ ...whole, STRIPE_PUBLISHABLE_KEY: 'pk_test_a' }), ['STRIPE_PUBLISHABLE_KEY'])
    assert.deepEqual(problemsOf({ ...whole, STRIPE_TAX: 'yes', REFERRAL_CREDIT_CENTS: '-1' }).sort(), [
      'REFERRAL_CREDIT_CENTS',
      'STRIPE_TAX',
    ])
  })

  test('takes name servers with and without a port', () => {
    const env = { SECRET, MAIL_DATABASE_URL, DNS_RESOLVERS: '10.0.0.1, [::1]:5353,dns.example.test' }
    assert.deepEqual(readConfig(env).dnsResolvers, ['10.0.0.1:53', '[::1]:5353', 'dns.example.test:53'])
  })
})

const pick = ({ port, publicUrl }: ReturnType<typeof readConfig>) => [port, publicUrl]

describe('certificates', () => {
  const { TLS_CERT_FILE: _cert, TLS_KEY_FILE: _key, ...WITHOUT } = PRODUCTION

  test('production needs one of its own, or orders it', () => {
    assert.deepEqual(problemsOf(WITHOUT), ['TLS_CERT_FILE'])
    const { acme, acmeDns, challengePort, httpsPort } = readConfig({ ...WITHOUT, ACME: 'on', HTTPS_PORT: '443' })
    assert.match(acme?.directory ?? '', /letsencrypt/)
    assert.deepEqual([acme?.isOwnDirectory, acmeDns, challengePort, httpsPort], [false, null, 80, 443])
    assert.deepEqual(problemsOf({ ...WITHOUT, MAIL_ROLES: 'http' }), [])
    assert.deepEqual(problemsOf({ ...WITHOUT, MAIL_ROLES: 'http', HTTPS_PORT: '443' }), ['TLS_CERT_FILE'])
  })

  test('a DNS provider is one that is known, changes single records, and has all of its credentials', () => {
    const dns = (ACME_DNS_PROVIDER: string, ACME_DNS_CREDENTIALS: string) =>
      problemsOf({ ...PRODUCTION, ACME_DNS_PROVIDER, ACME_DNS_CREDENTIALS })
    assert.deepEqual(dns('cloudflare', 'a-token'), [])
    assert.deepEqual(dns('route53', '{"access_key_id":"a","secret_access_key":"b"}'), [])
    assert.deepEqual(dns('route53', 'a-token'), ['ACME_DNS_CREDENTIALS'])
    assert.deepEqual(dns('cloudflare', ''), ['ACME_DNS_CREDENTIALS'])
    assert.deepEqual(dns('namecheap', 'a-token'), ['ACME_DNS_PROVIDER'])
    assert.deepEqual(dns('nobody', 'a-token'), ['ACME_DNS_PROVIDER'])
  })
})
