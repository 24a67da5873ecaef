import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type MailClient, type MailService, PASSWORD, startMail } from '@stoa/tests/lib/mail.ts'
import { keepInstanceSettings } from '../../hosting/instance-settings/instance-settings.ts'

let mail: MailService
let owner: MailClient
before(async () => {
  mail = await startMail()
  owner = (await mail.signUp()).client
})
after(() => mail.close())

const DEFAULTS = {
  object: 'instance',
  signups: 'open',
  dnsbl: [],
  dnswl: [],
  domain_dnsbl: [],
  greylisting: false,
  greylisting_minutes: 5,
}

const patch = (client: MailClient, body: unknown) => client.send('PATCH', '/api/instance', { body })

describe('the settings of the instance', () => {
  test('begin as the environment says; the owner closes and opens sign-ups', async () => {
    assert.deepEqual((await owner.get('/api/instance')).body, DEFAULTS)
    const closed = await patch(owner, { signups: 'closed' })
    assert.deepEqual([closed.status, closed.body], [200, { ...DEFAULTS, signups: 'closed' }])
    assert.deepEqual((await owner.get('/api/instance')).body, closed.body)
    const refused = await mail.client().post('/api/auth/signup', { email: 'late@example.test', password: PASSWORD })
    assert.deepEqual([refused.status, refused.body.name], [403, 'forbidden'])
    assert.equal((await mail.client().get('/api/auth/signups')).body.reason, 'closed')
    assert.deepEqual((await patch(owner, {})).body, closed.body)
    assert.equal((await patch(owner, { signups: 'open' })).status, 200)
    assert.equal((await mail.client().get('/api/auth/signups')).body.open, true)
    await mail.signUp('late@example.test')
  })

  test('have DNS lists in one spelling and greylisting; what the owner did is written down', async () => {
    const change = {
      dnsbl: [' BL.example.org. ', 'bl2.example.org = 127.0.0.[2..11] * 3', 'bl3.example.org*reject'],
      dnswl: ['wl.example.org*1.5'],
      domain_dnsbl: ['dbl.example.org&0.0.0.4'],
      greylisting: true,
      greylisting_minutes: 10,
    }
    const saved = await patch(owner, change)
    const wanted = {
      ...DEFAULTS,
      ...change,
      dnsbl: ['bl.example.org', 'bl2.example.org=127.0.0.[2..11]*3', 'bl3.example.org*reject'],
    }
    assert.deepEqual([saved.status, saved.body], [200, wanted])
    assert.deepEqual((await patch(owner, { greylisting: false })).body, { ...wanted, greylisting: false })
    const [last, before] = (await owner.get('/api/instance/audit')).body.data
    assert.deepEqual([last.action, last.detail], ['instance.updated', { greylisting: false }])
    assert.deepEqual(before.detail.dnsbl, wanted.dnsbl)
    for (const wrong of [
      { dnsbl: 'bl.example.org' },
      { dnsbl: ['not a zone'] },
      { dnsbl: Array.from({ length: 11 }, (_, nth) => `l${nth}.example.org`) },
      { dnswl: ['wl.example.org*reject'] },
      { greylisting: 'on' },
      { greylisting_minutes: 0 },
      { greylisting_minutes: 61 },
    ]) {
      const answer = await patch(owner, wrong)
      assert.deepEqual([answer.status, answer.body.name], [400, 'validation_error'], JSON.stringify(wrong))
    }
    const { signups: _, object: __, ...settings } = DEFAULTS
    assert.deepEqual((await patch(owner, settings)).body, DEFAULTS)
  })

  test('are kept in memory by those who ask with every message, until they change', async () => {
    const kept = keepInstanceSettings(mail.database, mail.parts.bus)
    await mail.parts.bus.ready()
    assert.equal((await kept.current()).greylisting, false)
    const watch = mail.database.watchStatements()
    await kept.current()
    watch.stop()
    assert.deepEqual(
      watch.texts.filter((text) => text.includes('from instance_setting')),
      [],
    )
    await patch(owner, { greylisting: true })
    assert.equal((await kept.current()).greylisting, true)
    await patch(owner, { greylisting: false })
    kept.close()
  })

  test('are for the owner only, and take nothing else', async () => {
    const { client: member } = await mail.signUp()
    for (const answer of [await member.get('/api/instance'), await patch(member, { signups: 'closed' })])
      assert.deepEqual([answer.status, answer.body.name], [403, 'forbidden'])
    assert.equal((await mail.client().get('/api/instance')).status, 401)
    const wrong = await patch(owner, { signups: 'maybe' })
    assert.deepEqual([wrong.status, wrong.body.name], [400, 'validation_error'])
    assert.equal((await owner.get('/api/instance')).body.signups, 'open')
  })
})
