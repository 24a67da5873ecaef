import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { parseMessage } from '../../formats/mime/parse.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

let people = 0

/** A mailbox with these scripts, and what it does with a message. */
const person = async (...scripts: string[]) => {
  people += 1
  const email = `p${people}@ours.test`
  const address = await ground.address(email)
  for (const [position, source] of scripts.entries()) await ground.script(address, source, { position })
  return { email, address }
}

describe('filters', () => {
  test('file into folders that are made for it, with flags, and keep a copy when they say so', async () => {
    const { email, address } = await person(
      `require ["fileinto", "imap4flags", "copy"];
       if header :contains "subject" "invoice" {
         addflag "\\\\Flagged"; addflag "paid";
         fileinto :copy "Work/Invoices"; stop;
       }
       if header :contains "subject" "news" { fileinto "News"; }`,
    )
    await ground.send({ to: email, message: plainMessage({ Subject: 'Your invoice' }) })
    await ground.send({ to: email, message: plainMessage({ Subject: 'news of today' }) })
    await ground.send({ to: email, message: plainMessage({ Subject: 'else' }) })
    const mails = await ground.mails(address)
    assert.deepEqual(
      mails.map(({ folders, keywords }) => [folders, keywords]),
      [
        [
          ['Inbox', 'Work/Invoices'],
          ['$flagged', 'paid'],
        ],
        [['News'], []],
        [['Inbox'], []],
      ],
    )
    await ground.check(address)
  })

  test('run in their order: of the account, of the address by position, of the client; stop ends the chain', async () => {
    const other = await startReceiving()
    try {
      const address = await other.address('order@ours.test')
      const tag = (name: string) => `require "imap4flags"; addflag "${name}"; keep;`
      await other.script(address, `${tag('client')}`, { origin: 'client' })
      await other.script(address, tag('second'), { position: 2 })
      await other.script(address, tag('first'), { position: 1 })
      await other.script(address, tag('all'), { isForAll: true, position: 9 })
      await other.send({ to: 'order@ours.test', message: plainMessage() })
      await other.script(address, 'require "fileinto"; if header "subject" "halt" { fileinto "Halted"; stop; }', {
        isForAll: true,
        position: 0,
      })
      await other.send({ to: 'order@ours.test', message: plainMessage({ Subject: 'halt' }) })
      const [one, two] = await other.mails(address)
      assert.deepEqual(one?.keywords, ['all', 'client', 'first', 'second'])
      assert.deepEqual([two?.folders, two?.keywords], [['Halted'], []])
    } finally {
      await other.close()
    }
  })

  test('that discard leave nothing, and the sender gets an acceptance', async () => {
    const { email, address } = await person('discard;')
    assert.equal((await ground.send({ to: email, message: plainMessage() })).code, 250)
    assert.deepEqual(await ground.mails(address), [])
    assert.deepEqual(await ground.activity(address), [{ type: 'received', result: 'discarded' }])
  })

  test('that reject do so while the sender waits; with other recipients who take it, silently', async () => {
    const { email, address } = await person('require "reject"; reject "I do not want\r\n250 this";')
    const glad = await person()
    const answer = await ground.send({ to: email, message: plainMessage() })
    assert.match(answer.text, /^550-5\.7\.1 I do not want\n550 5\.7\.1 250 this$/)
    assert.equal((await ground.send({ to: [email, glad.email], message: plainMessage() })).code, 250)
    assert.deepEqual(await ground.mails(address), [])
    assert.equal((await ground.mails(glad.address)).length, 1)
    assert.deepEqual(await ground.queued(), [])
    assert.deepEqual(
      (await ground.activity(address)).map(({ type }) => type),
      ['rejected', 'rejected'],
    )
  })

  test('that fail keep the message and say so, and later ones do not run', async () => {
    const { email, address } = await person('require "no-such-thing"; keep;', 'discard;')
    assert.equal((await ground.send({ to: email, message: plainMessage() })).code, 250)
    const second = await person('require "reject"; require "ihave"; error "on purpose";', 'discard;')
    assert.equal((await ground.send({ to: second.email, message: plainMessage() })).code, 250)
    for (const each of [address, second.address]) {
      assert.deepEqual(
        (await ground.mails(each)).map(({ folders }) => folders),
        [['Inbox']],
      )
      assert.deepEqual((await ground.activity(each)).map(({ type }) => type).sort(), ['filter_error', 'received'])
    }
  })

  test('that name no folder keep the message in the inbox and say so', async () => {
    const { email, address } = await person('require "fileinto"; fileinto "a//b";')
    assert.equal((await ground.send({ to: email, message: plainMessage() })).code, 250)
    assert.deepEqual(
      (await ground.mails(address)).map(({ folders }) => folders),
      [['Inbox']],
    )
    assert.ok((await ground.activity(address)).some(({ type }) => type === 'filter_error'))
    await ground.check(address)
  })

  test('see the envelope, our own fields, the parts and the spam score', async () => {
    const { email, address } = await person(
      `require ["fileinto", "envelope", "subaddress", "body", "spamtest", "relational", "comparator-i;ascii-numeric"];
       if allof (envelope :detail "to" "tag", envelope "from" "ann@example.org",
                 header :contains "authentication-results" "spf=none",
                 body :text :contains "in the second part",
                 body :content "multipart" :contains "before all parts",
                 header :contains "subject" "Grüße",
                 spamtest :value "ge" :comparator "i;ascii-numeric" "0") { fileinto "Seen"; }`,
    )
    const text =
      'before all parts\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>first</p>\r\n--b\r\n' +
      'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      `${Buffer.from('in the second part').toString('base64')}\r\n--b--\r\nafter\r\n`
    const message = plainMessage(
      { Subject: '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Content-Type': 'multipart/mixed; boundary=b', 'MIME-Version': '1.0' },
      text,
    )
    await ground.send({ to: email.replace('@', '+tag@'), message })
    assert.deepEqual(
      (await ground.mails(address)).map(({ folders }) => folders),
      [['Seen']],
    )
  })

  test('recognize duplicates once a message is delivered', async () => {
    const { email, address } = await person('require "duplicate"; if duplicate { discard; }')
    const message = plainMessage({ 'Message-ID': '<same@example.org>' })
    await ground.send({ to: email, message })
    await ground.send({ to: email, message: plainMessage({ 'Message-ID': '<same@example.org>' }) })
    assert.equal((await ground.mails(address)).length, 1)
  })

  test('that failed have seen nothing: the next copy is no duplicate (RFC 7352 §3)', async () => {
    const { email, address } = await person(
      `require ["duplicate", "reject"];
       if duplicate { discard; } elsif header "subject" "wrong" { reject "no"; keep; }`,
    )
    for (const Subject of ['wrong', 'right', 'again'])
      await ground.send({ to: email, message: plainMessage({ 'Message-ID': '<failed@example.org>', Subject }) })
    assert.deepEqual(
      (await ground.mails(address)).map(({ folders }) => folders),
      [['Inbox'], ['Inbox']],
    )
  })
})

describe('edited messages', () => {
  test('are stored as they were edited', async () => {
    const { email, address } = await person(
      `require ["editheader", "fileinto"];
       addheader "X-Filtered" "yes, für mich";
       deleteheader "x-secret";
       fileinto "Edited";`,
    )
    await ground.send({ to: email, message: plainMessage({ 'X-Secret': 'a', 'X-Other': 'b' }) })
    const [mail] = await ground.mails(address)
    assert.equal(mail?.prefix, '')
    assert.match(mail?.text ?? '', /^X-Filtered: =\?utf-8\?B\?/)
    assert.doesNotMatch(mail?.text ?? '', /X-Secret/)
    assert.match(mail?.text ?? '', /\r\nX-Other: b\r\n\r\nHello Bob,/)
    await ground.check(address)
  })

  test('can have a part replaced, or be enclosed', async () => {
    const { email, address } = await person(
      `require ["foreverypart", "mime", "replace", "fileinto"];
       foreverypart { if header :mime :type "Content-Type" "image" { replace "an image was here"; } }
       fileinto "Replaced";`,
    )
    const parts =
      '--b\r\nContent-Type: text/plain\r\n\r\ntext\r\n--b\r\nContent-Type: image/png\r\n\r\nPNG\r\n--b--\r\n'
    await ground.send({
      to: email,
      message: plainMessage({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' }, parts),
    })
    const [mail] = await ground.mails(address)
    const { root } = parseMessage(Buffer.from(mail?.text ?? ''))
    assert.deepEqual(
      root.children.map(({ type }) => type),
      ['text/plain', 'text/plain'],
    )
    assert.match(mail?.text ?? '', /\r\n\r\nan image was here\r\n/)
    const other = await person(
      'require ["enclose", "fileinto"]; enclose :subject "Careful" "This is suspicious."; fileinto "Enclosed";',
    )
    await ground.send({ to: other.email, message: plainMessage({ Subject: 'Win' }) })
    const [enclosed] = await ground.mails(other.address)
    const outer = parseMessage(Buffer.from(enclosed?.text ?? '')).root
    assert.equal(enclosed?.subject, 'Careful')
    assert.deepEqual(
      outer.children.map(({ type }) => type),
      ['text/plain', 'message/rfc822'],
    )
    assert.match(enclosed?.text ?? '', /Subject: Win\r\n/)
  })
})
