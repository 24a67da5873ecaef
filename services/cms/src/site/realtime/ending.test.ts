import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, PASSWORD, type Person, startCms } from '@stoa/tests/lib/cms.ts'
import { type Site, startSite } from '../../content/entries/testing/site.ts'
import { deliveryKeyFor } from '../../people/delivery-keys/testing/keys.ts'
import { connect, deliveryTicket, type TestSocket, ticketFor } from './testing/sockets.ts'

let site: Site
/** Another process of the same site, which gets no notifications from this one: it has to poll. */
let deaf: CmsService
let owner: Person
before(async () => {
  site = await startSite()
  deaf = await startCms({ databaseUrl: site.databaseUrl, clock: site.clock, realtime: { secondMs: 50 } })
  await deaf.cms.services.bus.close()
  await site.addType('note', [{ key: 'text', type: 'text' }])
  owner = await site.person('owner')
})
after(async () => {
  await deaf.close()
  await site.close()
})

/** A socket of this session at the process that changes things, and one at the process that receives no notifications. */
const both = async (token: string): Promise<TestSocket[]> => {
  const client = site.client({ token })
  const sockets = [await connect(site, await ticketFor(client)), await connect(deaf, await ticketFor(client))]
  for (const socket of sockets) await socket.listen('site')
  return sockets
}
const closedWith = async (sockets: TestSocket[], code: number): Promise<void> => {
  for (const socket of sockets) assert.equal((await socket.closed()).code, code)
}
const openStill = async (sockets: TestSocket[]): Promise<void> => {
  for (const socket of sockets) {
    await socket.silent()
    await socket.close()
  }
}

describe('C12, C13: a socket ends with what it was opened for, whichever process it is at', () => {
  test('signing out', async () => {
    const person = await site.person('editor')
    const other = await site.openSession(person.id)
    const [ending, staying] = [await both(person.token), await both(other.token)]
    assert.equal((await person.client.post('/api/auth/logout')).status, 204)
    await closedWith(ending, 4401)
    await openStill(staying)
  })

  test('ending a session from the list', async () => {
    const person = await site.person('editor')
    const other = await site.openSession(person.id)
    const ending = await both(other.token)
    assert.equal((await person.client.delete(`/api/auth/sessions/${other.id}`)).status, 204)
    await closedWith(ending, 4401)
  })

  test('a sign-in that takes the place of the session of this browser', async () => {
    const person = await site.person('editor')
    const ending = await both(person.token)
    const browser = site.client({ cookie: person.token })
    const answer = await browser.post(
      '/api/auth/login',
      { email: person.email, password: PASSWORD },
      { origin: 'http://cms.test', 'sec-fetch-site': 'same-origin' },
    )
    assert.equal(answer.status, 200, answer.text)
    await closedWith(ending, 4401)
  })

  test('another password: all sessions but the one that asked', async () => {
    const person = await site.person('editor')
    const other = await site.openSession(person.id)
    const [staying, ending] = [await both(person.token), await both(other.token)]
    const passwords = { currentPassword: PASSWORD, newPassword: 'eight herons over the weir' }
    const answer = await person.client.post('/api/auth/password', passwords)
    assert.ok(answer.status < 300, answer.text)
    await closedWith(ending, 4401)
    await openStill(staying)
  })

  test('a lower role', async () => {
    const person = await site.person('editor')
    const ending = await both(person.token)
    assert.equal((await owner.client.put(`/api/users/${person.id}`, { role: 'viewer' })).status, 200)
    await closedWith(ending, 4401)
  })

  test('the end of an account', async () => {
    const person = await site.person('editor')
    const ending = await both(person.token)
    assert.equal((await owner.client.delete(`/api/users/${person.id}`)).status, 204)
    await closedWith(ending, 4401)
  })

  test('the end of a delivery key', async () => {
    const { id, key } = await deliveryKeyFor(owner)
    const ending = [
      await connect(site, await deliveryTicket(site, key)),
      await connect(deaf, await deliveryTicket(site, key)),
    ]
    assert.equal((await owner.client.delete(`/api/delivery-keys/${id}`)).status, 204)
    await closedWith(ending, 4401)
  })

  test('a delivery key that is not for the topic any more', async () => {
    const { id, key } = await deliveryKeyFor(owner, ['article', 'note'])
    const at = async (service: CmsService, topics: string[]) => {
      const socket = await connect(service, await deliveryTicket(site, key))
      for (const topic of topics) await socket.listen(topic)
      return socket
    }
    const ending = [await at(site, ['site', 'content:note']), await at(deaf, ['content:note'])]
    const staying = [await at(site, ['site', 'content:article']), await at(deaf, ['site'])]
    assert.equal((await owner.client.put(`/api/delivery-keys/${id}`, { types: ['article'] })).status, 200)
    await closedWith(ending, 4403)
    await openStill(staying)
  })

  test('a session that expires', async () => {
    const person = await site.person('editor')
    const at = await connect(deaf, await ticketFor(person.client))
    const before = site.clock.now()
    site.clock.advance(8 * 86_400_000)
    assert.equal((await at.closed()).code, 4401)
    site.clock.set(before)
  })

  test('a session whose row is gone', async () => {
    const person = await site.person('editor')
    const at = await connect(deaf, await ticketFor(person.client))
    await site.cms.database.tx((tx) => tx.deleteFrom('session').where('id', '=', person.sessionId).execute())
    assert.equal((await at.closed()).code, 4401)
  })
})

describe('rights at the moment of the event', () => {
  test('a holder that lost the right receives nothing, not even what follows at once in the same process', async () => {
    const { id, key } = await deliveryKeyFor(owner, ['article', 'note'])
    const socket = await connect(site, await deliveryTicket(site, key))
    await socket.listen('site')
    const entry = await site.add(site.editor.client, { title: 'After the fact', data: { summary: 's' } })
    await owner.client.put(`/api/delivery-keys/${id}`, { types: ['note'] })
    await site.publish(site.editor.client, entry.id)
    await socket.silent()
    await owner.client.put(`/api/delivery-keys/${id}`, { types: ['*'] })
    await site.editor.client.post(`/api/entries/${entry.id}/status`, { action: 'unpublish' })
    assert.equal((await socket.next()).event, 'entry.unpublished')
    await socket.close()
  })

  test('looking after all sockets takes one statement, and an event none', async () => {
    const sockets: TestSocket[] = []
    const people = [await site.person('viewer'), await site.person('viewer')]
    for (const person of people)
      for (let count = 0; count < 3; count += 1) sockets.push(await connect(site, await ticketFor(person.client)))
    for (const socket of sockets) await socket.listen('site')
    const watch = site.cms.database.watchStatements()
    await site.cms.database.tx(async (tx) => {
      const data = { id: 'x', slug: 's', type: 'article', isPublic: true }
      tx.changes.push({ topic: 'entry', event: 'entry.published', data })
    })
    for (const socket of sockets) assert.equal((await socket.next()).event, 'entry.published')
    assert.deepEqual(
      watch.texts.filter(
        // The use of a key is written down once a second, beside whatever else happens.
        (text) =>
          !/pg_notify|^begin|^commit|"last_used_at" = /i.test(text) && !text.includes('session s join account a'),
      ),
      [],
    )
    const sweeps = watch.texts.filter((text) => text.includes('session s join account a'))
    assert.ok(sweeps.length <= 1, `${sweeps.length}`)
    watch.stop()
    for (const socket of sockets) await socket.close()
  })
})
