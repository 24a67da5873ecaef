import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

let people = 0

/** What a mailbox with this script sends when a message comes, and the mailbox. */
const sentBy = async (source: string, fields: Record<string, string> = {}, from = 'ann@example.org') => {
  people += 1
  const email = `n${people}@ours.test`
  const address = await ground.address(email)
  await ground.script(address, source.replaceAll('ME', email))
  const before = (await ground.queued()).length
  await ground.send({ from, to: email, message: plainMessage({ To: email, ...fields }) })
  const sent = (await ground.queued()).slice(before)
  return { sent, text: sent[0]?.text ?? '', email, address }
}

describe('a notification (RFC 5436)', () => {
  const notify = (method: string, tags = '') => `require ["enotify", "fcc", "imap4flags"]; notify ${tags} "${method}";`

  test('goes to everybody in the path, in to and in cc, each once', async () => {
    const { sent, text } = await sentBy(
      notify('mailto:a@x.org%2cb@x.org?to=c@x.org&cc=A@X.org,d@x.org&subject=New%20mail&x-tag=one'),
    )
    assert.deepEqual(
      sent.map(({ recipients }) => [...recipients].sort()),
      [['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org']],
    )
    assert.match(text, /\r\nTo: <a@x\.org>,\r\n <b@x\.org>,\r\n <c@x\.org>\r\nCc: <d@x\.org>\r\n/)
    assert.match(text, /\r\nSubject: New mail\r\n/)
    assert.match(text, /\r\nX-tag: one\r\n/)
  })

  test('takes no field from the URI that is its own', async () => {
    const { sent, text, email } = await sentBy(
      notify('mailto:a@x.org?from=boss@x.org&bcc=b@x.org&auto-submitted=no&received=x&date=y&message-id=z'),
    )
    assert.deepEqual(sent[0]?.recipients, ['a@x.org'])
    assert.doesNotMatch(text, /boss|b@x\.org|Auto-submitted: no|Received: x|Date: y|Message-id: z/i)
    assert.ok(text.startsWith(`From: <${email}>\r\n`))
    assert.ok(text.includes(`\r\nAuto-Submitted: auto-notified; owner-email="${email}"\r\n`))
  })

  test('has the message as its subject, or that of the URI, or that of the mail; the body of the URI', async () => {
    const both = notify('mailto:a@x.org?subject=Uri&body=One%0D%0Atwo', ':message "Said"')
    assert.match((await sentBy(both)).text, /\r\nSubject: Said\r\n[\s\S]*\r\n\r\nOne\r\ntwo\r\n$/)
    assert.match((await sentBy(notify('mailto:a@x.org?subject=Uri'))).text, /\r\nSubject: Uri\r\n/)
    assert.match((await sentBy(notify('mailto:a@x.org'), { Subject: 'Came' })).text, /\r\nSubject: Came\r\n/)
  })

  test('is sent by :from or the owner, and by nobody when the mail came from nobody', async () => {
    const plain = await sentBy(notify('mailto:a@x.org'))
    assert.equal(plain.sent[0]?.returnPath, plain.email)
    const named = await sentBy(notify('mailto:a@x.org', ':from "Me Myself <ME>"'))
    assert.equal(named.sent[0]?.returnPath, named.email)
    assert.ok(named.text.startsWith(`From: Me Myself <${named.email}>\r\n`))
    assert.equal((await sentBy(notify('mailto:a@x.org'), {}, '')).sent[0]?.returnPath, '')
  })

  test('is not sent about what a machine sent', async () => {
    for (const value of ['auto-replied', 'auto-generated', 'auto-notify', 'no-idea', 'auto-notified; owner-token=x'])
      assert.deepEqual((await sentBy(notify('mailto:a@x.org'), { 'Auto-Submitted': value })).sent, [], value)
    for (const value of ['no', 'No (really)', 'no; x=y'])
      assert.equal((await sentBy(notify('mailto:a@x.org'), { 'Auto-Submitted': value })).sent.length, 1, value)
  })

  test('is kept with the flags that the script says (RFC 8580)', async () => {
    const { address } = await sentBy(notify('mailto:a@x.org', ':fcc "Copies" :flags ["\\\\Flagged", "note"]'))
    const copy = (await ground.mails(address)).find(({ folders }) => folders.includes('Copies'))
    assert.deepEqual(copy?.keywords, ['$flagged', 'note'])
  })
})

describe('a vacation reply (RFC 5230)', () => {
  test('keeps the name of :from, and ASCII as it is written', async () => {
    const { text, email } = await sentBy(
      'require "vacation"; vacation :from "\\"Bosch, Ann\\" <ME>" "I am gone\n.Really";',
    )
    assert.ok(text.startsWith(`From: "Bosch, Ann" <${email}>\r\n`), text)
    assert.match(text, /\r\nContent-Transfer-Encoding: 7bit\r\n\r\nI am gone\r\n\.Really\r\n$/)
  })
  test('is encoded where it is no ASCII, or has lines that no host takes', async () => {
    for (const reason of ['Grüße', 'x'.repeat(2_000)])
      assert.match((await sentBy(`require "vacation"; vacation "${reason}";`)).text, /Encoding: base64\r\n/)
    const { text, email } = await sentBy('require "vacation"; vacation :from "Jürgen <ME>" "x";')
    assert.ok(text.startsWith(`From: =?utf-8?B?${Buffer.from('Jürgen').toString('base64')}?= <${email}>\r\n`))
  })
  test('refers to all ids that the message refers to, none of them cut', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `<${String(index).repeat(60)}@x.org>`)
    const { text } = await sentBy('require "vacation"; vacation "x";', { References: ids.join('\r\n ') })
    const field = /\r\nReferences: ([\s\S]*?)\r\n(?! )/.exec(text)?.[1] ?? ''
    for (const id of ids) assert.ok(field.includes(id), field)
  })
})

describe('flags of one message in several folders (RFC 5232 §5)', () => {
  test('are those that the script gave in each of them', async () => {
    const { address } = await sentBy(
      `require ["fileinto", "imap4flags"];
       setflag ["$label1", "\\\\Answered"]; fileinto "A";
       setflag "$label2"; fileinto "B"; fileinto "B2";
       fileinto :flags ["\\\\Seen", "\\\\Flagged"] "C"; fileinto :flags "other" "C";`,
    )
    assert.deepEqual(
      (await ground.mails(address)).map(({ folders, keywords }) => [folders, keywords]),
      [
        [['A'], ['$answered', '$label1']],
        [['B', 'B2'], ['$label2']],
        [['C'], ['other']],
      ],
    )
    await ground.check(address)
  })
})

test('body of a message that is a header alone is false (RFC 5173 §4)', async () => {
  const address = await ground.address('bare@ours.test')
  await ground.script(address, 'require ["body", "fileinto"]; if body :raw :contains "" { fileinto "Body"; }')
  await ground.send({ to: 'bare@ours.test', message: 'From: ann@example.org\r\nSubject: bare\r\n' })
  await ground.send({ to: 'bare@ours.test', message: 'From: ann@example.org\r\nSubject: empty\r\n\r\n' })
  assert.deepEqual(
    (await ground.mails(address)).map(({ folders }) => folders),
    [['Inbox'], ['Body']],
  )
})

test('environment knows every item of RFC 5183 §4.1, and no other', async () => {
  const known = ['domain', 'host', 'location', 'name', 'phase', 'remote-host', 'remote-ip', 'version']
  const tests = [...known, 'moon'].map((name) => `if environment :contains "${name}" "" { addflag "${name}"; }`)
  const { address } = await sentBy(`require ["environment", "imap4flags"]; ${tests.join('\n')} keep;`)
  assert.deepEqual((await ground.mails(address))[0]?.keywords, known)
})
