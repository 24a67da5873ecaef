import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigError } from '@stoa/kit/config.ts'
import { readConfig } from './config.ts'

const SECRET = 'x'.repeat(32)
const MAIL_DATABASE_URL = 'postgres://mail:hunter2@127.0.0.1:5432/mail'

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
    const { databaseUrl, secret, ...plain } = readConfig({ SECRET, MAIL_DATABASE_URL })
    assert.deepEqual(plain, {
      port: 4400,
      host: '0.0.0.0',
      publicUrl: 'http://localhost:4400',
      databasePoolSize: 5,
      environment: 'development',
      logLevel: 'info',
      ratePerSecond: 10,
      signups: 'open',
      trustedProxies: [],
      metricsPort: undefined,
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
    const env = { MAIL_DATABASE_URL, NODE_ENV: 'production' }
    assert.deepEqual(problemsOf(env), ['SECRET'])
    assert.deepEqual(problemsOf({ ...env, SECRET: 'x'.repeat(31) }), ['SECRET'])
    assert.deepEqual(problemsOf({ ...env, SECRET }), [])
  })
})

const pick = ({ port, publicUrl }: ReturnType<typeof readConfig>) => [port, publicUrl]
