import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createTestStoa, loadPlugin, refusal } from '@stoa/cms-plugin/testing'
import type { ShownPlan } from './approval.ts'
import type { ShownClient } from './client.ts'
import type { PlanDetail, PlanSummary } from './plan.ts'
import { fakeSocial } from './testing/fake-social.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const { collections } = JSON.parse(readFileSync(`${folder}plugin.json`, 'utf8'))
const actor = { id: 'ada', name: 'Ada', role: 'editor' }

const ground = async () => {
  let time = Date.parse('2026-03-01T12:00:00Z')
  const now = () => new Date(time)
  const core = fakeSocial(now)
  const stoa = createTestStoa({
    collections,
    now,
    parts: {
      social: core.social,
      settings: { own: async () => ({ defaultStage: 'idea' }) },
      media: {
        get: async (id) => ({ id, filename: `${id}.jpg`, alt: 'A cup', url: `/media/${id}` }) as never,
      },
    },
  })
  const plugin = await loadPlugin(folder, stoa)
  const call = <T>(route: string, request: { id?: string; body?: unknown; query?: Record<string, string> } = {}) =>
    plugin.call<T>(route, {
      actor,
      body: request.body,
      ...(request.query && { query: request.query }),
      ...(request.id && { params: { id: request.id } }),
    })
  const plan = (body: object = {}) =>
    call<PlanDetail>('POST /plans', { body: { title: 'Spring sale', caption: 'Soon!', accountIds: ['a1'], ...body } })
  const client = (name: string) => call<ShownClient>('POST /clients', { body: { name } })
  const pass = (ms: number) => {
    time += ms
  }
  return { core, stoa, plugin, call, plan, client, pass }
}

describe('plans', () => {
  test('a new plan starts in the first stage and belongs to its creator; a title is needed', async () => {
    const { call, plan } = await ground()
    const made = await plan({ mediaIds: ['m1'] })
    assert.deepEqual([made.stage, made.ownerId, made.publishPostId, made.mirror], ['idea', 'ada', null, null])
    assert.deepEqual(made.files, [{ id: 'm1', filename: 'm1.jpg', alt: 'A cup', url: '/media/m1' }])
    await assert.rejects(call('POST /plans', { body: { caption: 'x' } }), { status: 400 })
    await assert.rejects(call('POST /plans', { body: { title: 'x', stage: 'done' } }), { status: 400 })
    await assert.rejects(call('POST /plans', { body: { title: 'x', dueOn: 'soon' } }), { status: 400 })
  })

  test('lists are narrowed by client and owner, the earliest first', async () => {
    const { call, plan, client } = await ground()
    const { id } = await client('Acme')
    await plan({ title: 'late', clientId: id, dueOn: '2026-04-02' })
    await plan({ title: 'early', clientId: id, dueOn: '2026-04-01' })
    await plan({ title: 'other', ownerId: null })
    const titles = async (query: Record<string, string>) =>
      (await call<{ items: PlanSummary[] }>('GET /plans', { query })).items.map(({ title }) => title)
    assert.deepEqual(await titles({ clientId: id }), ['early', 'late'])
    assert.deepEqual((await titles({ ownerId: 'ada' })).sort(), ['early', 'late'])
    assert.equal((await titles({})).length, 3)
  })

  test('what somebody else changed meanwhile is not overwritten', async () => {
    const { call, plan } = await ground()
    const { id, edition } = await plan()
    await call('PUT /plans/:id', { id, body: { caption: 'Mine', edition } })
    await assert.rejects(call('PUT /plans/:id', { id, body: { caption: 'Yours', edition } }), { status: 409 })
    assert.equal((await call<PlanDetail>('GET /plans/:id', { id })).caption, 'Mine')
  })

  test('anyone who can open the plan can own plans', async () => {
    const { call } = await ground()
    const { people } = await call<{ people: unknown }>('GET /context')
    assert.deepEqual(people, [{ id: 'ada', name: 'Ada' }])
  })
})

describe('handing over', () => {
  test('makes one core post, however often it is pressed', async () => {
    const { core, call, plan } = await ground()
    const { id } = await plan()
    const first = await call<PlanDetail>('POST /plans/:id/hand-over', { id })
    const second = await call<PlanDetail>('POST /plans/:id/hand-over', { id })
    assert.equal(first.publishPostId, 'post1')
    assert.equal(second.publishPostId, 'post1')
    assert.equal(core.posts.length, 1)
    assert.equal(core.posts[0]?.caption, 'Soon!')
    assert.equal(first.mirror?.status, 'draft')
  })

  test('of two simultaneous calls one makes the post and the other is asked to wait', async () => {
    const { core, call, plan } = await ground()
    const { id } = await plan()
    const results = await Promise.allSettled([1, 2, 3].map(() => call('POST /plans/:id/hand-over', { id })))
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.status, 409)
    assert.equal(core.posts.length, 1)
  })

  test('after a crash between the post and its note the post is found, not made again', async () => {
    const { core, call, plan, pass } = await ground()
    const { id } = await plan()
    const create = core.social.createPost
    core.social.createPost = async (post) => {
      await create?.(post)
      throw new Error('the sandbox was stopped')
    }
    await assert.rejects(call('POST /plans/:id/hand-over', { id }), /sandbox was stopped/)
    core.social.createPost = create as NonNullable<typeof create>
    await assert.rejects(call('POST /plans/:id/hand-over', { id }), { status: 409 }, 'the first may still be at it')
    await assert.rejects(call('DELETE /plans/:id', { id }), { status: 409 })
    pass(61_000)
    const found = await call<PlanDetail>('POST /plans/:id/hand-over', { id })
    assert.equal(found.publishPostId, 'post1')
    assert.equal(core.posts.length, 1)
  })

  test('after a crash before the post it is made at the next try', async () => {
    const { core, call, plan, pass } = await ground()
    const { id } = await plan()
    const create = core.social.createPost
    core.social.createPost = () => Promise.reject(new Error('stopped'))
    await assert.rejects(call('POST /plans/:id/hand-over', { id }), /stopped/)
    core.social.createPost = create as NonNullable<typeof create>
    pass(61_000)
    assert.equal((await call<PlanDetail>('POST /plans/:id/hand-over', { id })).publishPostId, 'post1')
    assert.equal(core.posts.length, 1)
  })

  test('a refusal by a network is reported in its words and can be corrected at once', async () => {
    const { core, call, plan } = await ground()
    const { id } = await plan()
    const create = core.social.createPost
    core.social.createPost = () => Promise.reject(refusal(400, 'SOCIAL_INVALID', 'Instagram needs a picture'))
    await assert.rejects(call('POST /plans/:id/hand-over', { id }), {
      status: 400,
      message: 'Instagram needs a picture',
    })
    core.social.createPost = create as NonNullable<typeof create>
    assert.equal((await call<PlanDetail>('POST /plans/:id/hand-over', { id })).publishPostId, 'post1')
  })

  test('a plan without accounts cannot be handed over', async () => {
    const { core, call, plan } = await ground()
    const { id } = await plan({ accountIds: [] })
    await assert.rejects(call('POST /plans/:id/hand-over', { id }), { status: 400 })
    assert.equal(core.posts.length, 0)
  })
})

describe('the mirror', () => {
  test('follows core: status and the words of each network, by event', async () => {
    const { core, call, plan, plugin } = await ground()
    const { id } = await plan()
    await call('POST /plans/:id/hand-over', { id })
    core.fail('post1', 'The account is suspended')
    await plugin.tell('social.updated', { id: 'post1' })
    const { items } = await call<{ items: PlanSummary[] }>('GET /plans')
    assert.deepEqual([items[0]?.status, items[0]?.errors], ['failed', 1])
  })

  test('is read again when the plan is opened; without an answer the last one is marked as old', async () => {
    const { core, call, plan } = await ground()
    const { id } = await plan()
    await call('POST /plans/:id/hand-over', { id })
    core.fail('post1', 'No')
    const opened = await call<PlanDetail>('GET /plans/:id', { id })
    assert.deepEqual([opened.mirror?.targets[0]?.error, opened.isStale], ['No', false])
    core.social.getPost = () => Promise.reject(refusal(503, 'UNAVAILABLE', 'Later'))
    const later = await call<PlanDetail>('GET /plans/:id', { id })
    assert.deepEqual([later.mirror?.status, later.isStale], ['failed', true])
  })

  test('a deleted post leaves the plan, which says so and can be handed over again', async () => {
    const { core, call, plan, plugin } = await ground()
    const { id } = await plan()
    await call('POST /plans/:id/hand-over', { id })
    core.remove('post1')
    await plugin.tell('social.updated', { id: 'post1' })
    const { publishPostId, mirror, lostPost } = await call<PlanDetail>('GET /plans/:id', { id })
    assert.deepEqual([publishPostId, mirror, lostPost?.id], [null, null, 'post1'])
    const again = await call<PlanDetail>('POST /plans/:id/hand-over', { id })
    assert.equal(again.publishPostId, 'post1')
    assert.equal(again.lostPost, null)
    assert.equal(core.posts.length, 1)
  })

  test('an event of a post that belongs to no plan changes nothing', async () => {
    const { call, plan, plugin } = await ground()
    const { id } = await plan()
    await plugin.tell('social.updated', { id: 'post9' })
    assert.equal((await call<PlanDetail>('GET /plans/:id', { id })).edition, 1)
  })
})

describe('the page of a client', () => {
  type Approval = { client: string; plans: ShownPlan[] }

  const linked = async () => {
    const all = await ground()
    const acme = await all.client('Acme')
    const other = await all.client('Other')
    const { token } = await all.call<{ token: string }>('POST /clients/:id/link', { id: acme.id })
    const plan = await all.plan({
      title: 'Mine',
      clientId: acme.id,
      stage: 'review',
      brief: 'internal',
      mediaIds: ['m1'],
    })
    await all.plan({ title: 'Early', clientId: acme.id, stage: 'writing' })
    const foreign = await all.plan({ title: 'Theirs', clientId: other.id, stage: 'review' })
    const visit = <T>(route: string, body: object) => all.plugin.call<T>(route, { body })
    return { ...all, acme, token, plan, id: plan.id, foreign, visit }
  }

  test('shows what waits for this client, and nothing of the brief, the team or another client', async () => {
    const { visit, token } = await linked()
    assert.match(token, /^[\w-]{43}$/)
    const page = await visit<Approval>('POST /approval', { token })
    assert.equal(page.client, 'Acme')
    assert.deepEqual(
      page.plans.map(({ title }) => title),
      ['Mine'],
    )
    assert.deepEqual(Object.keys(page.plans[0] ?? {}).sort(), [
      'caption',
      'comments',
      'dueOn',
      'edition',
      'files',
      'id',
      'isApproved',
      'title',
    ])
    assert.deepEqual(page.plans[0]?.files, [{ filename: 'm1.jpg', alt: 'A cup', url: '/media/m1' }])
  })

  test('approving moves the plan; asking for changes sends it back with the comment', async () => {
    const { visit, token, id, call } = await linked()
    await assert.rejects(visit('POST /approval/answers', { token, planId: id, edition: 1, answer: 'change' }), {
      status: 400,
    })
    await visit('POST /approval/answers', { token, planId: id, edition: 1, answer: 'change', comment: 'Bluer' })
    const back = await call<PlanDetail>('GET /plans/:id', { id })
    assert.deepEqual(
      [back.stage, back.comments.map(({ from, text }) => [from, text])],
      ['writing', [['Acme', 'Bluer']]],
    )
    await call('PUT /plans/:id', { id, body: { stage: 'review' } })
    const answer = { token, planId: id, answer: 'approve' }
    await assert.rejects(
      visit('POST /approval/answers', { ...answer, edition: 1 }),
      { status: 409 },
      'not what was seen',
    )
    const approved = await visit<ShownPlan>('POST /approval/answers', { ...answer, edition: 3 })
    assert.equal(approved.isApproved, true)
    await assert.rejects(visit('POST /approval/answers', { ...answer, edition: 4 }), { status: 409 })
    assert.equal((await call<PlanDetail>('GET /plans/:id', { id })).stage, 'approved')
  })

  test("another client's plan, and one that is not up for review, cannot be answered", async () => {
    const { visit, token, foreign, id, call } = await linked()
    const answer = { token, edition: 1, answer: 'approve' }
    await assert.rejects(visit('POST /approval/answers', { ...answer, planId: foreign.id }), { status: 404 })
    assert.equal((await call<PlanDetail>('GET /plans/:id', { id: foreign.id })).stage, 'review')
    await call('PUT /plans/:id', { id, body: { stage: 'writing' } })
    await assert.rejects(visit('POST /approval/answers', { ...answer, planId: id, edition: 2 }), { status: 404 })
  })

  test('a link ends when it is revoked or replaced; no other text opens anything', async () => {
    const { visit, token, acme, call } = await linked()
    const { token: next } = await call<{ token: string }>('POST /clients/:id/link', { id: acme.id })
    await assert.rejects(visit('POST /approval', { token }), { status: 404 })
    assert.equal((await visit<Approval>('POST /approval', { token: next })).client, 'Acme')
    await call('DELETE /clients/:id/link', { id: acme.id })
    for (const wrong of [next, null, '', 'x'.repeat(43), acme.id, { $ne: 1 }])
      await assert.rejects(visit('POST /approval', { token: wrong }), { status: 404 })
  })

  test('the token is stored nowhere: only its hash is, and no route answers it', async () => {
    const { call, stoa, token, acme } = await linked()
    const stored = JSON.stringify([await stoa.store('clients').list(), await call('GET /context')])
    assert.ok(!stored.includes(token))
    assert.ok(!JSON.stringify(await call('GET /context')).includes('linkHash'))
    assert.ok(stored.includes(acme.id))
  })

  test('a client with plans cannot be deleted', async () => {
    const { call, acme } = await linked()
    await assert.rejects(call('DELETE /clients/:id', { id: acme.id }), { status: 409 })
    const { clients } = await call<{ clients: ShownClient[] }>('GET /context')
    assert.equal(clients.length, 2)
  })
})
