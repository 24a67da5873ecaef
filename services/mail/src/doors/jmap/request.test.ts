import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { createAppPassword } from '../../hosting/addresses/app-passwords.ts'
import { CAPABILITIES } from './method.ts'
import { type JmapGround, startJmap } from './testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

const using = [CAPABILITIES.core, CAPABILITIES.mail]
const ERROR = 'urn:ietf:params:jmap:error:'

describe('session', () => {
  test('names absolute addresses, all capabilities and the own account', async () => {
    const { ann, url } = ground
    const session = await ann.client.session()
    assert.equal(session.apiUrl, `${url}/jmap`)
    assert.equal(session.username, 'ann@example.test')
    assert.deepEqual(Object.keys(session.accounts), [ann.accountId])
    assert.equal(session.accounts[ann.accountId].isPersonal, true)
    assert.equal(session.accounts[ann.accountId].isReadOnly, false)
    assert.equal(session.primaryAccounts[CAPABILITIES.mail], ann.accountId)
    assert.equal(session.capabilities[CAPABILITIES.core].maxCallsInRequest, 16)
    assert.equal(session.capabilities[CAPABILITIES.websocket].url, `${url.replace('http', 'ws')}/jmap/ws`)
    for (const name of ['{accountId}', '{blobId}', '{name}', '{type}']) assert.ok(session.downloadUrl.includes(name))
    for (const name of ['{types}', '{closeafter}', '{ping}']) assert.ok(session.eventSourceUrl.includes(name))
    assert.deepEqual(
      Object.keys(session.accounts[ann.accountId].accountCapabilities),
      Object.keys(session.primaryAccounts),
    )
  })

  test('is not given to strangers, who get a challenge', async () => {
    // Node's fetch says that it is a page, which would get no challenge.
    const answer = await new Promise<IncomingMessage>((resolve) => get(`${ground.url}/.well-known/jmap`, resolve))
    answer.resume()
    assert.equal(answer.statusCode, 401)
    assert.match(answer.headers['www-authenticate'] ?? '', /^Basic /)
  })

  test('is given for an app password as Bearer, unless its scopes leave JMAP out', async () => {
    const { ann, parts } = ground
    const make = (scopes: ('jmap' | 'imap')[]) =>
      parts.database.tx((tx) =>
        createAppPassword(tx, { ...ann.address, addressId: ann.accountId, name: 'phone', scopes, now: new Date() }),
      )
    const good = await make(['jmap'])
    const other = await make(['imap'])
    const statusOf = async (token: string) =>
      (await ground.client({ authorization: `Bearer ${token}` }).fetch('/.well-known/jmap')).status
    assert.equal(await statusOf(good.token.reveal()), 200)
    assert.equal(await statusOf(other.token.reveal()), 401)
  })

  test('has another state once a mailbox is shared, and so has every answer', async () => {
    const { parts } = ground
    const [carl, dora] = [await ground.mailbox('carl@example.test'), await ground.mailbox('dora@example.test')]
    const before = await carl.client.session()
    const echo = { using, methodCalls: [['Core/echo', {}, 'a']] }
    assert.equal((await carl.client.post(echo)).body.sessionState, before.state)
    await ground.share(dora, carl, 'read')
    const session = await carl.client.session()
    assert.notEqual(session.state, before.state)
    assert.equal((await carl.client.post(echo)).body.sessionState, session.state)
    const shared = session.accounts[dora.accountId]
    assert.deepEqual([shared.isPersonal, shared.isReadOnly, shared.name], [false, true, 'dora@example.test'])
    assert.equal(shared.accountCapabilities[CAPABILITIES.submission], undefined)
    assert.equal(parts.config.publicUrl, ground.url)
  })
})

describe('requests that are none', () => {
  const cases: [name: string, body: string, type: string, contentType?: string][] = [
    ['no JSON', 'this is not json', 'notJSON'],
    ['nothing', '', 'notJSON'],
    ['another content type', JSON.stringify({ using, methodCalls: [] }), 'notJSON', 'text/plain'],
    ['a member twice', '{"using":[],"using":[],"methodCalls":[]}', 'notJSON'],
    [
      'nested too deeply',
      `{"using":[],"methodCalls":[["Core/echo",{"a":${'['.repeat(80)}${']'.repeat(80)}},"a"]]}`,
      'notJSON',
    ],
    ['a list', '[]', 'notRequest'],
    ['no members that are known', '{"foo":"bar"}', 'notRequest'],
    ['methodCalls that are no list', JSON.stringify({ using, methodCalls: 'x' }), 'notRequest'],
    ['a call that is no list', JSON.stringify({ using, methodCalls: [{}] }), 'notRequest'],
    ['a call without an id', JSON.stringify({ using, methodCalls: [['Core/echo', {}]] }), 'notRequest'],
    ['arguments that are a list', JSON.stringify({ using, methodCalls: [['Core/echo', [], 'a']] }), 'notRequest'],
    ['createdIds that are no ids', JSON.stringify({ using, methodCalls: [], createdIds: { a: 1 } }), 'notRequest'],
    ['an unknown capability', JSON.stringify({ using: ['urn:x:y'], methodCalls: [] }), 'unknownCapability'],
  ]
  for (const [name, body, type, contentType] of cases)
    test(`${name}: ${type}`, async () => {
      const answer = await ground.ann.client.post(body, contentType)
      assert.equal(answer.status, 400)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(answer.body.type, `${ERROR}${type}`)
      assert.equal(answer.body.status, 400)
    })

  test('too many calls are a limit, and none is run', async () => {
    const methodCalls = Array.from({ length: 17 }, (_, index) => ['Core/echo', {}, `c${index}`])
    const { body } = await ground.ann.client.post({ using, methodCalls })
    assert.deepEqual([body.type, body.limit], [`${ERROR}limit`, 'maxCallsInRequest'])
  })

  test('a request that is too large is a limit', async () => {
    const large = JSON.stringify({ using, methodCalls: [['Core/echo', { text: 'x'.repeat(10_000_000) }, 'a']] })
    const { status, body } = await ground.ann.client.post(large)
    assert.deepEqual([status, body.type, body.limit], [400, `${ERROR}limit`, 'maxSizeRequest'])
  })

  test('more at once than may wait is a limit; the others are answered', async () => {
    const erin = await ground.mailbox('erin@example.test')
    const wide = {
      using,
      methodCalls: Array.from({ length: 16 }, (_, i) => ['Mailbox/get', { accountId: erin.accountId }, `c${i}`]),
    }
    await erin.client.session()
    const answers = await Promise.all(Array.from({ length: 40 }, () => erin.client.post(wide)))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.ok(refused.length > 0 && refused.length < 40, `${refused.length} of 40 refused`)
    for (const { body } of refused)
      assert.deepEqual([body.type, body.limit], [`${ERROR}limit`, 'maxConcurrentRequests'])
  })
})

describe('calls', () => {
  test('are answered in their order with their ids, unknown ones too', async () => {
    const answers = await ground.ann.client.call(
      ['Core/echo', { a: [1] }, 'x'],
      ['Nothing/at', {}],
      ['Core/echo', {}, 'x'],
    )
    assert.deepEqual(answers, [
      ['Core/echo', { a: [1] }, 'x'],
      ['error', { type: 'unknownMethod' }, 'c1'],
      ['Core/echo', {}, 'x'],
    ])
  })

  test('exist only as far as the request uses their capability', async () => {
    const { ann } = ground
    const ask = async (using: string[]) => {
      const { body } = await ann.client.post({
        using,
        methodCalls: [['Mailbox/get', { accountId: ann.accountId }, 'a']],
      })
      return body.methodResponses[0][0]
    }
    assert.equal(await ask([]), 'error')
    assert.equal(await ask([CAPABILITIES.core]), 'error')
    assert.equal(await ask([CAPABILITIES.mail]), 'Mailbox/get')
  })

  test('say what is wrong with their account', async () => {
    const { ann, bob } = ground
    assert.equal(await ann.client.error('Mailbox/get', {}), 'invalidArguments')
    assert.equal(await ann.client.error('Mailbox/get', { accountId: 7 }), 'invalidArguments')
    assert.equal(await ann.client.error('Mailbox/get', { accountId: 'nobody' }), 'accountNotFound')
    assert.equal(await ann.client.error('Mailbox/get', { accountId: bob.accountId }), 'accountNotFound')
  })

  test('refuse arguments that are wrong or unknown', async () => {
    const { accountId, client } = ground.ann
    assert.equal(await client.error('Mailbox/get', { accountId, ids: 'x' }), 'invalidArguments')
    assert.equal(await client.error('Mailbox/get', { accountId, ids: ['has space'] }), 'invalidArguments')
    assert.equal(await client.error('Mailbox/get', { accountId, properties: ['colour'] }), 'invalidArguments')
    assert.equal(await client.error('Mailbox/get', { accountId, colour: 1 }), 'invalidArguments')
    const ids = Array.from({ length: 501 }, (_, index) => `x${index}`)
    assert.equal(await client.error('Mailbox/get', { accountId, ids }), 'requestTooLarge')
    assert.equal(await client.error('Mailbox/set', { accountId, destroy: ids }), 'requestTooLarge')
    assert.equal(await client.error('Mailbox/set', { accountId, ifInState: 'x', update: {} }), 'stateMismatch')
    assert.equal(await client.error('Mailbox/changes', { accountId, sinceState: 'x' }), 'cannotCalculateChanges')
    assert.equal(await client.error('Mailbox/changes', { accountId, sinceState: '999999' }), 'cannotCalculateChanges')
    assert.equal(
      await client.error('Mailbox/changes', { accountId, sinceState: '1', maxChanges: 0 }),
      'invalidArguments',
    )
  })
})

describe('result references', () => {
  const refer = (path: string, name = 'Core/echo', resultOf = 'c0') => ({ resultOf, name, path })

  test('lead to members, items, and all items of lists joined', async () => {
    const value = { list: [{ ids: ['a', 'b'] }, { ids: ['c'] }], 'a/b': { '~': 7 } }
    const answers = await ground.ann.client.call(
      ['Core/echo', value],
      ['Core/echo', { '#all': refer('/list/*/ids'), '#one': refer('/list/1'), '#odd': refer('/a~1b/~0') }],
      ['Core/echo', { '#whole': refer('') }],
    )
    assert.deepEqual(answers[1]?.[1], { all: ['a', 'b', 'c'], one: { ids: ['c'] }, odd: 7 })
    assert.deepEqual(answers[2]?.[1], { whole: value })
  })

  test('to nothing are refused, and the method is not run', async () => {
    const bad = [
      refer('/a', 'Core/echo', 'none'),
      refer('/a', 'Mailbox/get'),
      refer('/none'),
      refer('/a/5'),
      refer('/a/-'),
      refer('a'),
      { resultOf: 'c0', name: 'Core/echo' },
      'x',
    ]
    const answers = await ground.ann.client.call(
      ['Core/echo', { a: [1] }],
      ...bad.map((reference) => ['Core/echo', { '#b': reference }] as const),
    )
    for (const answer of answers.slice(1)) assert.equal(answer[1].type, 'invalidResultReference')
  })

  test('beside the argument itself are refused', async () => {
    const [, answer] = await ground.ann.client.call(['Core/echo', { a: 1 }], ['Core/echo', { b: 1, '#b': refer('/a') }])
    assert.equal(answer?.[1].type, 'invalidArguments')
  })

  test('that double what they refer to with every call end before they fill the memory', async () => {
    const text = 'x'.repeat(100_000)
    const twice = (id: string) => ({ '#a': refer('', 'Core/echo', id), '#b': refer('', 'Core/echo', id) })
    const calls = Array.from({ length: 15 }, (_, index) => ['Core/echo', twice(`c${index}`)] as const)
    const answers = await ground.ann.client.call(['Core/echo', { text }], ...calls)
    assert.equal(answers.length, 16)
    assert.ok(answers.some(([name, { type }]) => name === 'error' && type === 'requestTooLarge'))
    assert.ok(JSON.stringify(answers).length < 64_000_000)
  })

  test('that look at more than they give end before they take the processor', async () => {
    const references = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `#k${index}`,
        { resultOf: 'c0', name: 'Core/echo', path: '/lists/*' },
      ]),
    )
    const [, second] = await ground.ann.client.call(
      ['Core/echo', { lists: Array(50_000).fill([]) }],
      ['Core/echo', references],
    )
    assert.deepEqual([second?.[0], second?.[1].type], ['error', 'requestTooLarge'])
  })

  test('with a path that is longer than anything lead to nothing', async () => {
    let deep: unknown = 'deep'
    for (let depth = 0; depth < 55; depth += 1) deep = { a: deep }
    const path = (length: number) => ({ resultOf: 'c0', name: 'Core/echo', path: `/a${'/a'.repeat(length)}` })
    const [, found, none] = await ground.ann.client.call(
      ['Core/echo', { a: deep }],
      ['Core/echo', { '#x': path(55) }],
      ['Core/echo', { '#x': path(70) }],
    )
    assert.deepEqual([found?.[1].x, none?.[1].type], ['deep', 'invalidResultReference'])
  })

  test('give as many ids as a method takes, and not more', async () => {
    const { accountId, client } = ground.ann
    const ids = Array.from({ length: 501 }, (_, index) => `x${index}`)
    const [, answer] = await client.call(['Core/echo', { ids }], ['Mailbox/get', { accountId, '#ids': refer('/ids') }])
    assert.equal(answer?.[1].type, 'requestTooLarge')
  })
})

describe('creation ids', () => {
  test('of the request and of earlier calls are understood, and given back', async () => {
    const { accountId, client } = ground.ann
    const { body } = await client.post({
      using,
      createdIds: { old: 'some-id' },
      methodCalls: [
        [
          'Mailbox/set',
          { accountId, create: { top: { name: 'Made' }, inner: { name: 'Inner', parentId: '#top' } } },
          'a',
        ],
        ['Mailbox/get', { accountId, ids: ['#inner', '#never'] }, 'b'],
        ['Mailbox/set', { accountId, destroy: ['#top', '#inner'] }, 'c'],
      ],
    })
    const [made, got, gone] = body.methodResponses
    const { top, inner } = made[1].created
    assert.deepEqual(body.createdIds, { old: 'some-id', top: top.id, inner: inner.id })
    assert.equal(got[1].list[0].parentId, top.id)
    assert.deepEqual(got[1].notFound, ['#never'])
    assert.deepEqual(new Set(gone[1].destroyed), new Set([top.id, inner.id]))
  })

  test('are not returned to clients that did not ask', async () => {
    const { body } = await ground.ann.client.post({ using, methodCalls: [] })
    assert.deepEqual(Object.keys(body), ['methodResponses', 'sessionState'])
  })
})
