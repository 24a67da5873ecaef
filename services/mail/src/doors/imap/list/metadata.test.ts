import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createShare } from '../../../hosting/shares/shares.ts'
import type { ImapClient } from '../testing/client.ts'
import { type ImapGround, NOW, startImapGround } from '../testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const newClient = async (): Promise<ImapClient> => ground.signIn(await ground.address())
const tagged = async (client: ImapClient, command: string): Promise<string> => (await client.say(command)).tagged

describe('METADATA', () => {
  test('entries are set, read in any letter case, and removed', async () => {
    const client = await newClient()
    await client.ok('setmetadata inbox (/shared/Comment "Our \\"inbox\\"" /private/comment "mine")')
    assert.deepEqual(await client.ok('getmetadata inbox (/SHARED/comment /private/comment /private/none)'), [
      '* METADATA INBOX (/shared/comment "Our \\"inbox\\"" /private/comment "mine" /private/none NIL)',
    ])
    await client.ok('setmetadata inbox (/shared/comment NIL)')
    assert.deepEqual(await client.ok('getmetadata inbox /shared/comment'), ['* METADATA INBOX (/shared/comment NIL)'])
  })

  test('the server has private entries of its own', async () => {
    const client = await newClient()
    await client.ok('setmetadata "" (/private/vendor/x/setting "1")')
    assert.deepEqual(await client.ok('getmetadata "" /private/vendor/x/setting'), [
      '* METADATA "" (/private/vendor/x/setting "1")',
    ])
    assert.deepEqual(await client.ok('getmetadata inbox /private/vendor/x/setting'), [
      '* METADATA INBOX (/private/vendor/x/setting NIL)',
    ])
    assert.match(await tagged(client, 'setmetadata "" (/shared/comment "to all")'), /^NO \[NOPERM\]/)
    const other = await newClient()
    assert.deepEqual(await other.ok('getmetadata "" /shared/comment'), ['* METADATA "" (/shared/comment NIL)'])
  })

  test('depth returns what is below, and long values are only named', async () => {
    const client = await newClient()
    await client.ok('setmetadata inbox (/private/a "1" /private/a/b "22" /private/a/b/c "333")')
    const get = (options: string) => client.say(`getmetadata ${options} inbox /private/a`)
    assert.deepEqual((await get('(depth 1)')).lines, ['* METADATA INBOX (/private/a "1" /private/a/b "22")'])
    assert.deepEqual((await get('(depth infinity)')).lines, [
      '* METADATA INBOX (/private/a "1" /private/a/b "22" /private/a/b/c "333")',
    ])
    const short = await client.say('getmetadata inbox (maxsize 2 depth infinity) (/private/a)')
    assert.deepEqual(short.lines, ['* METADATA INBOX (/private/a "1" /private/a/b "22")'])
    assert.match(short.tagged, /^OK \[METADATA LONGENTRIES 3\]/)
  })

  test('values are bytes', async () => {
    const client = await newClient()
    await client.ok('setmetadata inbox (/private/x {5+}\r\na\r\nb\x01)')
    assert.deepEqual(await client.ok('getmetadata inbox /private/x'), [
      '* METADATA INBOX (/private/x {5}\r\na\r\nb\x01)',
    ])
  })

  test('go with their folder', async () => {
    const client = await newClient()
    await client.ok('create a')
    await client.ok('setmetadata a (/private/x "1")')
    await client.ok('rename a b')
    assert.deepEqual(await client.ok('getmetadata b /private/x'), ['* METADATA b (/private/x "1")'])
    await client.ok('delete b')
    await client.ok('create b')
    assert.deepEqual(await client.ok('getmetadata b /private/x'), ['* METADATA b (/private/x NIL)'])
    assert.match(await tagged(client, 'getmetadata nothing /private/x'), /^NO \[NONEXISTENT\]/)
  })

  test('private ones are private, shared ones are set by users who may write', async () => {
    const [owner, reader] = [await ground.address(), await ground.address()]
    const input = { accountId: owner.accountId, addressId: owner.id, withAddressId: reader.id, now: NOW }
    await ground.database.tx((tx) => createShare(tx, { ...input, access: 'read' }))
    const [owns, looks] = [await ground.signIn(owner), await ground.signIn(reader)]
    const name = `Shared/${owner.email}/INBOX`
    await owns.ok('setmetadata inbox (/private/x "owner" /shared/x "all")')
    assert.match(await tagged(looks, `setmetadata ${name} (/shared/x "other")`), /^NO \[NOPERM\]/)
    await looks.ok(`setmetadata ${name} (/private/x "reader")`)
    assert.deepEqual(await looks.ok(`getmetadata ${name} (/private/x /shared/x)`), [
      `* METADATA ${name} (/private/x "reader" /shared/x "all")`,
    ])
    assert.deepEqual(await owns.ok('getmetadata inbox (/private/x /shared/x)'), [
      '* METADATA INBOX (/private/x "owner" /shared/x "all")',
    ])
  })

  test('too large and too many are refused, and nothing changes', async () => {
    const client = await newClient()
    const large = await tagged(client, `setmetadata inbox (/private/x {65537+}\r\n${'x'.repeat(65_537)})`)
    assert.match(large, /^NO \[METADATA MAXSIZE 65536\]/)
    const many = Array.from({ length: 201 }, (_, index) => `/private/n${index} "1"`).join(' ')
    assert.match(await tagged(client, `setmetadata inbox (${many})`), /^NO \[METADATA TOOMANY\]/)
    assert.deepEqual(await client.ok('getmetadata (depth infinity) inbox /private/n0'), [])
  })

  for (const text of [
    'getmetadata inbox comment',
    'getmetadata inbox /other/x',
    'getmetadata inbox /private/a*',
    'getmetadata inbox /private//a',
    'getmetadata inbox /private/a/',
    'getmetadata (depth 2) inbox /private/a',
    'setmetadata inbox (/private/a)',
    'setmetadata inbox ()',
  ])
    test(`${text} is refused`, async () => assert.match(await tagged(await newClient(), text), /^BAD/))
})
