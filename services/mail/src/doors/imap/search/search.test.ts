import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PlantedAddress } from '../../../hosting/addresses/testing/hosting.ts'
import type { MailOptions } from '../../../store/testing/ground.ts'
import type { ImapClient } from '../testing/client.ts'
import { type ImapGround, startImapGround } from '../testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

/** A session with these messages in its selected inbox. */
const open = async (...mails: MailOptions[]): Promise<{ address: PlantedAddress; client: ImapClient }> => {
  const address = await ground.address()
  for (const mail of mails) await ground.add(address, mail)
  const client = await ground.signIn(address)
  await client.ok('select inbox')
  return { address, client }
}
const raw = (...lines: string[]): MailOptions => ({ raw: `${lines.join('\r\n')}\r\n` })
const found = async (client: ImapClient, keys: string): Promise<string> => {
  const [line = '', ...more] = await client.ok(`search ${keys}`)
  assert.deepEqual(more, [])
  return line.replace(/^\* SEARCH ?/, '')
}
const all = async (client: ImapClient, expected: Record<string, string>): Promise<void> => {
  for (const [keys, numbers] of Object.entries(expected)) assert.equal(await found(client, keys), numbers, keys)
}

describe('SEARCH', () => {
  test('flags', async () => {
    const { client } = await open({}, {}, {}, {}, {})
    for (const line of [
      '1 ($hello)',
      '2 (\\Seen \\Flagged)',
      '3 (\\Answered $hello)',
      '4 (\\Flagged \\Draft)',
      '5 (\\Deleted \\Answered)',
    ])
      await client.ok(`store ${line.replace(' ', ' flags ')}`)
    await all(client, {
      answered: '3 5',
      unanswered: '1 2 4',
      deleted: '5',
      undeleted: '1 2 3 4',
      draft: '4',
      undraft: '1 2 3 5',
      flagged: '2 4',
      unflagged: '1 3 5',
      seen: '2',
      unseen: '1 3 4 5',
      'keyword $hello': '1 3',
      'unkeyword $HELLO': '2 4 5',
      new: '1 3 4 5',
      old: '',
      recent: '1 2 3 4 5',
      'not (or seen deleted) unflagged': '1 3',
    })
  })

  test('sets, with numbers that no message has', async () => {
    const { client } = await open({}, {}, {}, {}, {}, {})
    await client.ok('store 2 +flags \\Deleted')
    await client.ok('expunge')
    await all(client, {
      all: '1 2 3 4 5',
      '1:3,5': '1 2 3 5',
      '4:2': '2 3 4',
      'uid 1:3,5': '1 2 4',
      'uid 4:2': '2 3',
      '1:3 not uid 3': '1 3',
      'not 2,4': '1 3 5',
      'or 1 uid 3': '1 2',
      '*': '5',
      'uid *': '5',
      '6:*': '5',
      '*:6': '5',
      'uid 7:*': '5',
      '*:3': '3 4 5',
      '1,4,*': '1 4 5',
      '1000': '',
    })
    assert.deepEqual(await client.ok('uid search all'), ['* SEARCH 1 3 4 5 6'])
  })

  test('addresses: names, comments, groups, parts of them', async () => {
    const { client } = await open(
      raw('From: user-from@domain.org', 'To: user-to@domain.org', 'Sender: other@domain.org', '', 'one'),
      raw('From: RealFrom <user-from@domain.org>', 'To: RealTo <user-to@domain.org>', '', 'two'),
      raw('From: <user-from (comment)@ (comment) domain.org>', 'Cc: user-cc@domain.org', '', 'three'),
      raw('From: user-from@domain.org (RealFrom)', 'Bcc: =?utf-8?q?J=C3=BCrgen?= <j@x.org>', '', 'four'),
      raw('From: user-from1@domain.org, user-from2@domain.org', '', 'five'),
      raw(
        'To: groupname: groupuser1@domain.org, groupuser2@domain.org;,',
        '  groupname2: groupuser3@domain.org;',
        '',
        'six',
      ),
    )
    await all(client, {
      'from user-from@domain.org': '1 2 3 4',
      'from realfrom': '2 4',
      'from ser-fro': '1 2 3 4 5',
      'from user-from2': '5',
      'from other': '',
      'to ealt': '2',
      'to groupname': '6',
      'to groupname2': '6',
      'to groupuser3': '6',
      'to groupuser4': '',
      'cc user-cc@domain.org': '3',
      'header from ""': '1 2 3 4 5',
      'header to ""': '1 2 6',
      'header bcc ""': '4',
    })
    assert.deepEqual(await client.ok(['search charset utf-8 bcc {7}', Buffer.from('JÜRGEN')]), ['* SEARCH 4'])
  })

  test('header fields, and text anywhere or in the body alone', async () => {
    const { client } = await open(
      raw('Subject: hello beautiful world', '', 'asdfghjkl zxcvbnm nil'),
      raw('X-Extra: hello beautiful header', '', 'asdfghjkl'),
      raw('X-Other: qwertyuiop', 'Subject: a_b 100%', '', 'zxcvbnm'),
    )
    await all(client, {
      'subject "eautiful worl"': '1',
      'subject HELLO': '1',
      'header subject ""': '1 3',
      'not header subject ""': '2',
      'header x-extra "eautiful head"': '2',
      'header x-extra world': '',
      'text xcvbn': '1 3',
      'text wertyuio': '3',
      'text x-other': '3',
      'body wertyuio': '',
      'body sdfghjk': '1 2',
      'body nil': '1',
      'subject a_b': '3',
      'subject axb': '',
      'subject "100%"': '3',
      'text "hello beautiful" not subject hello': '2',
    })
  })

  test('what is inside of parts is found, however it is encoded, and what is in messages inside messages', async () => {
    const { client } = await open(
      raw(
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('<p>caf<b>é</b> on the roof</p>').toString('base64'),
        '--b',
        'Content-Type: message/rfc822',
        '',
        'Subject: =?utf-8?q?chimney?=',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'smoke =',
        'signals',
        '--b--',
      ),
      raw('Subject: chimney', '', 'nothing'),
    )
    await all(client, {
      'body "cafe on the roof"': '1',
      'body chimney': '1',
      'body "smoke signals"': '1',
      'text chimney': '1 2',
    })
  })

  test('the day in the header counts, whatever the zone', async () => {
    const sent = (date: string) => raw(`Date: ${date}`, '', 'x')
    const { client } = await open(
      sent('Sat, 24 Mar 2007 23:00:00 +0200'),
      sent('Sun, 25 Mar 2007 00:00:00 +0200'),
      sent('Sun, 25 Mar 2007 23:59:59 -0800'),
      sent('Mon, 26 Mar 2007 00:00:00 +1300'),
    )
    await all(client, {
      'sentbefore 24-mar-2007': '',
      'sentbefore 25-mar-2007': '1',
      'sentbefore 26-mar-2007': '1 2 3',
      'senton 25-mar-2007': '2 3',
      'senton 26-mar-2007': '4',
      'sentsince 25-mar-2007': '2 3 4',
      'sentsince 27-mar-2007': '',
    })
  })

  test('the day of arrival is the one in the zone it was given in', async () => {
    const { client } = await open()
    for (const date of ['24-Mar-2007 23:00:00 +0200', '25-Mar-2007 00:00:00 +0200', '25-Mar-2007 23:00:00 -0330'])
      await client.ok([`append inbox "${date}" {1}`, 'x'])
    await all(client, {
      'before 25-mar-2007': '1',
      'on 25-mar-2007': '2 3',
      'since 25-mar-2007': '2 3',
      'since 26-mar-2007': '',
    })
    assert.deepEqual(await client.ok('fetch 3 internaldate'), ['* 3 FETCH (INTERNALDATE "25-Mar-2007 23:00:00 -0330")'])
    await client.ok('copy 1,3 inbox')
    assert.equal(await found(client, 'on 25-mar-2007'), '2 3 5')
  })

  test('when messages arrived, how large they are, and which they are', async () => {
    const at = (time: string) => ({ receivedAt: new Date(time) })
    const { address, client } = await open(at('2026-02-27T23:59:59Z'), at('2026-02-28T00:00:00Z'), {
      ...at('2026-03-01T11:59:00Z'),
      text: 'x'.repeat(5_000),
    })
    const { messageId } = await ground.add(address, at('2026-03-01T12:00:00Z'))
    await client.ok('noop')
    await all(client, {
      'before 28-Feb-2026': '1',
      'on 28-Feb-2026': '2',
      'since 28-Feb-2026': '2 3 4',
      'younger 60': '3 4',
      'older 60': '1 2 3',
      'younger 59': '4',
      'larger 5000': '3',
      'smaller 5000': '1 2 4',
      [`emailid ${messageId}`]: '4',
      'emailid M1': '',
      'savedon 1-Mar-2026': '1 2 3 4',
      'savedbefore 1-Mar-2026': '',
      savedatesupported: '1 2 3 4',
    })
  })

  test('messages that were not reported to the client are not found', async () => {
    const { address, client } = await open({})
    await ground.add(address)
    assert.deepEqual(await client.ok('search all'), ['* SEARCH 1', '* 2 EXISTS', '* 2 RECENT'])
    assert.equal(await found(client, 'all'), '1 2')
  })

  test('a charset that is not known is refused with those that are', async () => {
    const { client } = await open({})
    const answer = await client.say(['search charset iso-8859-1 from {1}', Buffer.from([0xfc]), ' seen'])
    assert.match(answer.tagged, /^NO \[BADCHARSET \(US-ASCII UTF-8\)\]/)
    assert.match((await client.say('sort (date) koi8-r all')).tagged, /^NO \[BADCHARSET/)
    assert.match((await client.say('thread references koi8-r all')).tagged, /^NO \[BADCHARSET/)
    await client.ok('search charset us-ascii all')
    await client.ok('unselect')
    await client.ok('enable utf8=accept')
    await client.ok('select inbox')
    assert.match((await client.say('search charset utf-8 all')).tagged, /^BAD/)
  })

  test('more conditions than anybody needs are refused', async () => {
    const { client } = await open({})
    const answer = await client.say(`search ${'or from a '.repeat(240)}seen`)
    assert.match(answer.tagged, /^NO \[LIMIT\]/)
    assert.equal(await found(client, `${'or from a '.repeat(150)}all`), '1')
  })
})

describe('ESEARCH', () => {
  test('options of RETURN', async () => {
    const { client } = await open({}, {}, {}, {})
    await client.ok('store 2 +flags \\Deleted')
    await client.ok('expunge')
    const [line = ''] = await client.ok('uid search return () all')
    assert.match(line, /^\* ESEARCH \(TAG "[^"]+"\) UID ALL 1,3:4$/)
    const search = async (text: string) => (await client.ok(`search ${text}`))[0]?.replace(/ \(TAG "[^"]+"\)/, '')
    assert.equal(await search('return (min max count) all'), '* ESEARCH MIN 1 MAX 3 COUNT 3')
    assert.equal(await search('return (all) 1000'), '* ESEARCH')
    assert.equal(await search('return (count) 1000'), '* ESEARCH COUNT 0')
    assert.equal(await search('return (partial -1:-2) all'), '* ESEARCH PARTIAL (-1:-2 2:3)')
    await client.ok('unselect')
    await client.ok('enable imap4rev2')
    await client.ok('select inbox')
    assert.equal(await search('all'), '* ESEARCH ALL 1:3')
  })

  test('the modseq of what was found, once one is asked for', async () => {
    const { client } = await open({}, {}, {}, {})
    await client.ok('fetch 1 modseq')
    const modseqs: number[] = []
    for (const number of [1, 3, 2, 4]) {
      const [line = ''] = await client.ok(`store ${number} +flags \\Seen`)
      modseqs[number] = Number(/MODSEQ \((\d+)\)/.exec(line)?.[1])
    }
    const search = async (text: string) => (await client.ok(`search ${text}`))[0]?.replace(/ \(TAG "[^"]+"\)/, '')
    const seen = 'modseq "/flags/\\\\seen" all'
    assert.equal(await search(`return (min) 1:3 ${seen} 1`), `* ESEARCH MIN 1 MODSEQ ${modseqs[1]}`)
    assert.equal(await search(`return (max) 1:3 ${seen} 1`), `* ESEARCH MAX 3 MODSEQ ${modseqs[3]}`)
    assert.equal(await search(`return () 1:3 ${seen} 1`), `* ESEARCH ALL 1:3 MODSEQ ${modseqs[2]}`)
    assert.equal(await search(`return (all) 2:3 ${seen} ${modseqs[2]}`), `* ESEARCH ALL 2 MODSEQ ${modseqs[2]}`)
    assert.equal(await search(`return (all) 2:3 ${seen} ${modseqs[4]}`), '* ESEARCH')
    assert.equal(await search(`modseq ${modseqs[2]}`), `* SEARCH 2 4 (MODSEQ ${modseqs[4]})`)
  })

  test('what was saved stands for $, and forgets what is expunged', async () => {
    const { client } = await open({}, {}, {}, {})
    await client.ok('store 1,3 +flags \\Flagged')
    assert.deepEqual(await client.ok('search return (save) flagged'), [])
    assert.equal(await found(client, '$'), '1 3')
    assert.equal(await found(client, 'not $'), '2 4')
    await client.ok('store $ +flags \\Deleted')
    assert.equal(await found(client, 'deleted'), '1 3')
    await client.ok('uid expunge $')
    assert.equal(await found(client, '$'), '')
    assert.match((await client.ok('uid search return (save min) all'))[0] ?? '', /UID MIN 2$/)
    assert.equal(await found(client, 'uid $'), '1')
    assert.match((await client.say('search return (save) charset koi8-r all')).tagged, /^NO/)
    assert.equal(await found(client, '$'), '')
  })
})
