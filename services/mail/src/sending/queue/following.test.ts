import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startFakeSmtp } from '@stoa/tests/lib/fake-smtp.ts'
import { loseNotifications } from '@stoa/tests/lib/lose-notifications.ts'
import type { Route } from '../../hosting/addresses/routing.ts'
import { openGround, type QueueGround } from './testing/ground.ts'

let ground: QueueGround
before(async () => {
  ground = await openGround()
})
after(() => ground.close())

test('mail for a domain that became ours while notifications were lost is delivered here', async (t) => {
  const smtp = await startFakeSmtp({ tls: 'none' })
  t.after(() => smtp.close())
  ground.route('moved.test', [{ host: 'in.moved.test', address: smtp.host }])
  let route: Route = { kind: 'foreign' }
  let lookups = 0
  const queue = await ground.start(smtp.port, {
    resolveRecipient: async () => {
      lookups += 1
      return route
    },
  })
  await ground.settled(await ground.send('x@moved.test'), 'delivered')
  await ground.settled(await ground.send('x@moved.test'), 'delivered')
  assert.deepEqual([smtp.messages.length, lookups], [2, 1], 'it is remembered that the domain is not ours')
  // Another process added it, and nobody here was told.
  route = { kind: 'unknown', domain: null }
  await loseNotifications(ground.database)
  await ground.until('the loss', () => !queue.bus.connected)
  await ground.until('the reconnect', () => queue.bus.connected)
  const [row] = await ground.settled(await ground.send('x@moved.test'), 'delivered', 'bounced')
  assert.deepEqual([row?.state, row?.last_status, smtp.messages.length], ['bounced', '5.1.1', 2])
  await queue.stop()
})
