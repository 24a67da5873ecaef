import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMail } from '@stoa/tests/lib/mail.ts'
import { plantOwner, refused } from './testing/owner.ts'

test('a body that does not say which messages it is about lacks a member, whatever else is wrong with it', async () => {
  const mail = await startMail()
  try {
    const ada = await plantOwner(mail, 'ada@targets.test')
    for (const [what, body] of [
      ['flags', {}],
      ['flags', { add: ['seen'], remove: ['seen'] }],
      ['snooze', { until: '2020-01-01T00:00:00Z' }],
      ['delete', {}],
    ] as const)
      refused(await ada.post(`messages/${what}`, body), 422, 'missing_required_field', /`message_ids`/)
    const id = await ada.receive()
    refused(await ada.post('messages/flags', { message_ids: [id] }), 400, 'validation_error')
    assert.deepEqual((await ada.look(id))?.keywords, [])
  } finally {
    await mail.close()
  }
})
