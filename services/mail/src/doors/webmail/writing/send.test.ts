import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMail } from '@stoa/tests/lib/mail.ts'
import { plantOwner, refused, stateOf } from '../testing/owner.ts'

test('mail goes only to addresses that everybody reads the same way, and so do the answers to it', async () => {
  const mail = await startMail()
  try {
    const ada = await plantOwner(mail, 'ada@strict.test')
    const to = ['you@elsewhere.org']
    const before = await stateOf(mail, ada)
    for (const email of [
      '"a@evil.org"@elsewhere.org',
      '"a b"@elsewhere.org',
      'a..b@elsewhere.org',
      '.a@elsewhere.org',
      'a@[127.0.0.1]',
      'a@elsewhere.org (b)',
      'half',
      `${'a'.repeat(65)}@elsewhere.org`,
    ]) {
      refused(await ada.post('send', { to: [email] }), 400, 'validation_error', /`to\.0`/)
      refused(await ada.post('send', { to, bcc: ['b@elsewhere.org', { email }] }), 400, 'validation_error', /`bcc\.1`/)
      refused(await ada.post('send', { to, reply_to: [email] }), 400, 'validation_error', /`reply_to\.0`/)
      assert.equal((await ada.post('drafts', { to: [email], reply_to: [email] })).status, 201)
    }
    const queue = (state: unknown) => JSON.stringify(state).match(/"queue","hash":"\d+"/)?.[0]
    assert.equal(queue(await stateOf(mail, ada)), queue(before))
    const good = ['a+b@elsewhere.org', 'jürgen@elsewhere.org', '用户@例え.example', "o'neil@ELSEWHERE.org"]
    assert.equal((await ada.post('send', { to: good, reply_to: good })).status, 200)
  } finally {
    await mail.close()
  }
})
