import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type CmsService, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { createEntry, updateEntry } from './content/entries/entries.ts'
import { createTerm } from './content/taxonomies/taxonomies.ts'
import { alongside, type CmsTx, type Ctx, contextFor } from './context.ts'
import type { PluginPrincipal, Principal } from './principal.ts'

let service: CmsService
let editor: Person
let author: Person
let type = ''
before(async () => {
  service = await startCms()
  const admin = await service.person('admin')
  editor = await service.person('editor', { name: 'Edda' })
  author = await service.person('author', { name: 'Alma' })
  await admin.client.post('/api/types', {
    name: 'note',
    label: 'Note',
    fields: [{ key: 'text', type: 'text', label: 'Text' }],
  })
  await admin.client.post('/api/taxonomies', { name: 'tags', label: 'Tags', types: ['note'] })
  type = 'note'
})
after(() => service.close())

const as = (principal: Principal): Ctx => contextFor(service.cms.services, principal)
const sessionOf = async (person: Person): Promise<Principal> => {
  const { body } = await person.client.get('/api/auth/me')
  return { kind: 'session', sessionId: body.id, account: { ...body, avatar: null, hasTotp: false } }
}
const lastActivity = () =>
  service.cms.database.db
    .selectFrom('activity')
    .select(['action', 'actor_kind', 'actor_id', 'actor_name', 'via'])
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const entries = async () => (await service.cms.database.db.selectFrom('entry').select('title').execute()).length
const newEntry = (title: string) => ({ type, title, data: {}, terms: [], translationOf: null })

describe('a plugin that acts by itself', () => {
  const plugin = (...grants: string[]): PluginPrincipal => ({
    kind: 'plugin',
    name: 'planner',
    grants,
    account: null,
    chain: 0,
  })

  test('is written down by its name, and what it makes has no author', async () => {
    const made = await createEntry(as(plugin('content.write')), newEntry('By a plugin'))
    assert.equal(made.author, null)
    assert.equal(made.updatedBy, null)
    assert.deepEqual(await lastActivity(), {
      action: 'entry.created',
      actor_kind: 'system',
      actor_id: null,
      actor_name: 'plugin:planner',
      via: 'plugin',
    })
  })

  test('does what it was given and nothing else, and never what rules the site', async () => {
    const made = await createEntry(as(plugin('content.write')), newEntry('Held'))
    const change = { title: 'Changed', autosave: false }
    await assert.rejects(
      updateEntry(as(plugin('content.read')), made.id, change, [made.version]),
      /This plugin, or the role/,
    )
    const { client } = editor
    assert.equal((await client.get(`/api/entries/${made.id}`)).body.title, 'Held')
    await createTerm(as(plugin('taxonomy.manage')), 'tags', { name: 'Sea', description: '', parentId: null })
  })
})

test('a plugin that someone called does what both may, and is answered for by that person', async () => {
  const { account } = (await sessionOf(author)) as Extract<Principal, { kind: 'session' }>
  const principal: PluginPrincipal = { kind: 'plugin', name: 'planner', grants: ['content.write'], account, chain: 0 }
  const made = await createEntry(as(principal), newEntry('For Alma'))
  assert.equal(made.author?.name, 'Alma')
  assert.deepEqual(await lastActivity(), {
    action: 'entry.created',
    actor_kind: 'user',
    actor_id: account.id,
    actor_name: 'Alma',
    via: 'plugin',
  })
  const foreign = await createEntry(as(await sessionOf(editor)), newEntry('Of Edda'))
  const change = { title: 'Taken', autosave: false }
  await assert.rejects(updateEntry(as(principal), foreign.id, change, [foreign.version]), /your own drafts/)
})

test('what a person applies for the assistant is marked in Activity', async () => {
  const principal = await sessionOf(editor)
  assert.ok(principal.kind === 'session')
  await createEntry(as({ ...principal, via: 'assistant' }), newEntry('Proposed'))
  const { via, actor_name } = await lastActivity()
  assert.deepEqual({ via, actor_name }, { via: 'assistant', actor_name: 'Edda' })
})

describe('work alongside an operation', () => {
  let done = 0
  beforeEach(() => {
    done = 0
  })
  const note = async (tx: CmsTx) => {
    done += 1
    await tx.selectFrom('entry').select('id').limit(1).execute()
  }

  test('is done once, in the first transaction', async () => {
    const { ctx, isDone } = alongside(as(await sessionOf(editor)), note)
    assert.equal(isDone(), false)
    await createEntry(ctx, newEntry('First'))
    await createEntry(ctx, newEntry('Second'))
    assert.deepEqual([done, isDone()], [1, true])
  })

  test('that fails takes the operation with it', async () => {
    const before = await entries()
    const { ctx, isDone } = alongside(as(await sessionOf(editor)), async (tx) => {
      assert.equal((await tx.selectFrom('entry').select('title').where('title', '=', 'Undone').execute()).length, 1)
      throw new Error('closed meanwhile')
    })
    await assert.rejects(createEntry(ctx, newEntry('Undone')), /closed meanwhile/)
    assert.deepEqual([await entries(), isDone()], [before, false])
  })

  test('is not done for an operation that was refused, and may be done by the next', async () => {
    const { ctx, isDone } = alongside(as(await sessionOf(editor)), note)
    await assert.rejects(createEntry(ctx, { ...newEntry('x'), type: 'nothing' }))
    assert.deepEqual([done, isDone()], [0, false])
    await createEntry(ctx, newEntry('Right'))
    assert.deepEqual([done, isDone()], [1, true])
  })
})

describe('a hook of changes', () => {
  test('runs in the transaction of the change, and one that fails undoes it', async () => {
    const before = await entries()
    const seen: string[] = []
    const ctx: Ctx = {
      ...as(await sessionOf(editor)),
      hooks: [
        async (_ctx, tx, { action, target }) => {
          const row = await tx
            .selectFrom('entry')
            .select('title')
            .where('id', '=', target.id ?? '')
            .executeTakeFirst()
          seen.push(`${action} ${row?.title}`)
          throw new Error('no')
        },
      ],
    }
    await assert.rejects(createEntry(ctx, newEntry('Hooked')), /no/)
    assert.deepEqual(seen, ['entry.created Hooked'])
    assert.equal(await entries(), before)
  })
})
