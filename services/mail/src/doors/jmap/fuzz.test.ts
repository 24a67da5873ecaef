import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runs } from '@stoa/tests/lib/runs.ts'
import fc from 'fast-check'
import { checkMailbox } from '../../store/mailbox/check.ts'
import { CAPABILITIES } from './method.ts'
import { METHODS } from './methods.ts'
import { type JmapGround, startJmap } from './testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
  for (let index = 0; index < 5; index += 1) await ground.add(ground.ann)
})
after(() => ground.close())

const RUNS = { seed: 20261115, numRuns: runs(60, 400) }

const names = [...METHODS.keys()]
const argumentNames = [
  ...['ids', 'properties', 'sinceState', 'sinceQueryState', 'maxChanges', 'create', 'update', 'destroy', 'ifInState'],
  ...['filter', 'sort', 'position', 'anchor', 'anchorOffset', 'limit', 'calculateTotal', 'collapseThreads', 'upToId'],
  ...['blobIds', 'fromAccountId', 'typeNames', 'offset', 'length', 'emails', 'emailIds', 'onDestroyRemoveEmails'],
  ...['onSuccessUpdateEmail', 'onSuccessDestroyEmail', 'bodyProperties', 'maxBodyValueBytes', 'sortAsTree', '#ids'],
]
const memberNames = [
  ...[
    'name',
    'parentId',
    'role',
    'sortOrder',
    'isSubscribed',
    'mailboxIds',
    'keywords',
    'subject',
    'from',
    'bodyValues',
  ],
  ...['operator', 'conditions', 'property', 'isAscending', 'inMailbox', 'text', 'header', 'before', 'minSize', 'data'],
  ...[
    'data:asText',
    'blobId',
    'url',
    'deviceClientId',
    'resultOf',
    'path',
    'emailId',
    'identityId',
    'envelope',
    'a/b',
    '',
  ],
]
const words = fc.constantFrom(
  'AND',
  'NOT',
  'x',
  '#a',
  '',
  'name',
  'receivedAt',
  'c0',
  '/ids',
  '/list/*/id',
  '/',
  '🙂',
  '-1',
)

/** Values that a client might send by mistake or on purpose. */
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e300, 2 ** 53, '2026-01-01T00:00:00Z'),
    words,
    fc.integer(),
    fc.string(),
    fc.constant('known id').map(() => ground.ann.folders.inbox),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...memberNames), fc.string({ maxLength: 5 })), tie('any'), { maxKeys: 4 }),
  ),
})).any

const call = fc.tuple(
  fc.constantFrom(...names),
  fc.dictionary(fc.constantFrom(...argumentNames), value, { maxKeys: 5 }),
  fc.boolean(),
)

test('no request makes a method fail, and the mailbox agrees with itself', async () => {
  const { ann, logs } = ground
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 6 }), async (calls) => {
      const methodCalls = calls.map(([name, args, isOwn], index) => [
        name,
        isOwn || !('accountId' in args) ? { accountId: ann.accountId, ...args } : args,
        `c${index}`,
      ])
      const answer = await ann.client.post({ using: Object.values(CAPABILITIES), methodCalls })
      if (answer.status === 400) return
      assert.equal(answer.status, 200, answer.text)
      assert.ok(answer.body.methodResponses.length >= methodCalls.length)
      for (const [name, args] of answer.body.methodResponses)
        assert.ok(name !== 'error' || args.type !== 'serverFail', JSON.stringify([methodCalls, answer.body]))
    }),
    RUNS,
  )
  assert.deepEqual(
    logs.filter((line) => /"level":(50|60)/.test(line)),
    [],
  )
  assert.deepEqual(await checkMailbox(ground.parts.database.db, ann.accountId), [])
})

test('calls that are refused change nothing', async () => {
  const { ann } = ground
  const stateOf = async () => (await ann.client.one('Mailbox/get', { accountId: ann.accountId, ids: [] })).state
  await fc.assert(
    fc.asyncProperty(call, async ([name, args]) => {
      const before = await stateOf()
      const [answer] = await ann.client.call([name, { accountId: ann.accountId, ...args }])
      if (answer?.[0] === 'error') assert.equal(await stateOf(), before)
    }),
    { ...RUNS, numRuns: runs(32, 200) },
  )
})

test('bytes that are no request are answered as such', async () => {
  const { client } = ground.ann
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
      ),
      async (text) => {
        const { status, headers } = await client.post(text)
        assert.ok(status === 400 || status === 200, String(status))
        if (status === 400) assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/)
      },
    ),
    { ...RUNS, numRuns: runs(32, 200) },
  )
})
