import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { ConfigError } from '@stoa/kit/config.ts'
import { readConfig, readDatabaseUrl } from './config.ts'

const URL = 'postgres://cms:hidden@127.0.0.1/cms'
const SECRET = 'a secret of the tests, long enough for anyone'
const MINIMAL = { CMS_DATABASE_URL: URL, SECRET }

const problems = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name }) => name).sort()
    throw error
  }
  return []
}

describe('configuration', () => {
  test('has the documented defaults', () => {
    const config = readConfig(MINIMAL)
    assert.equal(config.port, 4300)
    assert.equal(config.host, '0.0.0.0')
    assert.equal(config.publicUrl, 'http://localhost:4300')
    assert.equal(config.poolSize, 5)
    assert.deepEqual(config.trustedProxies, [])
    assert.equal(config.webhookAllowPrivate, false)
    assert.equal(config.bootstrap, null)
    assert.equal(config.metricsPort, null)
  })

  test('https in production needs a certificate: a whole one of its own, or ordered', () => {
    const production = { ...MINIMAL, NODE_ENV: 'production', STORAGE_DRIVER: 'local', STORAGE_LOCAL_DIR: '/srv/files' }
    const files = { TLS_CERT_FILE: '/tls/cert.pem', TLS_KEY_FILE: '/tls/key.pem' }
    const { httpsPort, tls, acme, challengePort } = readConfig(MINIMAL)
    assert.deepEqual([httpsPort, tls, acme, challengePort], [null, null, null, 80])
    assert.deepEqual(problems({ ...production, HTTPS_PORT: '443' }), ['TLS_CERT_FILE'])
    assert.deepEqual(problems({ ...production, HTTPS_PORT: '443', TLS_KEY_FILE: '/tls/key.pem' }), ['TLS_CERT_FILE'])
    assert.deepEqual(problems({ ...production, HTTPS_PORT: '443', ...files }), [])
    assert.equal(readConfig({ ...production, HTTPS_PORT: '443', ACME: 'on' }).acme?.isOwnDirectory, false)
    assert.deepEqual(problems({ ...MINIMAL, ACME: 'on', ACME_EMAIL: 'nobody' }), ['ACME_EMAIL'])
    assert.deepEqual(problems({ ...MINIMAL, ACME_DIRECTORY: 'http://ca.example' }), ['ACME_DIRECTORY'])
    assert.deepEqual(problems({ ...MINIMAL, ACME_DNS_PROVIDER: 'cloudflare' }), ['ACME_DNS_CREDENTIALS'])
    const proven = readConfig({ ...MINIMAL, ACME_DNS_PROVIDER: 'cloudflare', ACME_DNS_CREDENTIALS: 'hidden' }).acmeDns
    assert.deepEqual([proven?.provider, proven?.credentials.token?.reveal()], ['cloudflare', 'hidden'])
  })

  test('an app of a social network has an id; what is left out is of the network', () => {
    const { socialApps } = readConfig({
      ...MINIMAL,
      SOCIAL_OAUTH_X_CLIENT_ID: 'id',
      SOCIAL_OAUTH_X_CLIENT_SECRET: 'hidden',
      SOCIAL_OAUTH_X_SCOPES: 'tweet.read, tweet.write',
      SOCIAL_OAUTH_FACEBOOK_CLIENT_ID: 'page-id',
      SOCIAL_OAUTH_FACEBOOK_AUTHORIZE_URL: 'https://consent.example/dialog',
      SOCIAL_OAUTH_LINKEDIN_CLIENT_SECRET: 'without an id',
    })
    assert.deepEqual(Object.keys(socialApps).sort(), ['facebook', 'x'])
    assert.deepEqual([socialApps.x?.clientId, socialApps.x?.scopes], ['id', ['tweet.read', 'tweet.write']])
    assert.equal(socialApps.x?.clientSecret?.reveal(), 'hidden')
    assert.deepEqual(
      [socialApps.facebook?.authorizeUrl, socialApps.facebook?.tokenUrl, socialApps.facebook?.clientSecret],
      ['https://consent.example/dialog', null, null],
    )
    assert.ok(!inspect(socialApps, { depth: 9 }).includes('hidden'))
    assert.deepEqual(problems({ ...MINIMAL, SOCIAL_OAUTH_X_TOKEN_URL: 'ftp://x.example' }), [
      'SOCIAL_OAUTH_X_TOKEN_URL',
    ])
  })

  test('a client at an AI provider has an id; what is left out is of the provider', () => {
    assert.equal(readConfig({ ...MINIMAL, AI_OAUTH_A_CLIENT_SECRET: 'without an id' }).aiOauth, null)
    const env = { ...MINIMAL, AI_OAUTH_A_CLIENT_ID: 'id', AI_OAUTH_A_CLIENT_SECRET: 'hidden' }
    const { aiOauth } = readConfig({ ...env, AI_OAUTH_A_TOKEN_URL: 'https://token.example/t' })
    assert.deepEqual([aiOauth?.clientId, aiOauth?.scopes], ['id', ['user:inference']])
    assert.deepEqual(
      [aiOauth?.authorizeUrl, aiOauth?.tokenUrl],
      ['https://claude.ai/oauth/authorize', 'https://token.example/t'],
    )
    assert.ok(!inspect(aiOauth, { depth: 9 }).includes('hidden'))
    assert.deepEqual(readConfig({ ...env, AI_OAUTH_A_SCOPES: 'a, b' }).aiOauth?.scopes, ['a', 'b'])
  })

  test('the public address follows the port', () => {
    assert.equal(readConfig({ ...MINIMAL, PORT: '5000' }).publicUrl, 'http://localhost:5000')
  })

  test('CMS_DATABASE_URL wins over DATABASE_URL, which counts too', () => {
    const bare = 'postgres://other@127.0.0.1/other'
    assert.equal(readConfig({ ...MINIMAL, DATABASE_URL: bare }).databaseUrl.reveal(), URL)
    assert.equal(readDatabaseUrl({ DATABASE_URL: bare }).reveal(), bare)
  })

  test('C35: production refuses a missing and a short SECRET', () => {
    const storage = { STORAGE_DRIVER: 'local', STORAGE_LOCAL_DIR: '/srv/media' }
    const env = { CMS_DATABASE_URL: URL, NODE_ENV: 'production', ...storage }
    assert.deepEqual(problems(env), ['SECRET'])
    assert.deepEqual(problems({ ...env, SECRET: 'x'.repeat(31) }), ['SECRET'])
    assert.deepEqual(problems({ ...env, SECRET: 'x'.repeat(32) }), [])
  })

  test('files are kept under the data folder, unless a folder or a store is named', () => {
    const { storage, maxUploadBytes } = readConfig({ ...MINIMAL, DATA_DIR: '/srv/stoa' })
    assert.deepEqual(storage, { driver: 'local', folder: '/srv/stoa/blobs/cms' })
    assert.equal(maxUploadBytes, 26_214_400)
    const named = readConfig({ ...MINIMAL, STORAGE_LOCAL_DIR: '/srv/media', MAX_UPLOAD_BYTES: '1 GB' })
    assert.deepEqual(named.storage, { driver: 'local', folder: '/srv/media' })
    assert.equal(named.maxUploadBytes, 2 ** 30)
  })

  test('production says where files are kept, and the object driver with which store', () => {
    const env = { ...MINIMAL, NODE_ENV: 'production' }
    assert.deepEqual(problems(env), ['STORAGE_DRIVER'])
    assert.deepEqual(problems({ ...env, STORAGE_DRIVER: 'local' }), ['STORAGE_LOCAL_DIR'])
    assert.deepEqual(problems({ ...env, STORAGE_DRIVER: 'disk' }), ['STORAGE_DRIVER'])
    assert.deepEqual(problems({ ...env, STORAGE_DRIVER: 'object', OBJECT_BUCKET: 'files' }), [
      'OBJECT_ACCESS_KEY',
      'OBJECT_ENDPOINT',
      'OBJECT_SECRET_KEY',
    ])
    const object = {
      STORAGE_DRIVER: 'object',
      OBJECT_ENDPOINT: 'https://store.test',
      OBJECT_BUCKET: 'files',
      OBJECT_ACCESS_KEY: 'a',
      OBJECT_SECRET_KEY: 'hidden',
    }
    const { storage } = readConfig({ ...env, ...object })
    assert.ok(storage.driver === 'object' && storage.publicUrl === null && storage.region === 'us-east-1')
    assert.ok(!inspect(storage).includes('hidden'))
  })

  test('all that is wrong is reported together', () => {
    const env = { ...MINIMAL, PORT: 'x', TRUSTED_PROXIES: '10.0.0.0/99', DELIVERY_ORIGINS: '*', PUBLIC_URL: 'ftp://x' }
    assert.deepEqual(problems(env), ['DELIVERY_ORIGINS', 'PORT', 'PUBLIC_URL', 'TRUSTED_PROXIES'])
  })

  test('a bootstrap owner needs an address and a password that would be accepted', () => {
    assert.deepEqual(problems({ ...MINIMAL, BOOTSTRAP_EMAIL: 'a@example.test' }), ['BOOTSTRAP_PASSWORD'])
    assert.deepEqual(problems({ ...MINIMAL, BOOTSTRAP_PASSWORD: 'fine lanterns' }), ['BOOTSTRAP_EMAIL'])
    assert.deepEqual(problems({ ...MINIMAL, BOOTSTRAP_EMAIL: 'x', BOOTSTRAP_PASSWORD: 'short' }), [
      'BOOTSTRAP_EMAIL',
      'BOOTSTRAP_PASSWORD',
    ])
  })

  test('secrets are not printed', () => {
    const config = readConfig({
      ...MINIMAL,
      BOOTSTRAP_EMAIL: 'a@example.test',
      BOOTSTRAP_PASSWORD: 'planted lanterns',
    })
    const shown = inspect(config, { depth: 9 }) + JSON.stringify(config)
    for (const secret of ['hidden', SECRET, 'planted lanterns']) assert.ok(!shown.includes(secret))
  })
})
