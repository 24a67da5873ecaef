import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ImapClient } from '../testing/client.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const newClient = async (): Promise<ImapClient> => ground.signIn(await ground.address())

/** `name attribute attribute` of each line, attributes in order. */
const names = (lines: readonly string[]): string[] =>
  lines.map((line) => {
    const [, attributes = '', name = ''] = /^\* (?:LIST|LSUB) \(([^)]*)\) "\/" (.*)$/.exec(line) ?? []
    return [name, ...attributes.split(' ').filter(Boolean).sort()].join(' ')
  })

describe('LIST', () => {
  test('a new mailbox has its folders, with what they are for', async () => {
    const client = await newClient()
    assert.deepEqual(names(await client.ok('list "" "*"')), [
      'INBOX \\HasNoChildren',
      'Drafts \\Drafts \\HasNoChildren',
      'Sent \\HasNoChildren \\Sent',
      'Archive \\Archive \\HasNoChildren',
      'Junk \\HasNoChildren \\Junk',
      'Trash \\HasNoChildren \\Trash',
      'Snoozed \\HasNoChildren',
    ])
  })

  test('an empty pattern asks for the delimiter', async () => {
    const client = await newClient()
    assert.deepEqual(await client.ok('list "" ""'), ['* LIST (\\Noselect) "/" ""'])
    assert.deepEqual(await client.ok('list "Shared/" ""'), ['* LIST (\\Noselect) "/" Shared/'])
  })

  test('wildcards, references and folders inside others', async () => {
    const client = await newClient()
    for (const name of ['t/', 't/one', 't/two', 't/three/', 't/three/four/', 't/three/four/five'])
      await client.ok(`create ${name}`)
    const list = async (text: string) => names(await client.ok(`list ${text}`)).map((each) => each.split(' ')[0])
    assert.deepEqual(await list('"" t/%'), ['t/one', 't/three', 't/two'])
    assert.deepEqual(await list('"" t/%/%'), ['t/three/four'])
    assert.deepEqual(await list('"" t/*'), ['t/one', 't/three', 't/three/four', 't/three/four/five', 't/two'])
    assert.deepEqual(await list('t/ *'), await list('"" t/*'))
    assert.deepEqual(await list('"" t/*four'), ['t/three/four'])
    assert.deepEqual(await list('"" t/%e/%r'), ['t/three/four'])
    assert.deepEqual(await list('"" t/%t*r'), ['t/three/four'])
    assert.deepEqual(await list('"" inbox'), ['INBOX'])
    assert.deepEqual(await list('"" NIL'), [])
    await client.ok('delete t/two')
    assert.deepEqual(await list('"" t/%'), ['t/one', 't/three'])
  })

  test('INBOX is the first name of what is inside it', async () => {
    const client = await newClient()
    await client.ok('create inbox/Roof')
    assert.deepEqual(names(await client.ok('list "" INBOX*')), ['INBOX \\HasChildren', 'INBOX/Roof \\HasNoChildren'])
    await client.ok('select iNBoX/Roof')
  })

  test('names in modified UTF-7 are UTF-8 once that is enabled', async () => {
    const client = await newClient()
    await client.ok('create "Entw&APw-rfe/&U,BTFw-"')
    await client.ok('create "R&-D"')
    assert.deepEqual(names(await client.ok('list "" E*')), [
      'Entw&APw-rfe \\HasChildren',
      'Entw&APw-rfe/&U,BTFw- \\HasNoChildren',
    ])
    assert.match((await client.say('create "a&b"')).tagged, /^(NO|BAD)/)
    await client.ok('enable UTF8=ACCEPT')
    const lines = (await client.ok('list "" *')).map((line) => Buffer.from(line, 'latin1').toString('utf8'))
    assert.ok(lines.includes('* LIST (\\HasNoChildren) "/" "Entwürfe/台北"'))
    assert.ok(lines.includes('* LIST (\\HasNoChildren) "/" R&D'))
  })

  test('counts come with the folders that are asked for', async () => {
    const address = await ground.address()
    await ground.add(address, { keywords: ['$seen'] })
    await ground.add(address)
    const client = await ground.signIn(address)
    const lines = await client.ok('list "" (INBOX Sent) return (status (messages unseen))')
    assert.deepEqual(lines, [
      '* LIST (\\HasNoChildren) "/" INBOX',
      '* STATUS INBOX (MESSAGES 2 UNSEEN 1)',
      '* LIST (\\HasNoChildren \\Sent) "/" Sent',
      '* STATUS Sent (MESSAGES 0 UNSEEN 0)',
    ])
  })

  test('folders by what they are for', async () => {
    const client = await newClient()
    const lines = await client.ok('list (special-use) "" "*" return (special-use)')
    assert.deepEqual(
      names(lines).map((line) => line.split(' ')[0]),
      ['Drafts', 'Sent', 'Archive', 'Junk', 'Trash'],
    )
  })

  for (const text of [
    '(nonsense) "" ""',
    '(recursivematch) "" ""',
    '(recursivematch remote) "" ""',
    '"" "" return (nonsense)',
    '"" "" return',
    '"" (a b',
    '"" a return (status (nonsense))',
  ])
    test(`${text} is refused`, async () => {
      const client = await newClient()
      assert.match((await client.say(`list ${text}`)).tagged, /^BAD/)
    })
})

describe('subscriptions', () => {
  test('LIST with SUBSCRIBED, also of what is gone, and of parents', async () => {
    const client = await newClient()
    for (const name of ['s/1', 's/2/', 's/2/1', 's/3', 's/4/5', 's/6', 's/7/7', 's/8/8', 's/8/9'])
      await client.ok(`create ${name}`)
    for (const name of ['s/1', 's/2/1', 's/6', 's/7/7', 's/8/8', 's/8/9']) await client.ok(`subscribe ${name}`)
    await client.ok('delete s/6')
    const list = async (text: string) => names(await client.ok(`list ${text}`))
    assert.deepEqual(await list('(subscribed) "" s/*'), [
      's/1 \\HasNoChildren \\Subscribed',
      's/2/1 \\HasNoChildren \\Subscribed',
      's/7/7 \\HasNoChildren \\Subscribed',
      's/8/8 \\HasNoChildren \\Subscribed',
      's/8/9 \\HasNoChildren \\Subscribed',
      's/6 \\HasNoChildren \\NonExistent \\Subscribed',
    ])
    assert.deepEqual(await list('"" s/6'), [])
    assert.deepEqual(await client.ok('list (subscribed recursivematch) "" s/2% return (children)'), [
      '* LIST (\\HasChildren) "/" s/2 ("CHILDINFO" ("SUBSCRIBED"))',
    ])
    assert.deepEqual(await list('(subscribed recursivematch) "" *7'), ['s/7/7 \\HasNoChildren \\Subscribed'])
    assert.deepEqual(await client.ok('list (subscribed recursivematch) "" *8'), [
      '* LIST (\\HasChildren) "/" s/8 ("CHILDINFO" ("SUBSCRIBED"))',
      '* LIST (\\Subscribed \\HasNoChildren) "/" s/8/8',
    ])
    assert.deepEqual(await list('(subscribed recursivematch) "" (s/2 s/2/1)'), ['s/2/1 \\HasNoChildren \\Subscribed'])
    assert.deepEqual(await list('"" s/% return (children subscribed)'), [
      's/1 \\HasNoChildren \\Subscribed',
      's/2 \\HasChildren',
      's/3 \\HasNoChildren',
      's/4 \\HasChildren',
      's/7 \\HasChildren',
      's/8 \\HasChildren',
    ])
  })

  test('LSUB: parents stand for what is below only with % at the end', async () => {
    const client = await newClient()
    for (const name of ['u/', 'u/test', 'u/two/test', 'u/three/three']) await client.ok(`create ${name}`)
    for (const name of ['u/test', 'u/two/test', 'u/three/three']) await client.ok(`subscribe ${name}`)
    assert.deepEqual(names(await client.ok('lsub "" u/%')), ['u/test', 'u/three \\Noselect', 'u/two \\Noselect'])
    assert.deepEqual(names(await client.ok('lsub "" *test')), ['u/test', 'u/two/test'])
    await client.ok('unsubscribe u/test')
    await client.ok('unsubscribe u/three/three')
    assert.deepEqual(names(await client.ok('lsub "" u/%')), ['u/two \\Noselect'])
    assert.deepEqual(names(await client.ok('lsub u/ *')), ['u/two/test'])
  })

  test('a subscription outlives its folder, and ends with UNSUBSCRIBE', async () => {
    const client = await newClient()
    await client.ok('create gone')
    await client.ok('subscribe gone')
    await client.ok('delete gone')
    assert.deepEqual(names(await client.ok('lsub "" gone')), ['gone'])
    await client.ok('create gone')
    assert.deepEqual(names(await client.ok('list (subscribed) "" gone')), ['gone \\HasNoChildren \\Subscribed'])
    await client.ok('unsubscribe gone')
    assert.deepEqual(await client.ok('lsub "" gone'), [])
  })

  test('what is not there cannot be subscribed to, and unsubscribing from it is no mistake', async () => {
    const client = await newClient()
    assert.match((await client.say('subscribe nothing')).tagged, /^NO \[NONEXISTENT\]/)
    assert.deepEqual(await client.ok('lsub "" nothing'), [])
    await client.ok('unsubscribe nothing')
  })
})
