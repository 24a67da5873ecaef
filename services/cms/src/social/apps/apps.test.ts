import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import type { FakeNetworks } from '@stoa/tests/lib/social/fake-networks.ts'
import { startSocialFakes } from '@stoa/tests/lib/social/index.ts'
import { testNetwork } from '../networks/testing/test-network.ts'

const SECRET = 'a very secret thing 9876'
const networks = {
  mastodon: (await import('../networks/mastodon.ts')).mastodon,
  x: testNetwork({ hasEnvironment: true }),
  reader: testNetwork({ readsAddresses: true, versionEndsOn: '2026-04-01' }),
}

let site: CmsService
let admin: Person
let fakes: FakeNetworks
before(async () => {
  fakes = await startSocialFakes()
  site = await startCms({
    socialNetworks: networks,
    env: {
      SOCIAL_OAUTH_X_CLIENT_ID: 'env-id',
      SOCIAL_OAUTH_X_CLIENT_SECRET: 'short',
      SOCIAL_OAUTH_X_SCOPES: 'one,two',
    },
  })
  admin = await site.person('admin')
})
after(async () => {
  await site.close()
  await fakes.close()
})
afterEach(() => site.cms.database.pool.query('truncate social_app'))

const settings = async () => (await admin.client.get('/api/social/settings')).body.items
const item = async (network: string) => (await settings()).find((each: { network: string }) => each.network === network)
const save = (network: string, body: unknown, headers = {}) =>
  admin.client.put(`/api/social/settings/${network}`, body, headers)
const rows = async () => (await site.cms.database.pool.query('select * from social_app order by network')).rows

describe('the app of a network', () => {
  test('is listed for every network, with the callback filled into the walkthrough', async () => {
    const items = await settings()
    assert.deepEqual(
      items.map(({ network, source }: { network: string; source: string }) => [network, source]),
      [
        ['mastodon', 'none'],
        ['x', 'env'],
        ['reader', 'none'],
      ],
    )
    const { callbackUrl, walkthrough, checkedOn, version, enabled } = items[0]
    assert.equal(callbackUrl, 'http://cms.test/social/oauth/callback')
    const bodies = walkthrough.map((step: { body: string }) => step.body).join()
    assert.ok(bodies.includes(callbackUrl) && !bodies.includes('{callback}'))
    assert.deepEqual([checkedOn, version, enabled], ['2026-07-02', null, false])
  })

  test('never shows its secret, and the last four characters only of a long one', async () => {
    const saved = await save('mastodon', { clientId: 'id', clientSecret: SECRET })
    assert.equal(saved.status, 200)
    assert.deepEqual([saved.body.secretLast4, saved.body.source, saved.body.enabled], ['9876', 'stored', true])
    assert.ok(!JSON.stringify(await settings()).includes(SECRET))
    assert.ok(!JSON.stringify(await rows()).includes(SECRET))
    assert.equal((await save('mastodon', { clientSecret: 'elevenchars' })).body.secretLast4, null)
    assert.equal((await save('mastodon', { clientSecret: 'twelve chars' })).body.secretLast4, 'hars')
    assert.ok(!site.logs.join().includes(SECRET))
  })

  test('keeps its secret when none is sent, and forgets it when it is empty', async () => {
    await save('mastodon', { clientId: 'id', clientSecret: SECRET })
    assert.equal((await save('mastodon', { clientId: 'other' })).body.secretLast4, '9876')
    const cleared = await save('mastodon', { clientSecret: '' })
    assert.equal(cleared.body.secretLast4, null)
    assert.deepEqual(cleared.body.warnings, ['Enter the client secret of your app.'])
    assert.equal((await rows())[0].secret_sealed, null)
  })

  test('merges overrides by key, and null takes one away', async () => {
    await save('mastodon', { overrides: { apiBase: 'https://social.example/', scopes: ['profile', 'profile'] } })
    const merged = await save('mastodon', { overrides: { apiVersion: 'v2', scopes: null } })
    assert.deepEqual(merged.body.overrides, { apiBase: 'https://social.example', apiVersion: 'v2' })
    assert.deepEqual((await save('mastodon', { enabled: false })).body.overrides, merged.body.overrides)
  })

  test('refuses overrides that no network could use, all in one answer', async () => {
    const answer = await save('mastodon', {
      overrides: {
        apiBase: 'ftp://files.example',
        tokenUrl: 'https://user:pw@token.example',
        authorizeUrl: 'javascript:alert(1)',
        uploadBase: 'https://x.example/#part',
        apiVersion: '../v1',
        scopes: ['a b'],
      },
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body.details.fields.map(({ key }: { key: string }) => key).sort(), [
      'overrides.apiBase',
      'overrides.apiVersion',
      'overrides.authorizeUrl',
      'overrides.scopes',
      'overrides.tokenUrl',
      'overrides.uploadBase',
    ])
    assert.deepEqual(await rows(), [])
    for (const body of [
      { overrides: { scopes: [] } },
      { overrides: { scopes: 'profile' } },
      { overrides: { other: 'x' } },
      { secret: 'x' },
    ])
      assert.equal((await save('mastodon', body)).status, 400, JSON.stringify(body))
    assert.deepEqual(await rows(), [])
  })

  test('is written for a version, and names the present one when it is another', async () => {
    const first = await save('mastodon', { clientId: 'id' })
    assert.deepEqual([first.body.version, first.headers.get('etag')], [1, '"v1"'])
    const second = await save('mastodon', { clientId: 'second', version: 1 })
    assert.deepEqual([second.status, second.body.version], [200, 2], second.text)
    for (const answer of [
      await save('mastodon', { clientId: 'third', version: 1 }),
      await save('mastodon', { clientId: 'third' }, { 'if-match': '"v1"' }),
      await admin.client.delete('/api/social/settings/mastodon', { 'if-match': '"v1"' }),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [409, 'VERSION_CONFLICT'])
      assert.equal(answer.body.details.version, 2)
    }
    assert.equal((await item('mastodon')).clientId, 'second')
    assert.equal((await save('reader', { clientId: 'id', version: 3 })).status, 409)
    assert.equal((await item('reader')).source, 'none')
  })

  test('can be saved first by two at once', async () => {
    const answers = await Promise.all([save('mastodon', { clientId: 'a' }), save('mastodon', { enabled: false })])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    const { clientId, enabled, version } = await item('mastodon')
    assert.deepEqual([clientId, enabled, version], ['a', false, 2])
  })

  test('of the environment shows its id, and is switched off by what is stored', async () => {
    const env = await item('x')
    assert.deepEqual([env.clientId, env.secretLast4, env.enabled], ['env-id', null, true])
    const off = (await save('x', { enabled: false })).body
    assert.deepEqual([off.source, off.clientId, off.enabled], ['env', 'env-id', false])
    const start = await admin.client.post('/api/social/accounts/x/start')
    assert.deepEqual([start.status, start.body.code], [409, 'SOCIAL_APP_MISSING'])
    const own = (await save('x', { clientId: 'own', clientSecret: SECRET, enabled: true })).body
    assert.deepEqual([own.source, own.clientId, own.secretLast4], ['stored', 'own', '9876'])
    assert.equal((await admin.client.delete('/api/social/settings/x')).status, 204)
    assert.deepEqual([(await item('x')).source, (await item('x')).enabled], ['env', true])
  })

  test('of the environment asks for the scopes that the environment names', async () => {
    const { body } = await admin.client.post('/api/social/accounts/x/start')
    assert.equal(new URL(body.url).searchParams.get('scope'), 'one two')
    await save('x', { clientId: 'own', clientSecret: SECRET })
    const own = await admin.client.post('/api/social/accounts/x/start')
    assert.equal(new URL(own.body.url).searchParams.get('scope'), 'post')
  })

  test('warns of media that the network cannot read, and of a version that ends', async () => {
    const { warnings } = await item('reader')
    assert.match(
      warnings[0],
      /downloads pictures from this site, but PUBLIC_URL \(http:\/\/cms\.test\) isn't a public https URL\. Posts with pictures will fail\./,
    )
    assert.match(warnings[1], /ends on 2026-04-01/)
    const other = (await save('reader', { overrides: { apiVersion: 'v9' } })).body.warnings
    assert.ok(!other.join().includes('ends on'))
  })

  test('warns of secrets that would go through the internet in the clear', async () => {
    const plain = (await save('mastodon', { overrides: { apiBase: 'http://social.example' } })).body.warnings
    assert.match(plain.join(), /without encryption/)
    const inside = (await save('mastodon', { overrides: { apiBase: 'http://10.0.0.5:3000' } })).body.warnings
    assert.ok(!inside.join().includes('encryption'))
  })

  test('of an unknown network is not found, and nothing that is not stored can be deleted', async () => {
    for (const network of ['nowhere', 'constructor', '__proto__'])
      assert.equal((await save(network, { clientId: 'id' })).status, 404)
    assert.equal((await admin.client.delete('/api/social/settings/mastodon')).status, 404)
    assert.deepEqual(await rows(), [])
  })

  test('is written down in Activity, without its values', async () => {
    await save('mastodon', { clientId: 'an-id', clientSecret: SECRET })
    await admin.client.delete('/api/social/settings/mastodon')
    const { items } = (await admin.client.get('/api/activity')).body
    assert.deepEqual(
      items
        .slice(0, 2)
        .map(({ action }: { action: string }) => action)
        .sort(),
      ['social.app.removed', 'social.app.saved'],
    )
    assert.ok(!JSON.stringify(items).includes('an-id'))
  })

  test('is the business of admins', async () => {
    const editor = await site.person('editor')
    for (const answer of [
      await editor.client.get('/api/social/settings'),
      await editor.client.put('/api/social/settings/mastodon', { overrides: { apiBase: 'http://10.0.0.1' } }),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'FORBIDDEN'])
    assert.deepEqual(await rows(), [])
  })
})

describe('the test of an app', () => {
  const prepare = (clientId: string, clientSecret: string) =>
    save('mastodon', { clientId, clientSecret, overrides: fakes.overrides('mastodon') })
  const run = () => admin.client.post('/api/social/settings/mastodon/test')

  test('distinguishes a known app from an unknown one without a consent', async () => {
    await prepare('good', SECRET)
    assert.deepEqual((await run()).body, { ok: true, message: 'Mastodon accepted this app.' })
    await prepare('good', 'wrong secret of some length')
    const wrong = (await run()).body
    assert.equal(wrong.ok, false)
    assert.match(wrong.message, /^Mastodon rejected this app: Client authentication failed/)
    assert.deepEqual(fakes.posts(), [])
  })

  test('says when nobody answers', async () => {
    await prepare('good', SECRET)
    await save('mastodon', { overrides: { tokenUrl: 'http://127.0.0.1:9/token' } })
    assert.deepEqual((await run()).body, { ok: false, message: "Mastodon didn't respond. Check the URLs." })
  })

  test('needs an app', async () => {
    assert.deepEqual([(await run()).status, (await run()).body.code], [409, 'SOCIAL_APP_MISSING'])
  })
})
