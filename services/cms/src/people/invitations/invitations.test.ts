import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hashToken } from '@stoa/kit/crypto/tokens.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsAnswer, type CmsService, PASSWORD, type Person, startCms, untilWaiting } from '@stoa/tests/lib/cms.ts'

const DAY = 86_400_000

let service: CmsService
let other: CmsService
let owner: Person
let admin: Person
before(async () => {
  service = await startCms()
  other = await startCms({ databaseUrl: service.databaseUrl, clock: service.clock })
  owner = await service.person('owner', { name: 'Olive' })
  admin = await service.person('admin', { name: 'Ada' })
})
after(async () => {
  await other.close()
  await service.close()
})

let count = 0
const address = () => `guest-${++count}@example.test`
const invite = async (by: Person = admin, members: object = {}): Promise<CmsAnswer['body']> => {
  const answer = await by.client.post('/api/invitations', { email: address(), role: 'editor', ...members })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const tokenOf = ({ url }: { url: string }): string =>
  new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? assert.fail(`${url} has no token`)
const open = (token: string) => service.client().post('/api/auth/invitation', { token })
const accept = (token: string, at = service, members: object = {}) =>
  at.client().post('/api/auth/invitation/accept', { token, name: 'Guest', password: PASSWORD, ...members })
const list = async (): Promise<{ id: string; version: number; expiresAt: string }[]> =>
  (await owner.client.get('/api/invitations?limit=100')).body.items
const accountsOf = (email: string) =>
  service.cms.database.db.selectFrom('account').select(['name', 'role']).where('email', '=', email).execute()
const actions = async (id: string): Promise<string[]> => {
  const { body } = await owner.client.get('/api/activity?limit=100')
  return body.items
    .filter(({ target }: { target: { id: string } }) => target.id === id)
    .map(({ action }: { action: string }) => action)
}
const refusedToken = (answer: CmsAnswer) =>
  assert.deepEqual(
    [answer.status, answer.body.code, answer.body.details.fields[0].key],
    [400, 'VALIDATION_FAILED', 'token'],
    answer.text,
  )

describe('an invitation', () => {
  test('has the documented members, its link once, and its token in the database as SHA-256 only', async () => {
    const email = address()
    const answer = await admin.client.post('/api/invitations', { email, name: 'Guest', role: 'author' })
    assert.equal(answer.status, 201)
    const { url, ...record } = answer.body
    assert.match(url, /^http:\/\/cms\.test\/admin\/invitation#token=[\w-]{43}$/)
    assert.deepEqual(record, {
      id: record.id,
      email,
      name: 'Guest',
      role: 'author',
      expiresAt: new Date(service.clock.now().getTime() + 7 * DAY).toISOString(),
      createdAt: service.clock.now().toISOString(),
      createdBy: { id: admin.id, name: 'Ada' },
      sent: false,
      version: 1,
    })
    assert.equal(answer.headers.get('etag'), '"v1"')
    const { body } = await admin.client.get('/api/invitations?limit=1')
    assert.deepEqual(body, {
      items: [record],
      meta: { total: body.meta.total, page: 1, limit: 1, pages: body.meta.pages },
    })
    const { rows } = await service.cms.database.pool.query(
      'select i.*, i::text as text from invitation i where id = $1',
      [record.id],
    )
    assert.deepEqual(rows[0].token_hash, hashToken(tokenOf(answer.body)))
    assert.ok(!rows[0].text.includes(tokenOf(answer.body)))
    assert.ok(!service.logs.join('').includes(tokenOf(answer.body)))
  })

  test('shows its holder who is invited to what, and creates an account of that role, signed in', async () => {
    await owner.client.put('/api/settings', { title: 'The Harbour' })
    const email = address()
    const invitation = await invite(admin, { email, role: 'author' })
    const opened = await open(tokenOf(invitation))
    assert.deepEqual([opened.status, opened.body], [200, { email, name: null, role: 'author', site: 'The Harbour' }])
    const answer = await accept(tokenOf(invitation), service, { name: 'Grace' })
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual(
      [answer.body.user.email, answer.body.user.name, answer.body.user.role, answer.body.user.avatarUrl],
      [email, 'Grace', 'author', null],
    )
    assert.match(answer.headers.get('set-cookie') ?? '', /^cms_session=cmsses_/)
    assert.equal((await service.client({ token: answer.body.token }).get('/api/auth/me')).body.name, 'Grace')
    assert.equal((await service.client().post('/api/auth/login', { email, password: PASSWORD })).status, 200)
    assert.ok(!(await list()).some(({ id }) => id === invitation.id))
    assert.deepEqual(await actions(invitation.id), ['invitation.accepted', 'invitation.created'])
    assert.deepEqual(await actions(answer.body.user.id), ['user.created'])
  })

  test('works once: of many who accept at the same moment in two processes, one gets in', async () => {
    const email = address()
    const invitation = await invite(admin, { email })
    const held = service.cms.database.tx(async (tx) => {
      await tx.query({ text: 'select pg_advisory_xact_lock(4300001)' })
      await untilWaiting(tx, 4)
    })
    const racing = [0, 1, 2, 3].map((n) => accept(tokenOf(invitation), n % 2 ? other : service, { name: `Guest ${n}` }))
    await held
    const answers = await Promise.all(racing)
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) refusedToken(answer)
    assert.equal((await accountsOf(email)).length, 1)
    refusedToken(await accept(tokenOf(invitation)))
    refusedToken(await open(tokenOf(invitation)))
  })

  test('ends after seven days, stays in the list, and is replaced by a new one for the address', async () => {
    const email = address()
    const invitation = await invite(admin, { email })
    service.clock.advance(7 * DAY - 1)
    const late = await service.openSession(owner.id)
    const client = service.client({ token: late.token })
    assert.equal((await open(tokenOf(invitation))).status, 200)
    service.clock.advance(1)
    refusedToken(await open(tokenOf(invitation)))
    refusedToken(await accept(tokenOf(invitation)))
    assert.deepEqual(await accountsOf(email), [])
    const listed = (await client.get('/api/invitations?limit=100')).body.items
    assert.ok(listed.some(({ id }: { id: string }) => id === invitation.id))
    const again = await client.post('/api/invitations', { email, role: 'viewer' })
    assert.equal(again.status, 201, again.text)
    const now = (await client.get('/api/invitations?limit=100')).body.items
    assert.deepEqual(
      now.filter((item: { email: string }) => item.email === email).map(({ id }: { id: string }) => id),
      [again.body.id],
    )
    owner = { ...owner, token: late.token, client }
    admin = { ...admin, client: service.client({ token: (await service.openSession(admin.id)).token }) }
  })

  test('is not for an address that an account or an open invitation has, whatever its case', async () => {
    const before = await list()
    const taken = await admin.client.post('/api/invitations', { email: owner.email.toUpperCase(), role: 'viewer' })
    assert.deepEqual([taken.status, taken.body.code], [409, 'EMAIL_TAKEN'])
    const invitation = await invite()
    const twice = await admin.client.post('/api/invitations', { email: invitation.email.toUpperCase(), role: 'viewer' })
    assert.deepEqual([twice.status, twice.body.code], [409, 'EMAIL_TAKEN'])
    assert.equal((await list()).length, before.length + 1)
    assert.equal((await open(tokenOf(invitation))).status, 200)
  })

  test('cannot be accepted for an address that somebody has meanwhile, and stays as it was', async () => {
    const invitation = await invite()
    const members = { email: invitation.email, name: 'Faster', role: 'viewer', password: PASSWORD }
    assert.equal((await admin.client.post('/api/users', members)).status, 201)
    const answer = await accept(tokenOf(invitation))
    assert.deepEqual([answer.status, answer.body.code], [409, 'EMAIL_TAKEN'])
    assert.deepEqual(await accountsOf(invitation.email), [{ name: 'Faster', role: 'viewer' }])
    const renewed = await admin.client.post(`/api/invitations/${invitation.id}/renew`)
    assert.deepEqual([renewed.status, renewed.body.code], [409, 'EMAIL_TAKEN'])
    assert.equal((await list()).find(({ id }) => id === invitation.id)?.version, 1)
  })

  test('is refused with each bad member named, and nothing is stored', async () => {
    const before = (await list()).length
    const bad = await admin.client.post('/api/invitations', { email: 'nobody', name: ' ', role: 'king', more: 1 })
    assert.equal(bad.status, 400)
    assert.deepEqual([...new Set(bad.body.details.fields.map(({ key }: { key: string }) => key))].sort(), [
      'email',
      'more',
      'name',
      'role',
    ])
    for (const token of ['', 'x', 'x'.repeat(43), 'x'.repeat(300), 7, undefined])
      refusedToken(await service.client().post('/api/auth/invitation', { token }))
    const invitation = await invite()
    const short = await accept(tokenOf(invitation), service, { password: 'short' })
    assert.deepEqual([short.status, short.body.details.fields[0].key], [400, 'password'])
    assert.deepEqual(await accountsOf(invitation.email), [])
    assert.equal((await open(tokenOf(invitation))).status, 200)
    assert.equal((await list()).length, before + 1)
  })
})

describe('the rank of the inviter', () => {
  test('limits the role: nobody invites, renews or withdraws above their own', async () => {
    const tooHigh = await admin.client.post('/api/invitations', { email: address(), role: 'owner' })
    assert.deepEqual([tooHigh.status, tooHigh.body.code], [403, 'RANK_TOO_LOW'])
    const invitation = await invite(owner, { role: 'owner' })
    for (const answer of [
      await admin.client.post(`/api/invitations/${invitation.id}/renew`),
      await admin.client.delete(`/api/invitations/${invitation.id}`),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'RANK_TOO_LOW'])
    assert.equal((await open(tokenOf(invitation))).status, 200)
  })

  test('voids the link once it is below the role, or the inviter is gone; somebody else can renew it', async () => {
    const demoted = await service.person('admin')
    const kept = await invite(demoted, { role: 'author' })
    const lost = await invite(demoted, { role: 'editor' })
    assert.equal((await owner.client.put(`/api/users/${demoted.id}`, { role: 'author' })).status, 200)
    assert.equal((await open(tokenOf(kept))).status, 200, 'not below the role')
    refusedToken(await open(tokenOf(lost)))
    refusedToken(await accept(tokenOf(lost)))
    assert.deepEqual(await accountsOf(lost.email), [])
    assert.equal((await owner.client.delete(`/api/users/${demoted.id}`)).status, 204)
    refusedToken(await accept(tokenOf(kept)))
    assert.deepEqual(await accountsOf(kept.email), [])
    const renewed = await admin.client.post(`/api/invitations/${lost.id}/renew`)
    assert.equal(renewed.status, 200, renewed.text)
    assert.equal((await accept(tokenOf(renewed.body))).status, 201)
  })

  test('is looked at while accepting, too: a demotion that was faster wins', async () => {
    const demoted = await service.person('admin')
    const invitation = await invite(demoted, { role: 'admin' })
    const held = service.cms.database.tx(async (tx) => {
      await tx.query({ text: 'select pg_advisory_xact_lock(4300001)' })
      await untilWaiting(tx, 1)
      await tx.updateTable('account').set({ role: 'viewer' }).where('id', '=', demoted.id).execute()
    })
    const answer = accept(tokenOf(invitation), other)
    await held
    refusedToken(await answer)
    assert.deepEqual(await accountsOf(invitation.email), [])
  })
})

describe('renewing and withdrawing', () => {
  test('a renewal has another link for seven days, and ends the one before', async () => {
    const invitation = await invite()
    service.clock.advance(DAY)
    const answer = await owner.client.post(`/api/invitations/${invitation.id}/renew`)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.version, answer.headers.get('etag')], [2, '"v2"'])
    assert.equal(answer.body.createdBy.id, admin.id)
    assert.equal(answer.body.expiresAt, new Date(service.clock.now().getTime() + 7 * DAY).toISOString())
    refusedToken(await open(tokenOf(invitation)))
    assert.equal((await open(tokenOf(answer.body))).status, 200)
    assert.deepEqual(await actions(invitation.id), ['invitation.renewed', 'invitation.created'])
  })

  test('a withdrawn invitation leads nowhere and is gone', async () => {
    const invitation = await invite()
    assert.equal((await owner.client.delete(`/api/invitations/${invitation.id}`)).status, 204)
    refusedToken(await accept(tokenOf(invitation)))
    assert.deepEqual(await accountsOf(invitation.email), [])
    assert.equal((await owner.client.delete(`/api/invitations/${invitation.id}`)).status, 404)
    assert.equal((await owner.client.post(`/api/invitations/${newId()}/renew`)).status, 404)
    assert.deepEqual(await actions(invitation.id), ['invitation.withdrawn', 'invitation.created'])
  })

  test('are refused for another version than the present one, which stays', async () => {
    const invitation = await invite()
    const stale = { 'if-match': '"v7"' }
    for (const answer of [
      await owner.client.post(`/api/invitations/${invitation.id}/renew`, {}, stale),
      await owner.client.post(`/api/invitations/${invitation.id}/renew`, { version: 7 }),
      await owner.client.delete(`/api/invitations/${invitation.id}`, stale),
    ]) {
      assert.deepEqual([answer.status, answer.body.code], [409, 'VERSION_CONFLICT'])
      assert.deepEqual(answer.body.details, {
        version: 1,
        updatedAt: invitation.createdAt,
        updatedBy: { id: admin.id, name: 'Ada' },
      })
    }
    assert.equal((await open(tokenOf(invitation))).status, 200)
  })
})

test('a client that follows wrong links is stopped, and nobody else', async () => {
  const invitation = await invite()
  const guesser = service.client()
  for (let n = 0; n < 30; n += 1)
    assert.equal((await guesser.post('/api/auth/invitation', { token: `wrong-${n}` })).status, 400)
  const stopped = await guesser.post('/api/auth/invitation', { token: tokenOf(invitation) })
  assert.deepEqual([stopped.status, stopped.body.code], [429, 'LOGIN_LIMITED'])
  assert.equal(stopped.headers.get('retry-after'), '900')
  assert.equal((await open(tokenOf(invitation))).status, 200)
})
