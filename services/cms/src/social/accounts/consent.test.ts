import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { createSealer } from '@stoa/kit/crypto/seal.ts'
import { issueOAuthState } from '@stoa/kit/oauth/state.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import type { FakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import { startSocialFakes } from '@stoa/tests/lib/social/index.ts'
import { mastodon } from '../networks/mastodon.ts'
import type { FoundAccount } from '../networks/network.ts'
import { foundAccount, testNetwork, tokensOf } from '../networks/testing/test-network.ts'

const MINUTE = 60_000
let found: FoundAccount[] = []
const networks = { mastodon, pages: testNetwork({ found: () => found }) }

let site: CmsService
let admin: Person
let fakes: FakeNetworks
before(async () => {
  fakes = await startSocialFakes()
  site = await startCms({ socialNetworks: networks })
  admin = await site.person('admin')
})
after(async () => {
  await site.close()
  await fakes.close()
})
beforeEach(async () => {
  const body = { clientId: 'app', clientSecret: 'a secret of the app', overrides: fakes.overrides('mastodon') }
  assert.equal((await admin.client.put('/api/social/settings/mastodon', body)).status, 200)
  await admin.client.put('/api/social/settings/pages', { clientId: 'app', clientSecret: 'a secret of the app' })
})
afterEach(async () => {
  fakes.clearScripts()
  await site.cms.database.pool.query('truncate social_app, social_account, social_post, oauth_state cascade')
})

const start = async (network = 'mastodon'): Promise<string> => {
  const { status, body } = await admin.client.post(`/api/social/accounts/${network}/start`)
  assert.equal(status, 200)
  return body.url
}
/** As a browser that comes back: without any credential. */
const comeBack = async (url: string): Promise<URL> => {
  const { pathname, search } = new URL(url)
  const answer = await fetch(`${site.url}${pathname}${search}`, { redirect: 'manual' })
  assert.equal(answer.status, 302, await answer.text())
  const to = new URL(answer.headers.get('location') ?? '')
  assert.deepEqual([to.origin, to.pathname], ['http://cms.test', '/admin/social/accounts'])
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  return to
}
const connect = async () => comeBack(await fakes.consent(await start()))
const callback = (params: Record<string, string>) =>
  comeBack(`http://cms.test/social/oauth/callback?${new URLSearchParams(params)}`)
const connectPages = async (code = 'good') => {
  const state = new URL(await start('pages')).searchParams.get('state') ?? ''
  return callback({ state, code })
}
const accountsOf = async (network = 'mastodon') => {
  const { body } = await admin.client.get('/api/social/accounts')
  return body.items.find((item: { network: string }) => item.network === network).accounts
}
const rows = async () => (await site.cms.database.pool.query('select * from social_account order by remote_id')).rows

describe('a consent', () => {
  test('connects what the person granted, and stores tokens sealed', async () => {
    const to = await connect()
    assert.deepEqual(Object.fromEntries(to.searchParams), { connected: 'mastodon', count: '1' })
    const [account] = await accountsOf()
    const host = new URL(fakes.url).host
    assert.deepEqual(
      [account.name, account.handle, account.status, account.missingScopes, account.kind],
      ['Ada Lovelace', `@ada@${host}`, 'active', [], 'profile'],
    )
    assert.equal(account.capabilities.captionMax, 500)
    const [row] = await rows()
    assert.match(row.access_token_sealed, /^v1\./)
    assert.deepEqual([row.client_id, row.endpoints.apiBase], ['app', fakes.overrides('mastodon').apiBase])
    const { body } = await admin.client.get('/api/activity')
    assert.deepEqual([body.items[0].action, body.items[0].actor.id], ['social.account.connected', admin.id])
    assert.ok(
      !/access|token/i.test(
        Object.keys(account)
          .filter((key) => key !== 'accessExpiresAt')
          .join(),
      ),
    )
  })

  test('asks with PKCE and the callback of this site', async () => {
    const { searchParams } = new URL(await start())
    assert.equal(searchParams.get('redirect_uri'), 'http://cms.test/social/oauth/callback')
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.equal(searchParams.get('scope'), 'profile write:statuses write:media')
  })

  test('is good once: the same way back a second time connects nothing', async () => {
    const back = await fakes.consent(await start())
    assert.equal((await comeBack(back)).searchParams.get('connected'), 'mastodon')
    const calls = fakes.journal('mastodon').length
    assert.equal((await comeBack(back)).searchParams.get('socialError'), 'SOCIAL_STATE_INVALID')
    assert.equal(fakes.journal('mastodon').length, calls)
  })

  test('of two ways back at once, one connects', async () => {
    const back = await fakes.consent(await start())
    const both = await Promise.all([comeBack(back), comeBack(back)])
    assert.deepEqual(both.map(({ searchParams }) => searchParams.has('connected')).sort(), [false, true])
  })

  test('with a missing, foreign or late state connects nothing and asks the network nothing', async () => {
    const late = await fakes.consent(await start())
    const calls = fakes.journal('mastodon').length
    const sealer = createSealer({ current: new Secret('a secret of the tests, long enough for anyone') }, 'oauth')
    const other = await site.cms.database.tx((tx) =>
      issueOAuthState(tx, sealer, {
        purpose: 'ai',
        subject: 'callback',
        payload: { network: 'mastodon', accountId: admin.id, sessionId: 's', clientId: 'app', appVersion: 1 },
        withPkce: true,
        now: site.clock.now(),
      }),
    )
    const ways = [
      { code: 'c' },
      { code: 'c', state: '' },
      { code: 'c', state: 'made-up' },
      { code: 'c', state: other.state },
    ]
    for (const params of ways)
      assert.equal(
        (await callback(params)).searchParams.get('socialError'),
        'SOCIAL_STATE_INVALID',
        JSON.stringify(params),
      )
    site.clock.advance(10 * MINUTE)
    assert.equal((await comeBack(late)).searchParams.get('socialError'), 'SOCIAL_STATE_INVALID')
    assert.equal(fakes.journal('mastodon').length, calls)
    assert.deepEqual(await rows(), [])
  })

  test('that is denied says so in the words of the network, of every kind', async () => {
    const denied = await comeBack(await fakes.consent(await start(), 'deny'))
    assert.equal(denied.searchParams.get('socialError'), 'SOCIAL_CONSENT_DENIED')
    assert.match(denied.searchParams.get('message') ?? '', /denied the request/)
    for (const [params, words] of [
      [
        { error: 'access_denied', error_reason: 'user_denied', error_description: 'Permissions error' },
        'Permissions error',
      ],
      [{ error: 'user_cancelled_login' }, 'user_cancelled_login'],
      [{ error_code: '1349', error_message: 'App not active' }, 'App not active'],
    ] as const) {
      const state = new URL(await start()).searchParams.get('state') ?? ''
      const to = await callback({ ...params, state })
      assert.deepEqual(
        [to.searchParams.get('socialError'), to.searchParams.get('message')],
        ['SOCIAL_CONSENT_DENIED', words],
      )
      assert.equal((await callback({ code: 'c', state })).searchParams.get('socialError'), 'SOCIAL_STATE_INVALID')
    }
    assert.deepEqual(await rows(), [])
  })

  test('shows words of a stranger never, and those of a network bounded and on one line', async () => {
    const stranger = await callback({ error: 'x', error_description: 'Call 555-1234' })
    assert.ok(!stranger.href.includes('555'))
    const state = new URL(await start()).searchParams.get('state') ?? ''
    const long = await callback({ state, error: 'x', error_description: `<b>\r\n${'x'.repeat(5_000)}` })
    const message = long.searchParams.get('message') ?? ''
    assert.ok(message.startsWith('<b> x') && message.length === 300)
  })

  test('never leads to another site, whatever the way back says', async () => {
    for (const params of [{ redirect: 'https://evil.test' }, { next: '//evil.test' }, { state: 'https://evil.test' }])
      await callback(params as Record<string, string>)
    await comeBack('http://cms.test/social/oauth/callback?state=a&state=b&code[]=1')
  })

  test('whose code the network does not know shows its words', async () => {
    const state = new URL(await start()).searchParams.get('state') ?? ''
    const to = await callback({ state, code: 'never issued' })
    assert.equal(to.searchParams.get('socialError'), 'SOCIAL_PROVIDER_ERROR')
    assert.match(to.searchParams.get('message') ?? '', /^The provided authorization grant is invalid/)
    const none = new URL(await start()).searchParams.get('state') ?? ''
    assert.equal((await callback({ state: none })).searchParams.get('socialError'), 'SOCIAL_PROVIDER_ERROR')
  })

  test('ends when the app is changed, switched off or forgotten meanwhile', async () => {
    const changes = [
      () => admin.client.put('/api/social/settings/mastodon', { clientId: 'another' }),
      () => admin.client.put('/api/social/settings/mastodon', { enabled: false }),
      () => admin.client.delete('/api/social/settings/mastodon'),
    ]
    for (const change of changes) {
      const back = await fakes.consent(await start())
      assert.ok((await change()).status < 300)
      assert.equal((await comeBack(back)).searchParams.get('socialError'), 'SOCIAL_APP_MISSING')
      await admin.client.put('/api/social/settings/mastodon', {
        clientId: 'app',
        clientSecret: 'a secret of the app',
        enabled: true,
        overrides: fakes.overrides('mastodon'),
      })
    }
    assert.deepEqual(await rows(), [])
  })

  test('of a person who may no longer connect accounts is worth nothing', async () => {
    const owner = await site.person('owner')
    const other = await site.person('admin')
    const { body } = await other.client.post('/api/social/accounts/mastodon/start')
    const back = await fakes.consent(body.url)
    assert.equal((await owner.client.put(`/api/users/${other.id}`, { role: 'editor' })).status, 200)
    assert.equal((await comeBack(back)).searchParams.get('socialError'), 'SOCIAL_STATE_INVALID')
    assert.deepEqual(await rows(), [])
  })

  test('is not used up by somebody who only looks where the link leads', async () => {
    const back = await fakes.consent(await start())
    const { pathname, search } = new URL(back)
    assert.equal((await fetch(`${site.url}${pathname}${search}`, { method: 'HEAD', redirect: 'manual' })).status, 302)
    assert.equal((await comeBack(back)).searchParams.get('connected'), 'mastodon')
  })

  test('needs an app that is complete and switched on, and a known network', async () => {
    for (const body of [
      { clientSecret: '' },
      { clientSecret: 'a secret of the app', clientId: '' },
      { clientId: 'app', enabled: false },
    ]) {
      await admin.client.put('/api/social/settings/mastodon', body)
      const answer = await admin.client.post('/api/social/accounts/mastodon/start')
      assert.deepEqual([answer.status, answer.body.code], [409, 'SOCIAL_APP_MISSING'])
      const { body: list } = await admin.client.get('/api/social/accounts')
      assert.equal(list.items[0].appReady, false)
    }
    assert.equal((await admin.client.post('/api/social/accounts/nowhere/start')).status, 404)
  })

  test('sends no token to another host, also when the network says so', async () => {
    const seen: string[] = []
    const elsewhere = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`)
      response.end('{}')
    })
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/steal`
    for (const call of ['token', 'me'])
      fakes.script({ network: 'mastodon', call, nth: 'all', behave: { status: 302, headers: { location }, body: '' } })
    const to = await connect()
    assert.equal(to.searchParams.get('socialError'), 'SOCIAL_PROVIDER_ERROR')
    fakes.clearScripts()
    fakes.script({ network: 'mastodon', call: 'me', behave: { status: 302, headers: { location }, body: '' } })
    assert.equal((await connect()).searchParams.get('socialError'), 'SOCIAL_PROVIDER_ERROR')
    assert.deepEqual([seen, await rows()], [[], []])
    await new Promise((resolve) => elsewhere.close(resolve))
  })
})

describe('an account that is connected again', () => {
  test('keeps its id and what was planned for it, and gets new tokens and names', async () => {
    found = [foundAccount({ remoteId: '1', name: 'Page one' }), foundAccount({ remoteId: '2', name: 'Page two' })]
    assert.equal((await connectPages()).searchParams.get('count'), '2')
    const before = await rows()
    found = [
      foundAccount({ remoteId: '1', name: 'Renamed', tokens: tokensOf({ accessToken: new Secret('access-2') }) }),
    ]
    await connectPages()
    const after = await rows()
    assert.deepEqual(
      after.map(({ id }) => id),
      before.map(({ id }) => id),
    )
    assert.deepEqual(
      after.map(({ name }) => name),
      ['Renamed', 'Page two'],
    )
    assert.notEqual(after[0].access_token_sealed, before[0].access_token_sealed)
    assert.deepEqual([after[0].version, after[1].version], [before[0].version + 1, before[1].version])
  })

  test('keeps its refresh token when the answer has none, unless it is of another app', async () => {
    found = [foundAccount({ tokens: tokensOf({ refreshToken: new Secret('refresh-1') }) })]
    await connectPages()
    const [{ refresh_token_sealed: first }] = await rows()
    found = [foundAccount({ tokens: tokensOf({ refreshToken: null }) })]
    await connectPages()
    assert.equal((await rows())[0].refresh_token_sealed, first)
    await admin.client.put('/api/social/settings/pages', { clientId: 'another app' })
    await connectPages()
    assert.equal((await rows())[0].refresh_token_sealed, null)
  })

  test('names the permissions that were not granted', async () => {
    found = [foundAccount({ tokens: tokensOf({ scopes: [] }) })]
    await connectPages()
    assert.deepEqual((await accountsOf('pages'))[0].missingScopes, ['post'])
  })

  test('is active again after it needed a person', async () => {
    found = [foundAccount()]
    await connectPages()
    await site.cms.database.pool.query(`update social_account set status = 'needs_reconnect', status_reason = 'why'`)
    assert.deepEqual(
      (await accountsOf('pages')).map(({ status, statusReason }: { status: string; statusReason: string }) => [
        status,
        statusReason,
      ]),
      [['needs_reconnect', 'why']],
    )
    await connectPages()
    assert.deepEqual(
      (await accountsOf('pages')).map(({ status, statusReason }: { status: string; statusReason: null }) => [
        status,
        statusReason,
      ]),
      [['active', null]],
    )
  })

  test('is an error when the network names none', async () => {
    found = []
    assert.equal((await connectPages()).searchParams.get('socialError'), 'SOCIAL_PROVIDER_ERROR')
    assert.equal((await connectPages('bad')).searchParams.get('message'), 'No such code')
  })
})

describe('an account that is disconnected', () => {
  const plan = async (accountId: string) => {
    const { pool } = site.cms.database
    const insert = async (id: string, status: string) => {
      await pool.query(
        `insert into social_post (id, caption, status, created_at, updated_at) values ($1, 'c', $2, now(), now())`,
        [id, status],
      )
      await pool.query(
        `insert into social_target (id, post_id, account_id, network, status, caption, next_attempt_at, posted_at, idempotency_key, content_hash, created_at, updated_at)
         values ($1, $1, $2, 'mastodon', $3, 'c', case when $3 = 'scheduled' then now() end, case when $3 = 'posted' then now() end, $1, ''::bytea, now(), now())`,
        [id, accountId, status],
      )
    }
    await insert('draft', 'draft')
    await insert('scheduled', 'scheduled')
    await insert('posted', 'posted')
  }

  test('loses its tokens, fails what waits, keeps what was sent, and revokes them at the network', async () => {
    await connect()
    const [{ id }] = await accountsOf()
    await plan(id)
    assert.equal((await admin.client.delete(`/api/social/accounts/${id}`)).status, 204)
    const [row] = await rows()
    assert.deepEqual([row.status, row.access_token_sealed, row.refresh_token_sealed], ['disconnected', null, null])
    const { rows: targets } = await site.cms.database.pool.query(
      `select t.status, t.error->>'code' as code, t.account_id, p.status as post from social_target t join social_post p on p.id = post_id order by t.id`,
    )
    assert.deepEqual(
      targets.map(({ status, code, post }) => [status, code, post]),
      [
        ['draft', null, 'draft'],
        ['posted', null, 'posted'],
        ['failed', 'ACCOUNT_GONE', 'failed'],
      ],
    )
    const { rows: recorded } = await site.cms.database.pool.query(
      `select action from activity where target_kind = 'social' order by id`,
    )
    assert.deepEqual(recorded, [{ action: 'social.post.failed' }])
    assert.deepEqual(await accountsOf(), [])
    assert.equal(fakes.journal('mastodon').at(-1)?.call, 'revoke')
    assert.equal((await admin.client.delete(`/api/social/accounts/${id}`)).status, 404)
    const { body } = await admin.client.get('/api/social/networks')
    assert.deepEqual(body.items[0].accounts, [])
    await connect()
    assert.equal((await accountsOf())[0].id, id)
  })

  test('is gone also when the network does not answer', async () => {
    await connect()
    const [{ id }] = await accountsOf()
    fakes.script({ network: 'mastodon', call: 'revoke', behave: { dropBefore: true } })
    assert.equal((await admin.client.delete(`/api/social/accounts/${id}`)).status, 204)
    assert.deepEqual(await accountsOf(), [])
  })

  test('is disconnected for a version, and unknown ones are not found', async () => {
    await connect()
    const [{ id, version }] = await accountsOf()
    const stale = await admin.client.delete(`/api/social/accounts/${id}`, { 'if-match': `"v${version + 1}"` })
    assert.deepEqual([stale.status, (await accountsOf()).length], [409, 1])
    for (const unknown of ['no-id', '01890a5d-ac96-774b-bcce-b302099a8057'])
      assert.equal((await admin.client.delete(`/api/social/accounts/${unknown}`)).status, 404)
  })
})

describe('networks for authors', () => {
  test('show limits, options and accounts, and no address or token', async () => {
    await connect()
    const author = await site.person('author')
    const { body } = await author.client.get('/api/social/networks')
    const item = body.items[0]
    assert.deepEqual(
      [item.network, item.enabled, item.limits.captionMax, item.limits.captionCount],
      ['mastodon', true, 500, 'mastodon'],
    )
    assert.deepEqual(
      item.options.map(({ key }: { key: string }) => key),
      ['visibility', 'sensitive', 'spoilerText', 'language'],
    )
    assert.deepEqual(Object.keys(item.accounts[0]).sort(), [
      'avatarUrl',
      'capabilities',
      'handle',
      'id',
      'name',
      'status',
      'statusReason',
    ])
    assert.ok(!JSON.stringify(body).includes('sealed'))
    assert.equal((await author.client.get('/api/social/accounts')).status, 403)
  })

  test('stay enabled for connected accounts when the app is forgotten, and not when it is switched off', async () => {
    await connect()
    const enabled = async () => (await admin.client.get('/api/social/networks')).body.items[0].enabled
    await admin.client.put('/api/social/settings/mastodon', { enabled: false })
    assert.equal(await enabled(), false)
    await admin.client.delete('/api/social/settings/mastodon')
    assert.equal(await enabled(), true)
  })

  test('ask a server for its limits again after ten minutes, and do with what is stored when it is away', async () => {
    await connect()
    const asked = () => fakes.journal('mastodon').filter(({ call }) => call === 'instance').length
    const before = asked()
    await admin.client.get('/api/social/networks')
    assert.equal(asked(), before)
    site.clock.advance(10 * MINUTE)
    await Promise.all([admin.client.get('/api/social/networks'), admin.client.get('/api/social/networks')])
    assert.equal(asked(), before + 1)
    site.clock.advance(10 * MINUTE)
    fakes.script({ network: 'mastodon', call: 'instance', behave: { dropBefore: true } })
    const { body } = await admin.client.get('/api/social/networks')
    assert.equal(body.items[0].accounts[0].capabilities.captionMax, 500)
  })
})
