import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leastWorkMs } from '@stoa/tests/lib/work.ts'
import { maskSecrets, SECRET_REMOVED } from './mask-secrets.ts'

const R = SECRET_REMOVED

/** Made up, and put together here, so that scanners of repositories leave this file alone. */
const made = {
  openai: ['sk', 'proj', 'Zb3kQ9vLr2TnX7wYcE5mHs8D'].join('-'),
  anthropic: ['sk', 'ant', 'api03', 'qW8_eR2tY6uI0oP4aS9dF3gH7jK1lZ5x'].join('-'),
  stripe: ['sk', 'live', '51HqLyjWDarjtT1zdp7dcXk2'].join('_'),
  webhook: ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
  agent: ['cmsagt', 'k3Jx9vQ2mT7bR4nW8cZ1yL6dH5sF0gPaEuIoXqVtBrN'].join('_'),
  github: ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3oR6'].join('_'),
  slack: ['xoxb', '2384729384', 'k3Jx9vQ2mT7bR4nW'].join('-'),
  google: ['GOCSPX', 'q8Zk2Lr7Xw3Tn9Yc5Em1Hs6D'].join('-'),
  jwt: ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dBjftJeZ4CVPmB92K27uhbUJU1p1r'].join('.'),
  hex: '9f86d081884c7d659a2feaa0c55ad015',
  mixed: 'q8Zk2Lr7Xw3Tn9Yc5Em1Hs6D',
}

describe('what a person wrote', () => {
  for (const [given, stored] of [
    [`use ${made.openai} please`, `use ${R} please`],
    [made.anthropic, R],
    [`Stripe is ${made.stripe}.`, `Stripe is ${R}.`],
    [`${made.webhook}\n${made.agent}`, `${R}\n${R}`],
    [`(${made.github}), ${made.slack}`, `(${R}), ${R}`],
    [`bearer ${made.jwt}`, `bearer ${R}`],
    [`the client secret is ${made.google}`, `the client secret is ${R}`],
    [`client_secret=${made.hex}`, `client_secret=${R}`],
    [`Client secret: "${made.hex}".`, `Client secret: "${R}".`],
    [`Here is my API key ${made.mixed}, the id is 1234567890`, `Here is my API key ${R}, the id is 1234567890`],
    [`"appSecret": "${made.mixed}"`, `"appSecret": "${R}"`],
    [`token → see https://x.test/?token=${made.mixed}&a=1`, `token → see https://x.test/?token=${R}`],
    ['my password is Summer2026!', `my password is ${R}!`],
    ['password: tr0ub4dor&3', `password: ${R}`],
    ['postgres://app:s3cr3tpass@db.test/site', `postgres://app:${R}@db.test/site`],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAbc\n-----END RSA PRIVATE KEY----- thanks', `${R} thanks`],
  ] as const)
    test(`loses its secrets: ${stored.slice(0, 60)}`, () => {
      assert.deepEqual(maskSecrets(given), { text: stored, masked: true })
    })

  for (const text of [
    'Give the article the slug how-we-won-the-summer-cup-2026',
    'The key is hero-section-title-2 and the token field stays',
    'the key of the entry is 018f6b2e-7c1a-7d3e-9b1f-2a4c6e8d0f12',
    'key: https://example.test/docs/getting-started/2026/overview',
    'Token counts: maxOutputTokens, inputTokensPerDay',
    'the commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b broke the build',
    'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 of the file',
    'The secret ingredient is mascarpone-from-lombardy',
    'Please explain password requirements to readers',
    'Where do I enter the password? Under Settings.',
    'our key takeaways: responsiveness, internationalisation',
    'The passwords-reset.html page and the key-visual-2026-final.jpg picture',
    'sk-learn-for-absolute-beginners is a slug, too',
    'ask-me-anything and task-force-2026-winter are slugs',
    'data.items.0.title is the key that changed',
    'token: 2026-03-01T12:00:00.000Z',
    'write to key-account@example.test',
    'a client id such as 1234567890-abc.apps.example.test is fine',
  ])
    test(`stays as it is: ${text.slice(0, 60)}`, () => {
      assert.deepEqual(maskSecrets(text), { text, masked: false })
    })

  test('is looked through in time that grows with its length', () => {
    const hostile = ['key ', 'api_', 'secret a-', 'sk-', 'x://a:', '-----BEGIN PRIVATE KEY-----']
    for (const piece of hostile) {
      const text = piece.repeat(8_000).slice(0, 8_000)
      assert.ok(leastWorkMs(() => maskSecrets(text), { enough: 200 }) < 200, piece)
    }
  })
})
