import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import { createShare, type ShareAccess } from '../../../hosting/shares/shares.ts'
import type { ImapClient } from '../testing/client.ts'
import { type ImapGround, NOW, startImapGround } from '../testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const open = async (): Promise<{ address: PlantedAddress; client: ImapClient }> => {
  const address = await ground.address()
  return { address, client: await ground.signIn(address) }
}
const namesOf = async (client: ImapClient, pattern: string): Promise<string[]> =>
  (await client.ok(`list "" ${pattern}`)).map((line) => line.slice(line.indexOf('"/" ') + 4))
const tagged = async (client: ImapClient, command: string): Promise<string> => (await client.say(command)).tagged

describe('CREATE', () => {
  test('creates parents, ignores a delimiter at the end, and returns the id', async () => {
    const { address, client } = await open()
    const answer = await tagged(client, 'create a/b/c/')
    const id = await ground.folderId(address, 'a/b/c')
    assert.equal(answer.startsWith(`OK [MAILBOXID (${id})]`), true)
    assert.deepEqual(await namesOf(client, 'a*'), ['a', 'a/b', 'a/b/c'])
    assert.match(await tagged(client, 'create a/b'), /^NO \[ALREADYEXISTS\]/)
    assert.match(await tagged(client, 'create iNbOx'), /^NO \[ALREADYEXISTS\]/)
    await ground.check(address)
  })

  for (const name of [
    '""',
    '"/a"',
    '"a//b"',
    '"a/"'.replace('a', ' '),
    'Shared',
    'Shared/nobody@stoa.test/x',
    '"x&AAE-y"',
  ])
    test(`${name} is refused, and nothing is made`, async () => {
      const { client } = await open()
      const before = await namesOf(client, '*')
      assert.match(await tagged(client, `create ${name}`), /^NO \[CANNOT\]/)
      assert.deepEqual(await namesOf(client, '*'), before)
    })

  test('a use is given once, and most are from the beginning', async () => {
    const { client } = await open()
    for (const uses of ['\\Sent', '\\All', '\\Important \\Drafts'])
      assert.match(await tagged(client, `create Out (use (${uses}))`), /^NO \[USEATTR\]/)
    assert.deepEqual(await namesOf(client, 'Out'), [])
    await client.ok('create Keep (use (\\important))')
    assert.deepEqual(await client.ok('list "" Keep'), ['* LIST (\\HasNoChildren \\Important) "/" Keep'])
    assert.match(await tagged(client, 'create Other (use (\\Important))'), /^NO \[USEATTR\]/)
    await client.ok('delete Keep')
  })
})

describe('DELETE', () => {
  test('removes a folder with its messages', async () => {
    const { address, client } = await open()
    await client.ok('create old')
    await ground.add(address, { folder: 'old' })
    await client.ok('delete old')
    assert.match(await tagged(client, 'select old'), /^NO/)
    assert.match(await tagged(client, 'delete old'), /^NO \[NONEXISTENT\]/)
    await ground.check(address)
  })

  test('is refused for folders with others inside, and for those that every mailbox has', async () => {
    const { client } = await open()
    await client.ok('create a/b')
    assert.match(await tagged(client, 'delete a'), /^NO \[HASCHILDREN\]/)
    assert.match(await tagged(client, 'delete INBOX'), /^NO \[CANNOT\]/)
    assert.match(await tagged(client, 'delete Trash'), /^NO \[CANNOT\]/)
    assert.deepEqual(await namesOf(client, 'a*'), ['a', 'a/b'])
  })
})

describe('RENAME', () => {
  test('takes along what is inside, and makes the parents of the new name', async () => {
    const { address, client } = await open()
    await client.ok('create one/two')
    await ground.add(address, { folder: 'one/two' })
    await client.ok('rename one new/place/uno')
    assert.deepEqual(await namesOf(client, 'one*'), [])
    assert.deepEqual(await namesOf(client, 'new*'), ['new', 'new/place', 'new/place/uno', 'new/place/uno/two'])
    const lines = await client.ok('status new/place/uno/two (messages)')
    assert.deepEqual(lines, ['* STATUS new/place/uno/two (MESSAGES 1)'])
    await ground.check(address)
  })

  test('is refused where there is one, into itself, and for what is not there', async () => {
    const { client } = await open()
    await client.ok('create a/b')
    await client.ok('create c')
    assert.match(await tagged(client, 'rename a c'), /^NO \[ALREADYEXISTS\]/)
    assert.match(await tagged(client, 'rename a a/b/d'), /^NO \[CANNOT\]/)
    assert.match(await tagged(client, 'rename nothing d'), /^NO \[NONEXISTENT\]/)
    assert.match(await tagged(client, 'rename a Shared/x'), /^NO \[CANNOT\]/)
    assert.deepEqual(await namesOf(client, 'a*'), ['a', 'a/b'])
  })

  test('of the inbox moves its messages and leaves it there', async () => {
    const { address, client } = await open()
    await client.ok('create inbox/stays')
    await ground.add(address, { keywords: ['$flagged'] })
    await ground.add(address)
    await client.ok('rename inbox kept')
    assert.deepEqual(await client.ok('status inbox (messages)'), ['* STATUS INBOX (MESSAGES 0)'])
    assert.deepEqual(await client.ok('status kept (messages)'), ['* STATUS kept (MESSAGES 2)'])
    assert.deepEqual(await namesOf(client, 'inbox*'), ['INBOX', 'INBOX/stays'])
    await client.ok('select kept')
    assert.deepEqual(await client.ok('search flagged'), ['* SEARCH 1'])
    await ground.check(address)
  })

  test('the old name is returned to clients that enabled IMAP4rev2', async () => {
    const { client } = await open()
    await client.ok('enable imap4rev2')
    await client.ok('create a')
    assert.deepEqual(await client.ok('rename a b'), ['* LIST () "/" b ("OLDNAME" ("a"))'])
  })
})

describe('STATUS', () => {
  test('counts what is marked deleted, and drafts that nobody has seen', async () => {
    const { address, client } = await open()
    const id = await ground.folderId(address)
    await ground.add(address, { keywords: ['$seen'] })
    await ground.add(address, { keywords: ['$draft'] })
    await ground.add(address)
    await ground.add(address)
    await client.ok('select inbox')
    await client.ok('uid store 3 +flags (\\Deleted)')
    const other = await ground.signIn(address)
    const [line = ''] = await other.ok(
      'status inbox (messages unseen deleted uidnext uidvalidity size deleted-storage highestmodseq mailboxid appendlimit recent)',
    )
    const value = (item: string) => new RegExp(`[( ]${item} ([^ )]+)`).exec(line)?.[1]
    assert.equal(value('MESSAGES'), '4')
    assert.equal(value('UNSEEN'), '3')
    assert.equal(value('DELETED'), '1')
    assert.equal(value('UIDNEXT'), '5')
    assert.equal(value('RECENT'), '0')
    assert.equal(value('APPENDLIMIT'), '2000000')
    assert.ok(line.includes(`MAILBOXID (${id})`))
    const sizes = (await client.ok('fetch 1:* rfc822.size')).map((each) => Number(/RFC822.SIZE (\d+)/.exec(each)?.[1]))
    assert.equal(value('SIZE'), String(sizes.reduce((sum, size) => sum + size, 0)))
    assert.equal(value('DELETED-STORAGE'), String(sizes[2]))
    const before = Number(value('HIGHESTMODSEQ'))
    await client.ok('uid store 1 +flags (\\Flagged)')
    const [after = ''] = await other.ok('status inbox (highestmodseq)')
    assert.ok(Number(/HIGHESTMODSEQ (\d+)/.exec(after)?.[1]) > before)
  })

  test('what was not reported to any session is recent', async () => {
    const { address, client } = await open()
    await ground.add(address)
    assert.deepEqual(await client.ok('status inbox (recent)'), ['* STATUS INBOX (RECENT 1)'])
    assert.match(await tagged(client, 'status nothing (messages)'), /^NO \[NONEXISTENT\]/)
    assert.match(await tagged(client, 'status inbox (nonsense)'), /^BAD/)
  })
})

describe('mailboxes of others', () => {
  const share = async (of: PlantedAddress, withAddress: PlantedAddress, access: ShareAccess) =>
    ground.database.tx((tx) =>
      createShare(tx, { accountId: of.accountId, addressId: of.id, withAddressId: withAddress.id, access, now: NOW }),
    )

  test('are below their own root', async () => {
    const [owner, reader] = [await ground.address(), await ground.address()]
    await share(owner, reader, 'read')
    await ground.add(owner)
    const client = await ground.signIn(reader)
    assert.deepEqual(await client.ok('namespace'), ['* NAMESPACE (("" "/")) (("Shared/" "/")) NIL'])
    assert.deepEqual(await client.ok('list "" "Shared%"'), [
      '* LIST (\\Noselect \\NonExistent \\HasChildren) "/" Shared',
    ])
    assert.deepEqual(await client.ok('list () "" "Shared/%"'), [
      `* LIST (\\NonExistent \\HasChildren) "/" Shared/${owner.email}`,
    ])
    const names = await namesOf(client, '"Shared/%/%"')
    assert.ok(names.includes(`Shared/${owner.email}/INBOX`))
    assert.equal(names.length, 7)
    assert.deepEqual(await client.ok(`status Shared/${owner.email}/inbox (messages unseen)`), [
      `* STATUS Shared/${owner.email}/INBOX (MESSAGES 1 UNSEEN 1)`,
    ])
  })

  test('folders are changed only with permission, and each user has their own subscriptions', async () => {
    const [owner, reader, manager] = [await ground.address(), await ground.address(), await ground.address()]
    await share(owner, reader, 'write')
    await share(owner, manager, 'full')
    const [looks, manages] = [await ground.signIn(reader), await ground.signIn(manager)]
    const root = `Shared/${owner.email}`
    assert.match(await tagged(looks, `create ${root}/new`), /^NO \[NOPERM\]/)
    await manages.ok(`create ${root}/new`)
    assert.match(await tagged(looks, `delete ${root}/new`), /^NO \[NOPERM\]/)
    assert.match(await tagged(looks, `rename ${root}/new ${root}/other`), /^NO \[NOPERM\]/)
    assert.match(await tagged(manages, `rename ${root}/new mine`), /^NO \[CANNOT\]/)
    await looks.ok(`subscribe ${root}/new`)
    assert.equal((await looks.ok(`lsub "" ${root}/*`)).length, 1)
    assert.equal((await manages.ok(`lsub "" ${root}/*`)).length, 0)
    await looks.ok(`unsubscribe ${root}/new`)
    assert.equal((await looks.ok(`lsub "" ${root}/*`)).length, 0)
    await manages.ok(`delete ${root}/new`)
    await ground.check(owner)
  })

  test('a search in them knows what who looks has seen', async () => {
    const [owner, reader] = [await ground.address(), await ground.address()]
    await share(owner, reader, 'read')
    await ground.add(owner, { keywords: ['$seen'], subject: 'roof' })
    const client = await ground.signIn(reader)
    await client.ok(`select Shared/${owner.email}/INBOX`)
    assert.deepEqual(await client.ok('search unseen'), ['* SEARCH 1'])
    assert.deepEqual(await client.ok('search subject roof'), ['* SEARCH 1'])
    assert.deepEqual(await client.ok('search seen'), ['* SEARCH'])
    assert.deepEqual(await client.ok('sort (subject) utf-8 all'), ['* SORT 1'])
    assert.deepEqual(await client.ok('thread references utf-8 unseen'), ['* THREAD (1)'])
    assert.match((await client.ok('search 1 modseq 1')).at(-1) ?? '', /^\* SEARCH 1 \(MODSEQ \d+\)$/)
  })
})

describe('QUOTA', () => {
  test('without a limit there is no root', async () => {
    const { address, client } = await open()
    assert.deepEqual(await client.ok('getquotaroot inbox'), ['* QUOTAROOT INBOX'])
    assert.match(await tagged(client, `getquota ${address.email}`), /^NO \[NONEXISTENT\]/)
  })

  test('a mailbox with a limit reports it, and nobody sets it here', async () => {
    const { address, client } = await open()
    await ground.database.pool.query('update address set quota_bytes = $2 where id = $1', [address.id, 10 * 1024])
    await ground.add(address)
    const line = `* QUOTA ${address.email} (STORAGE 1 10)`
    assert.deepEqual(await client.ok('getquotaroot inbox'), [`* QUOTAROOT INBOX ${address.email}`, line])
    assert.deepEqual(await client.ok(`getquota "${address.email}"`), [line])
    assert.match(await tagged(client, `setquota ${address.email} (storage 100)`), /^NO \[NOPERM\]/)
    assert.deepEqual(await client.ok(`getquota "${address.email}"`), [line])
    assert.match(await tagged(client, 'getquota someone@stoa.test'), /^NO \[NONEXISTENT\]/)
  })
})
