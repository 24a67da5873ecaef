import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Ground, startGround } from '@stoa/cms/social/worker/testing/ground.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import type { CmsAnswer } from '../lib/cms.ts'

const PLUGIN_DIR = join(import.meta.dirname, '../../examples/plugins')
const _PATIENCE_MS = 15_000

// The example plugins as anybody would use them: real sandbox, store, routes and events. Their own tests know the rules.
describe('the example plugins on the service', () => {
  let ground: Ground
  let account: string

  before(async () => {
    ground = await startGround({ env: { PLUGIN_DIR }, background: true })
    account = await ground.account({ name: 'Page' })
    const admin = await ground.person('admin')
    for (const name of ['hello', 'social-plan']) {
      const answer = await admin.client.put(`/api/plugins/${name}/state`, { enabled: true, approve: true })
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual([answer.body.enabled, answer.body.error], [true, null])
    }
  })
  after(() => ground.close())

  const plan = (path: string): string => `/ext/social-plan${path}`
  const ok = (answer: CmsAnswer): CmsAnswer['body'] => {
    assert.ok(answer.status >= 200 && answer.status < 300, `${answer.status} ${answer.text}`)
    return answer.body
  }
  const created = async (members: object = {}) =>
    ok(
      await ground.editor.client.post(plan('/plans'), {
        title: 'Spring',
        caption: 'Soon',
        accountIds: [account],
        ...members,
      }),
    )
  /** The plan as lists show it: what is stored, without asking core again. */
  const stored = async (id: string) =>
    ok(await ground.editor.client.get(plan('/plans'))).items.find((one: { id: string }) => one.id === id)

  test('hello greets its caller, and its screen loads its own files only', async () => {
    const answer = await ground.author.client.get('/ext/hello/hello')
    assert.match(ok(answer).text, /^Hello, /)
    const page = await ground.client().get('/ext/hello/screens/hello.html')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /connect-src 'none'/)
    assert.equal((await ground.client().get('/ext/hello/screens/stoa.js')).status, 200)
  })

  test('a plan is handed over once, mirrors what core does, and is free again when the post is deleted', async () => {
    const { client } = ground.editor
    const { id } = await created()
    const answers = await Promise.all([1, 2, 3].map(() => client.post(plan(`/plans/${id}/hand-over`))))
    assert.ok(
      answers.some(({ status }) => status === 200),
      answers.map(({ text }) => text).join(),
    )
    for (const { status } of answers) assert.ok(status === 200 || status === 409, String(status))
    const { publishPostId } = ok(await client.post(plan(`/plans/${id}/hand-over`)))
    const posts = ok(await client.get('/api/social/posts')).items
    assert.deepEqual(
      posts.map((post: { id: string; authorId: string }) => [post.id, post.authorId]),
      [[publishPostId, ground.editor.id]],
    )

    ok(
      await client.post(`/api/social/posts/${publishPostId}/schedule`, {
        at: new Date(ground.clock.now().getTime() + 3_600_000).toISOString(),
      }),
    )
    await until(async () => (await stored(id)).status === 'scheduled')
    ok(await client.delete(`/api/social/posts/${publishPostId}`))
    await until(async () => (await stored(id)).publishPostId === null)
    const { lostPost, mirror } = ok(await client.get(plan(`/plans/${id}`)))
    assert.deepEqual([lostPost.id, mirror], [publishPostId, null])
  })

  test('an author hands over as the author; a viewer reaches nothing', async () => {
    const { id } = await created({ title: 'By the author' })
    const { publishPostId } = ok(await ground.author.client.post(plan(`/plans/${id}/hand-over`)))
    const { authorId } = ok(await ground.editor.client.get(`/api/social/posts/${publishPostId}`))
    assert.equal(authorId, ground.author.id)
    const viewer = await ground.person('viewer')
    assert.equal((await viewer.client.get(plan('/plans'))).status, 403)
    assert.equal((await ground.client().get(plan('/plans'))).status, 401)
  })

  test('a client approves over a link without an account, until it is revoked', async () => {
    const { client } = ground.editor
    const acme = ok(await client.post(plan('/clients'), { name: 'Acme' }))
    const other = ok(await client.post(plan('/clients'), { name: 'Other' }))
    const { token } = ok(await client.post(plan(`/clients/${acme.id}/link`)))
    const { id } = await created({ title: 'For Acme', clientId: acme.id, stage: 'review' })
    await created({ title: 'For others', clientId: other.id, stage: 'review' })
    const visitor = ground.client()
    const page = ok(await visitor.post(plan('/approval'), { token }))
    assert.deepEqual(
      page.plans.map(({ title }: { title: string }) => title),
      ['For Acme'],
    )
    const { edition } = page.plans[0]
    assert.equal(
      ok(await visitor.post(plan('/approval/answers'), { token, planId: id, edition, answer: 'approve' })).isApproved,
      true,
    )
    assert.equal((await stored(id)).stage, 'approved')
    ok(await client.delete(plan(`/clients/${acme.id}/link`)))
    const refused = await visitor.post(plan('/approval'), { token })
    assert.deepEqual([refused.status, refused.body.code], [404, 'PLUGIN_REFUSED'])
  })

  test('switched off, its addresses are gone and core posts stay', async () => {
    const admin = await ground.person('admin')
    const before = ok(await ground.editor.client.get('/api/social/posts')).meta.total
    assert.ok(before > 0)
    ok(await admin.client.put('/api/plugins/social-plan/state', { enabled: false }))
    assert.equal((await ground.editor.client.get(plan('/plans'))).status, 404)
    assert.equal(ok(await ground.editor.client.get('/api/social/posts')).meta.total, before)
  })
})
