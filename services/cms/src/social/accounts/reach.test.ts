import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { Secret } from '@stoa/kit/secret.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { passTime } from '@stoa/tests/lib/waiting.ts'
import { contextFor } from '../../context.ts'
import { NetworkFailure } from '../networks/http/failure.ts'
import { LineCut } from '../networks/http/http.ts'
import type { Tokens } from '../networks/network.ts'
import { foundAccount, testNetwork, tokensOf } from '../networks/testing/test-network.ts'
import { attentionOf, pauseAccount, pauseApp, targetAccounts, withAccount } from './accounts.ts'
import { probeAll, renewAll } from './jobs.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Refresh tokens are good for one use, as those of X. */
let valid = 'refresh-0'
let renewals = 0
let behave: () => Promise<void> = async () => undefined
let life = 2 * 60 * MINUTE
const rotating = async (tokens: Tokens): Promise<Tokens> => {
  await behave()
  if (tokens.refreshToken?.reveal() !== valid) throw failure('auth', 'Value passed for the token was invalid.')
  renewals += 1
  valid = `refresh-${renewals}`
  return tokensOf({
    accessToken: new Secret(`access-${renewals}`),
    refreshToken: new Secret(valid),
    accessExpiresAt: new Date(site.clock.now().getTime() + life),
  })
}
/** As Instagram: the access token renews itself. */
const sliding = async (tokens: Tokens): Promise<Tokens> => {
  await behave()
  renewals += 1
  return tokensOf({
    accessToken: new Secret(`${tokens.accessToken.reveal()}+`),
    accessExpiresAt: new Date(site.clock.now().getTime() + 60 * DAY),
  })
}
let found = foundAccount()
const networks = {
  short: testNetwork({
    found: () => [found],
    refresh: { when: 'on-demand', run: (_reach, tokens) => rotating(tokens) },
  }),
  long: testNetwork({ found: () => [found], refresh: { when: 'early', run: (_reach, tokens) => sliding(tokens) } }),
  fixed: testNetwork({ found: () => [found], versionEndsOn: '2027-01-01', probe: () => behave() }),
}

let site: CmsService
let second: CmsService
let admin: Person
before(async () => {
  site = await startCms({ socialNetworks: networks })
  second = await startCms({ socialNetworks: networks, databaseUrl: site.databaseUrl, clock: site.clock })
  admin = await site.person('admin')
})
after(async () => {
  await second.close()
  await site.close()
})
afterEach(async () => {
  behave = async () => undefined
  await site.cms.database.pool.query('truncate social_app, social_account cascade')
})

const failure = (kind: 'auth' | 'transient' | 'invalid', message: string) =>
  new NetworkFailure({ kind, code: 'X', message })
const soon = (ms: number) => new Date(site.clock.now().getTime() + ms)

/** An account of that network, connected just now. */
const connected = async (network: string, tokens: Partial<Tokens> = {}, remoteId = '1'): Promise<string> => {
  valid = 'refresh-0'
  renewals = 0
  life = 2 * 60 * MINUTE
  found = foundAccount({ remoteId, tokens: tokensOf({ accessToken: new Secret('access-0'), ...tokens }) })
  // Sessions end while the clock goes on.
  admin = { ...admin, client: site.client({ token: (await site.openSession(admin.id)).token }) }
  await admin.client.put(`/api/social/settings/${network}`, { clientId: 'app', clientSecret: 'a secret of the app' })
  const { body } = await admin.client.post(`/api/social/accounts/${network}/start`)
  const state = new URL(body.url).searchParams.get('state')
  await fetch(`${site.url}/social/oauth/callback?code=good&state=${state}`, { redirect: 'manual' })
  const { rows } = await site.cms.database.pool.query('select id from social_account where remote_id = $1', [remoteId])
  return rows[0].id
}
/** A row that nothing can be done with. */
const spoil = (id: string) =>
  site.cms.database.pool.query(`update social_account set endpoints = '{}' where id = $1`, [id])
/** The first call fails in a way that nobody thought of. */
const failOnce = () => {
  let calls = 0
  return async () => {
    calls += 1
    if (calls === 1) throw new TypeError('Something nobody thought of')
  }
}
const row = async () => (await site.cms.database.pool.query('select * from social_account')).rows[0]
const never = new AbortController().signal
const tokenSeen = (service: CmsService, id: string) =>
  withAccount(service.cms.services, id, never, async ({ accessToken }) => accessToken.reveal())
const ctx = () => contextFor(site.cms.services, { kind: 'system', name: 'test' } as const)
const attention = async () => (await attentionOf(ctx())).map(({ reason }) => reason)

describe('an account in use', () => {
  test('is reached with its token, and remembers when', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(60 * MINUTE) })
    assert.equal(await tokenSeen(site, id), 'access-0')
    assert.deepEqual([renewals, (await row()).last_used_at], [0, site.clock.now()])
  })

  test('gets a new token when less than five minutes are left', async () => {
    const id = await connected('short', {
      refreshToken: new Secret('refresh-0'),
      accessExpiresAt: soon(5 * MINUTE - 1),
    })
    assert.equal(await tokenSeen(site, id), 'access-1')
    assert.equal(await tokenSeen(site, id), 'access-1')
    assert.equal(renewals, 1)
  })

  test('is renewed once when two processes need it at once, each several times', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(MINUTE) })
    behave = () => passTime(100, 'the network takes its time, so that others ask meanwhile')
    const uses = [site, second, site, second, second].map((service) => tokenSeen(service, id))
    assert.deepEqual(await Promise.all(uses), Array(5).fill('access-1'))
    assert.equal(renewals, 1)
    assert.equal((await row()).status, 'active')
  })

  test('is renewed and tried once more when the network refuses the token', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(60 * MINUTE) })
    const seen: string[] = []
    const result = await withAccount(site.cms.services, id, never, async ({ accessToken }) => {
      seen.push(accessToken.reveal())
      if (seen.length === 1) throw failure('auth', 'Unauthorized')
      return 'done'
    })
    assert.deepEqual([result, seen], ['done', ['access-0', 'access-1']])
  })

  test('needs a person after a second refusal, in the words of the network', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(60 * MINUTE) })
    let calls = 0
    const use = () =>
      withAccount(site.cms.services, id, never, async () => {
        calls += 1
        throw failure('auth', 'Your account is locked')
      })
    await assert.rejects(use(), /Your account is locked/)
    assert.equal(calls, 2)
    assert.deepEqual([(await row()).status, (await row()).status_reason], ['needs_reconnect', 'Your account is locked'])
    await assert.rejects(use(), (error: NetworkFailure) => error.facts.kind === 'auth')
    assert.equal(calls, 2)
    assert.deepEqual(await attention(), ['Your account is locked'])
  })

  test('needs a person when its refresh token is refused', async () => {
    const id = await connected('short', { refreshToken: new Secret('revoked'), accessExpiresAt: soon(MINUTE) })
    await assert.rejects(tokenSeen(site, id), /Value passed for the token was invalid/)
    assert.deepEqual(
      [(await row()).status, (await row()).status_reason],
      ['needs_reconnect', 'Value passed for the token was invalid.'],
    )
  })

  test('uses the last minutes of its token when the network cannot renew it now', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(MINUTE) })
    behave = async () => {
      throw new LineCut(null)
    }
    assert.equal(await tokenSeen(site, id), 'access-0')
    assert.equal((await row()).status, 'active')
    site.clock.advance(2 * MINUTE)
    await assert.rejects(tokenSeen(site, id), LineCut)
    assert.equal((await row()).status, 'active')
  })

  test('is marked by nothing but a refusal: other failures pass through', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0') })
    await assert.rejects(
      withAccount(site.cms.services, id, never, async () => {
        throw failure('transient', 'Over capacity')
      }),
      /Over capacity/,
    )
    assert.deepEqual([renewals, (await row()).status], [0, 'active'])
  })

  test('works until its token ends when the app is forgotten, and then needs a person', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(10 * MINUTE) })
    await admin.client.delete('/api/social/settings/short')
    assert.equal(await tokenSeen(site, id), 'access-0')
    site.clock.advance(10 * MINUTE)
    await assert.rejects(tokenSeen(site, id), /Access to this account has expired/)
    assert.deepEqual([renewals, (await row()).status], [0, 'needs_reconnect'])
  })

  test('is gone after it was disconnected', async () => {
    const id = await connected('short')
    await admin.client.delete(`/api/social/accounts/${id}`)
    await assert.rejects(tokenSeen(site, id), (error: NetworkFailure) => error.facts.code === 'ACCOUNT_GONE')
    await assert.rejects(tokenSeen(site, 'unknown'), (error: NetworkFailure) => error.facts.code === 'ACCOUNT_GONE')
  })

  test('is reached where it was connected, with the version of today', async () => {
    const id = await connected('fixed')
    await admin.client.put('/api/social/settings/fixed', {
      overrides: { apiBase: 'https://moved.test', apiVersion: 'v2' },
    })
    const { apiBase, apiVersion } = await withAccount(site.cms.services, id, never, async ({ endpoints }) => endpoints)
    assert.deepEqual([apiBase, apiVersion], ['https://api.network.test', 'v2'])
  })

  test('keeps the scopes and what a renewal does not name', async () => {
    const id = await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(MINUTE) })
    await tokenSeen(site, id)
    assert.deepEqual((await row()).scopes, ['post'])
  })
})

describe('the job that renews tokens', () => {
  const run = (service = site) =>
    renewAll(contextFor(service.cms.services, { kind: 'system', name: 'test' } as const), never)

  test('renews past 80 % of a life or in its last week, and leaves young tokens alone', async () => {
    await connected('long', { accessExpiresAt: soon(60 * DAY) })
    await run()
    site.clock.advance(47 * DAY)
    await run()
    assert.equal(renewals, 0)
    site.clock.advance(DAY)
    await run()
    assert.deepEqual([renewals, (await row()).access_expires_at], [1, soon(60 * DAY)])
    await connected('long', { accessExpiresAt: soon(6 * DAY) })
    site.clock.advance(DAY - 1)
    await run()
    assert.equal(renewals, 0)
    site.clock.advance(1)
    await run()
    assert.equal(renewals, 1)
  })

  test('leaves tokens that are renewed on demand', async () => {
    await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(2 * DAY) })
    site.clock.advance(DAY + 1)
    await run()
    assert.equal(renewals, 0)
  })

  test('renews once when two processes run it at once', async () => {
    await connected('long', { accessExpiresAt: soon(6 * DAY) })
    site.clock.advance(DAY)
    behave = () => passTime(50, 'the network takes its time, so that the other asks meanwhile')
    await Promise.all([run(site), run(second)])
    assert.equal(renewals, 1)
  })

  test('gives every account its turn, whatever happens to those before it', async () => {
    const bad = await connected('long', { accessExpiresAt: soon(4 * DAY) }, '1')
    await connected('long', { accessExpiresAt: soon(5 * DAY) }, '2')
    const good = await connected('long', { accessExpiresAt: soon(6 * DAY) }, '3')
    await spoil(bad)
    site.clock.advance(DAY)
    behave = failOnce()
    await run()
    const { rows } = await site.cms.database.pool.query('select id from social_account where tokens_at = $1', [
      site.clock.now(),
    ])
    assert.deepEqual(rows, [{ id: good }])
  })

  test('reports a rejection, and retries after temporary failures', async () => {
    await connected('long', { accessExpiresAt: soon(6 * DAY) })
    site.clock.advance(DAY)
    behave = async () => {
      throw failure('transient', 'Service unavailable')
    }
    await run()
    assert.deepEqual([(await row()).status, await attention()], ['active', []])
    behave = async () => {
      throw failure('invalid', 'Something else is wrong')
    }
    await run()
    assert.equal((await row()).status, 'active')
    assert.deepEqual(await attention(), [
      `Access expires on ${(await row()).access_expires_at.toISOString().slice(0, 10)}. Connect this account again.`,
    ])
    behave = async () => {
      throw failure('auth', 'The session has been invalidated')
    }
    await run()
    assert.deepEqual(
      [(await row()).status, await attention()],
      ['needs_reconnect', ['The session has been invalidated']],
    )
  })
})

describe('what needs attention', () => {
  test('is nothing for an account that works', async () => {
    await connected('short', { refreshToken: new Secret('refresh-0'), accessExpiresAt: soon(MINUTE) })
    assert.deepEqual(await attention(), [])
  })

  test('is access that ends within a week and is not renewed', async () => {
    const id = await connected('fixed', { accessExpiresAt: soon(8 * DAY) })
    assert.deepEqual(await attention(), [])
    site.clock.advance(DAY)
    const [item] = await attentionOf(ctx())
    assert.deepEqual([item?.accountId, item?.network, item?.since], [id, 'fixed', site.clock.now()])
    assert.match(item?.reason ?? '', /^Access expires on 2\d{3}-/)
  })

  test('is a missing permission, and a network that is switched off', async () => {
    await connected('fixed', { scopes: [] })
    assert.deepEqual(await attention(), ['Missing permissions: post.'])
    await admin.client.put('/api/social/settings/fixed', { enabled: false })
    assert.deepEqual(await attention(), ['Test network is turned off in the settings.'])
  })

  test('is a version of the API that ends', async () => {
    await connected('fixed')
    const items = await attentionOf(ctx(), new Date('2026-11-01'))
    assert.deepEqual(
      items.map(({ reason }) => reason),
      ['Version v1 of the Test network API ends on 2027-01-01.'],
    )
  })
})

describe('pauses', () => {
  test('of an account and of an app are both kept, the later one counts', async () => {
    const id = await connected('fixed')
    const pausedUntil = async () => (await targetAccounts(site.cms.database.db, [id]))[0]?.pausedUntil
    assert.equal(await pausedUntil(), null)
    await site.cms.database.tx((tx) => pauseAccount(tx, id, soon(MINUTE)))
    await site.cms.database.tx((tx) => pauseApp(tx, 'fixed', soon(2 * MINUTE)))
    await site.cms.database.tx((tx) => pauseAccount(tx, id, soon(MINUTE)))
    assert.deepEqual(await pausedUntil(), soon(2 * MINUTE))
  })

  test('show targets whether the network is enabled', async () => {
    const id = await connected('fixed')
    const isEnabled = async () => (await targetAccounts(site.cms.database.db, [id, 'unknown']))[0]?.isNetworkEnabled
    assert.equal(await isEnabled(), true)
    await admin.client.put('/api/social/settings/fixed', { enabled: false })
    assert.equal(await isEnabled(), false)
    await admin.client.delete('/api/social/settings/fixed')
    assert.equal(await isEnabled(), true)
    assert.deepEqual(await targetAccounts(site.cms.database.db, []), [])
  })
})

describe('the daily check of connections', () => {
  const context = () => contextFor(site.cms.services, { kind: 'system', name: 'test' } as const)
  const check = () => probeAll(context(), never)
  const reasons = async () => (await attentionOf(context())).map(({ reason }) => reason)
  const statusOf = async (id: string) => (await targetAccounts(site.cms.database.db, [id]))[0]?.status

  test('one that the network has ended is reported before a post fails', async () => {
    const id = await connected('fixed')
    await check()
    assert.equal(await statusOf(id), 'active')
    // The database keeps no such character, and a network may say anything.
    behave = () => Promise.reject(failure('auth', 'The session\0has expired'))
    await check()
    assert.equal(await statusOf(id), 'needs_reconnect')
    assert.deepEqual(await reasons(), ['The session has expired'])
  })

  test('every account is asked about, whatever happens to those before it', async () => {
    for (const remoteId of ['1', '2', '3']) await connected('fixed', {}, remoteId)
    const { rows } = await site.cms.database.pool.query('select id from social_account order by name, id')
    await spoil(rows[0].id)
    const fails = failOnce()
    behave = async () => {
      await fails()
      throw failure('auth', 'The session has expired')
    }
    await check()
    const { rows: ended } = await site.cms.database.pool.query(
      `select id from social_account where status = 'needs_reconnect'`,
    )
    assert.deepEqual(ended, [{ id: rows[2].id }])
  })

  test('a network that is busy, silent or does not know the app changes nothing about an account', async () => {
    const id = await connected('fixed')
    for (const error of [failure('transient', 'Busy'), new LineCut('gone'), failure('invalid', 'Wrong app')]) {
      behave = () => Promise.reject(error)
      await check()
      assert.equal(await statusOf(id), 'active')
    }
  })
})
