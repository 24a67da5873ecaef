import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '@stoa/kit/db/database.ts'
import type { Digest } from '@stoa/mail-model/digest.ts'
import { updateDigest } from '../../hosting/addresses/queries.ts'
import type { PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import type { Tables } from '../../tables.ts'
import { plainMessage, type ReceiveGround, startReceiving } from '../receive/testing/ground.ts'
import { type DigestParts, sendDigests } from './digest.ts'

const DAY_MS = 86_400_000
const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'
const config = { hostname: 'mx.test', systemFrom: 'postmaster@mx.test', publicUrl: 'https://mail.test' }

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

const parts = (database = ground.database): DigestParts => ({ ...ground.parts, config, database })
let boxes = 0
const newBox = async (digest: Digest): Promise<PlantedAddress> => {
  const box = await ground.address(`bob@digest-${++boxes}.test`)
  await ground.database.tx((tx) => updateDigest(tx, { addressId: box.id, digest, now: ground.clock.now() }))
  return box
}
const junk = async (box: PlantedAddress, subject: string) => {
  const message = plainMessage({ Subject: subject, From: 'Eve <eve@spam.example>' }, `${GTUBE}\r\n`)
  assert.equal((await ground.send({ to: box.email, message })).code, 250)
}
const digestsTo = async (box: PlantedAddress) =>
  (await ground.queued()).filter(({ source, recipients }) => source === 'system' && recipients.includes(box.email))

describe('the junk digest', () => {
  test('lists what was put in Junk since the last one, with links, once over several processes', async () => {
    const box = await newBox('daily')
    await junk(box, 'Cheap watches')
    await junk(box, 'Win \u202ea prize')
    await ground.send({ to: box.email, message: plainMessage({ Subject: 'Lunch' }) })
    await sendDigests(parts())
    assert.deepEqual(await digestsTo(box), [])
    ground.clock.advance(DAY_MS)
    const other = openDatabase<Tables>({ url: ground.databaseUrl, poolSize: 2, log: ground.parts.log })
    try {
      await Promise.all([parts(), parts(other), parts(), parts(other)].map(sendDigests))
    } finally {
      await other.close()
    }
    const [mail, ...more] = await digestsTo(box)
    assert.equal(more.length, 0)
    assert.match(mail?.text ?? '', /^Subject: 2 new messages in Junk\r$/m)
    assert.match(mail?.text ?? '', /^Auto-Submitted: auto-generated\r$/m)
    for (const { id, subject } of await ground.mails(box))
      assert.equal(mail?.text.includes(`https://mail.test/webmail/junk/${id}`), subject !== 'Lunch', subject ?? '')
    assert.match(mail?.text ?? '', /Cheap watches[\s\S]*eve@spam\.example, 1 March 2026/)
    assert.doesNotMatch(mail?.text ?? '', /\u202e|Lunch/)
    await junk(box, 'Another day')
    ground.clock.advance(DAY_MS)
    await sendDigests(parts())
    const second = (await digestsTo(box)).at(-1)?.text ?? ''
    assert.match(second, /^Subject: 1 new message in Junk\r$/m)
    assert.doesNotMatch(second, /Cheap watches/)
  })

  test('is not sent when there is nothing new or all was opened, and once a week for those who want it so', async () => {
    const [quiet, weekly] = [await newBox('daily'), await newBox('weekly')]
    await junk(quiet, 'Opened')
    await ground.database.pool.query(`update message set keywords = '{$junk,$seen}' where address_id = $1`, [quiet.id])
    await junk(weekly, 'Weekly')
    ground.clock.advance(DAY_MS)
    await sendDigests(parts())
    assert.deepEqual([await digestsTo(quiet), await digestsTo(weekly)], [[], []])
    ground.clock.advance(6 * DAY_MS)
    await sendDigests(parts())
    assert.deepEqual([(await digestsTo(quiet)).length, (await digestsTo(weekly)).length], [0, 1])
  })

  test('stops with the mailbox, and with a suspended account, and is off unless asked for', async () => {
    const [off, disabled, suspended] = [await newBox('off'), await newBox('daily'), await newBox('daily')]
    for (const box of [off, disabled, suspended]) await junk(box, 'Spam')
    const run = (text: string, id: string) => ground.database.pool.query(text, [id])
    await run('update address set enabled = false where id = $1', disabled.id)
    ground.clock.advance(DAY_MS)
    await run('update account set suspended_at = now() where id = $1', suspended.accountId)
    await sendDigests(parts())
    await run('update account set suspended_at = null where id = $1', suspended.accountId)
    for (const box of [off, disabled, suspended]) assert.deepEqual(await digestsTo(box), [], box.email)
    await sendDigests(parts())
    assert.equal((await digestsTo(suspended)).length, 1)
  })
})
