import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { txt } from '../../formats/authenticity/testing/zone.ts'
import { srsReverse } from '../../formats/bounces/srs.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

const queuedSince = async (before: number) => (await ground.queued()).slice(before)
const waiting = async () => (await ground.queued()).length

describe('forwards', () => {
  test('leave with a sender that leads back, and a copy stays when the owner wants one', async () => {
    const kept = await ground.address('kept@ours.test', { forwardTo: ['me@elsewhere.org'], keepCopy: true })
    const gone = await ground.address('gone@ours.test', { forwardTo: ['me@elsewhere.org'], keepCopy: false })
    const before = await waiting()
    await ground.send({ to: ['kept@ours.test', 'gone@ours.test'], message: plainMessage() })
    const sent = await queuedSince(before)
    assert.equal(sent.length, 2)
    assert.equal((await ground.mails(kept)).length, 1)
    assert.equal((await ground.mails(gone)).length, 0)
    const [first] = sent
    const [, localPart = ''] = /^(.*)@mx\.stoa\.test$/.exec(first?.returnPath ?? '') ?? []
    assert.equal(srsReverse(localPart, ground.parts.config.secret, ground.clock.now()), 'ann@example.org')
    assert.deepEqual([first?.source, first?.recipients], ['forward', ['me@elsewhere.org']])
    assert.match(first?.text ?? '', /^Authentication-Results: mx\.stoa\.test;/)
    assert.match(first?.text ?? '', /Delivered-To: kept@ours\.test\r\n/)
  })

  test('of mail that was here before do not leave again: it is kept', async () => {
    const looping = await ground.address('loop@ours.test', { forwardTo: ['back@elsewhere.org'], keepCopy: false })
    const before = await waiting()
    const message = `Delivered-To: loop@ours.test\r\n${plainMessage()}`
    assert.equal((await ground.send({ to: 'loop@ours.test', message })).code, 250)
    assert.equal(await waiting(), before)
    assert.equal((await ground.mails(looping)).length, 1)
  })

  test('of spam do not leave: it is in Junk', async () => {
    ground.zone['TXT _dmarc.doubtful.org'] = txt('v=DMARC1; p=quarantine')
    const address = await ground.address('spam@ours.test', { forwardTo: ['me@elsewhere.org'], keepCopy: false })
    await ground.script(address, 'redirect "other@elsewhere.org";')
    const before = await waiting()
    await ground.send({ to: 'spam@ours.test', message: plainMessage({ From: 'boss@doubtful.org' }) })
    assert.equal(await waiting(), before)
    assert.deepEqual(
      (await ground.mails(address)).map(({ folders }) => folders),
      [['Junk']],
    )
  })

  test('are bounced to the sender of the message when they fail', async () => {
    await ground.address('returned@ours.test', { forwardTo: ['nobody@elsewhere.org'] })
    const before = await waiting()
    await ground.send({ to: 'returned@ours.test', message: plainMessage() })
    const [sent] = await queuedSince(before)
    const back = { to: sent?.returnPath ?? '', message: plainMessage({ From: 'mailer-daemon@elsewhere.org' }) }
    assert.equal((await ground.send({ from: '', ...back })).code, 250)
    const [, returned] = await queuedSince(before)
    assert.deepEqual([returned?.returnPath, returned?.recipients], ['', ['ann@example.org']])
    // Only reports go that way.
    assert.match((await ground.send({ from: 'spammer@example.org', ...back })).text, /^550 5\.1\.1 /)
    const forged = back.to.replace(/=example\.org=/, '=victim.org=')
    assert.match((await ground.send({ from: '', to: forged, message: plainMessage() })).text, /^550 5\.1\.1 /)
  })
})

describe('redirects of filters', () => {
  test('are marked, at most four, and count as mail of the account', async () => {
    const address = await ground.address('redirect@ours.test')
    await ground.script(address, 'redirect "a@elsewhere.org"; redirect "b@elsewhere.org";')
    const before = await waiting()
    await ground.send({ to: 'redirect@ours.test', message: plainMessage() })
    const sent = await queuedSince(before)
    assert.deepEqual(
      sent.map(({ recipients }) => recipients),
      [['a@elsewhere.org'], ['b@elsewhere.org']],
    )
    assert.match(sent[0]?.text ?? '', /X-Sieve-Redirected-From: redirect@ours\.test\r\n/)
    assert.deepEqual(await ground.mails(address), [])
    const [volume] = await ground.database.db.query<{ recipients: number }>({
      text: 'select recipients from sending_day where account_id = $1',
      values: [ground.accountId],
    })
    assert.ok((volume?.recipients ?? 0) >= 2)
    const marked = `X-Sieve-Redirected-From: redirect@ours.test\r\n${plainMessage()}`
    await ground.send({ to: 'redirect@ours.test', message: marked })
    assert.equal((await queuedSince(before)).length, 2)
    assert.equal((await ground.mails(address)).length, 1)
  })

  test('of an account that has sent enough keep the message', async () => {
    const other = await startReceiving()
    try {
      const address = await other.address('limit@ours.test')
      await other.database.pool.query(`update account set plan = 'free' where id = $1`, [other.accountId])
      await other.database.pool.query(`insert into sending_day values ($1, '2026-03-01', 100)`, [other.accountId])
      await other.script(address, 'redirect "a@elsewhere.org";')
      assert.equal((await other.send({ to: 'limit@ours.test', message: plainMessage() })).code, 250)
      assert.deepEqual(await other.queued(), [])
      assert.deepEqual(
        (await other.mails(address)).map(({ folders }) => folders),
        [['Inbox']],
      )
      assert.ok((await other.activity(address)).some(({ type }) => type === 'filter_error'))
    } finally {
      await other.close()
    }
  })
})

describe('vacation', () => {
  const script = 'require "vacation"; vacation :days 3 :subject "Away" "Back on Monday, grüß Gott.";'
  const to = (email: string) => plainMessage({ To: email })

  test('answers a person once in its interval', async () => {
    const address = await ground.address('away@ours.test')
    await ground.script(address, script)
    const before = await waiting()
    await ground.send({ to: 'away@ours.test', message: to('away@ours.test') })
    await ground.send({ to: 'away@ours.test', message: to('away@ours.test') })
    await ground.send({ from: 'eve@example.org', to: 'away@ours.test', message: to('away@ours.test') })
    const answers = await queuedSince(before)
    assert.deepEqual(
      answers.map(({ recipients }) => recipients),
      [['ann@example.org'], ['eve@example.org']],
    )
    const [answer] = answers
    assert.equal(answer?.returnPath, '')
    assert.match(answer?.text ?? '', /^From: <away@ours\.test>\r\nTo: <ann@example\.org>\r\nSubject: Away\r\n/)
    assert.match(answer?.text ?? '', /\r\nAuto-Submitted: auto-replied/)
    assert.match(answer?.text ?? '', /\r\nIn-Reply-To: <m\d+@example\.org>\r\n/)
    ground.clock.advance(3 * 86_400_000 + 1_000)
    await ground.send({ to: 'away@ours.test', message: to('away@ours.test') })
    assert.equal((await queuedSince(before)).length, 3)
    assert.equal((await ground.mails(address)).length, 4)
  })

  test('answers no list, no machine, no null sender and nobody who wrote to somebody else', async () => {
    const address = await ground.address('quiet@ours.test')
    await ground.script(address, script)
    const before = await waiting()
    const own = { To: 'quiet@ours.test' }
    await ground.send({ from: '', to: 'quiet@ours.test', message: plainMessage(own) })
    await ground.send({ to: 'quiet@ours.test', message: plainMessage({ ...own, 'List-Id': '<l.example.org>' }) })
    await ground.send({ to: 'quiet@ours.test', message: plainMessage({ ...own, Precedence: 'bulk' }) })
    await ground.send({ to: 'quiet@ours.test', message: plainMessage({ ...own, 'Auto-Submitted': 'auto-replied' }) })
    await ground.send({ to: 'quiet@ours.test', message: plainMessage({ To: 'somebody@else.org' }) })
    await ground.send({ from: 'quiet@ours.test', to: 'quiet@ours.test', message: plainMessage(own) })
    assert.equal(await waiting(), before)
    assert.equal((await ground.mails(address)).length, 6)
  })

  test('does not write under addresses of others, and keeps its text out of the header', async () => {
    const address = await ground.address('sly@ours.test')
    await ground.script(
      address,
      `require "vacation"; vacation :mime :from "boss@ours.test" "Content-Type: text/html
Bcc: victim@example.org
From: boss@ours.test

<p>Away</p>";`,
    )
    const before = await waiting()
    await ground.send({ to: 'sly@ours.test', message: to('sly@ours.test') })
    const [answer] = await queuedSince(before)
    const [header = ''] = (answer?.text ?? '').split('\r\n\r\n')
    assert.match(header, /^From: <sly@ours\.test>\r\n/)
    assert.match(header, /Content-Type: text\/html/)
    assert.doesNotMatch(header, /boss|victim/)
  })
})

describe('notify', () => {
  test('writes a short message to somebody, but not about a notification', async () => {
    const address = await ground.address('notify@ours.test')
    await ground.script(
      address,
      'require "enotify"; notify :importance "1" :message "New mail" "mailto:phone@elsewhere.org?subject=Mail";',
    )
    const before = await waiting()
    await ground.send({ to: 'notify@ours.test', message: plainMessage() })
    await ground.send({
      to: 'notify@ours.test',
      message: plainMessage({ 'Auto-Submitted': 'auto-notified; owner-email="x@y.org"' }),
    })
    const notices = await queuedSince(before)
    assert.deepEqual(
      notices.map(({ recipients, returnPath, source }) => [recipients, returnPath, source]),
      [[['phone@elsewhere.org'], 'notify@ours.test', 'sieve']],
    )
    assert.match(notices[0]?.text ?? '', /\r\nSubject: New mail\r\n/)
    assert.match(notices[0]?.text ?? '', /\r\nAuto-Submitted: auto-notified/)
    assert.equal((await ground.mails(address)).length, 2)
  })
})
