import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'
import { freshDatabase } from '@stoa/tests/lib/cluster.ts'
import { createTestClock } from '../clock.ts'
import { createSealer } from '../crypto/seal.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { createLogger } from '../log.ts'
import { Secret } from '../secret.ts'
import { codeChallengeOf, consumeOAuthState, issueOAuthState, type NewOAuthState, pruneOAuthStates } from './state.ts'
import type { OAuthTables } from './tables.ts'

const clock = createTestClock(new Date('2026-03-01T12:00:00Z'))
const sealer = createSealer({ current: new Secret('a secret of more than thirty-two characters') }, 'oauth')
let database: Database<OAuthTables>
let drop: () => Promise<void>

before(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  database = openDatabase<OAuthTables>({
    url: fresh.url,
    poolSize: 8,
    log: createLogger({ name: 'test', level: 'silent' }),
  })
  await database.pool.query(await readFile(new URL('./tables.sql', import.meta.url), 'utf8'))
})
after(async () => {
  await database.close()
  await drop()
})
beforeEach(() => database.pool.query('truncate oauth_state'))

const mine = { purpose: 'social', subject: 'session-1' }
const issue = (changes: Partial<NewOAuthState> = {}) =>
  database.tx((tx) =>
    issueOAuthState(tx, sealer, { ...mine, payload: { network: 'x' }, withPkce: true, now: clock.now(), ...changes }),
  )
const consume = (state: string, changes: Partial<typeof mine> = {}, by = sealer) =>
  database.tx((tx) => consumeOAuthState(tx, by, { ...mine, state, now: clock.now(), ...changes }))
const rows = async () => (await database.pool.query('select * from oauth_state')).rows

test('a state comes back once, with payload and the verifier of its challenge', async () => {
  const { state, codeChallenge, expiresAt } = await issue()
  assert.match(state, /^[\w-]{43}$/)
  assert.equal(expiresAt.getTime() - clock.now().getTime(), 600_000)
  const consumed = await consume(state)
  assert.deepEqual(consumed?.payload, { network: 'x' })
  const verifier = consumed?.codeVerifier?.reveal() ?? ''
  assert.match(verifier, /^[\w-]{43}$/)
  assert.equal(codeChallengeOf(verifier), codeChallenge)
  assert.equal(await consume(state), null)
})

test('the challenge is that of RFC 7636 appendix B', () => {
  const challenge = codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')
  assert.equal(challenge, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
})

test('a service without PKCE gets neither challenge nor verifier', async () => {
  const { state, codeChallenge } = await issue({ withPkce: false })
  assert.deepEqual([codeChallenge, (await consume(state))?.codeVerifier], [null, null])
})

test('of many who come with one state at once, one gets it', async () => {
  const { state } = await issue()
  const results = await Promise.all(Array.from({ length: 10 }, () => consume(state)))
  assert.equal(results.filter((result) => result !== null).length, 1)
})

test('every state that is not good gives the same answer, and a known one is gone after it', async () => {
  const cases: [string, (state: string) => Promise<unknown>][] = [
    ['another session', (state) => consume(state, { subject: 'session-2' })],
    ['another purpose', (state) => consume(state, { purpose: 'ai' })],
    ['another key', (state) => consume(state, {}, createSealer({ current: new Secret('x'.repeat(40)) }, 'oauth'))],
    [
      'moved to another row',
      async (state) => {
        const other = await issue()
        await database.pool.query(
          `update oauth_state set sealed = (select sealed from oauth_state where state_hash <> sha256($1)) where state_hash = sha256($1)`,
          [Buffer.from(state)],
        )
        await consume(other.state)
        return consume(state)
      },
    ],
    [
      'too late',
      (state) => {
        clock.advance(600_000)
        return consume(state)
      },
    ],
  ]
  for (const [name, attempt] of cases) {
    const { state } = await issue()
    assert.equal(await attempt(state), null, name)
    assert.equal(await consume(state), null, name)
    assert.deepEqual(await rows(), [], name)
  }
  for (const state of ['', 'unknown', 'x'.repeat(100_000), '\0']) assert.equal(await consume(state), null)
})

test('a copy of the table holds neither state, verifier nor payload', async () => {
  const { state } = await issue({ payload: { note: 'private' } })
  const text = JSON.stringify(await rows())
  assert.ok(!text.includes(state) && !text.includes('private'))
})

test('a payload is small', async () => {
  await assert.rejects(issue({ payload: { big: 'x'.repeat(5_000) } }), TypeError)
  assert.deepEqual(await rows(), [])
})

test('states that nobody came back with are deleted in batches', async () => {
  for (let n = 0; n < 5; n += 1) await issue()
  clock.advance(600_000)
  const { state } = await issue()
  const prune = () => database.tx((tx) => pruneOAuthStates(tx, clock.now(), 3))
  assert.deepEqual([await prune(), await prune()], [{ hasMore: true }, { hasMore: false }])
  assert.ok(await consume(state))
})
