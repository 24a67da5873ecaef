import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { type MailService, startMail } from '@stoa/tests/lib/mail.ts'
import { plantDomain } from '../../hosting/addresses/testing/hosting.ts'
import { insertReport } from './queries.ts'

let mail: MailService
before(async () => {
  mail = await startMail()
})
after(() => mail.close())

test('reports about a domain are read by its owner, by type and page', async () => {
  const own = await mail.signUp()
  const { id: domainId, name } = await plantDomain(mail.database, { accountId: own.id, name: 'reported-here.com' })
  for (let day = 1; day <= 12; day += 1) {
    const begin = new Date(Date.UTC(2026, 1, day))
    const type = day % 3 === 0 ? 'tls' : 'dmarc'
    const report = {
      type,
      org: `org-${day}.com`,
      reportId: `r${day}`,
      domain: name,
      begin,
      end: begin,
      pass: day,
      fail: 1,
      rows: [{ day }],
    } as const
    await mail.database.tx((tx) => insertReport(tx, { ...report, id: newId(), domainId, createdAt: begin }))
  }
  const path = `/api/domains/${domainId}/reports`
  const all = (await own.client.get(path)).body
  assert.deepEqual([all.object, all.total, all.pages, all.data.length], ['list', 12, 2, 10])
  assert.deepEqual(Object.keys(all.data[0]), ['object', 'id', 'type', 'org', 'begin', 'end', 'pass', 'fail', 'rows'])
  assert.deepEqual([all.data[0].org, all.data[0].rows], ['org-12.com', [{ day: 12 }]])
  const tls = (await own.client.get(`${path}?type=tls&sort=begin&direction=asc`)).body
  assert.deepEqual(
    tls.data.map(({ pass }: { pass: number }) => pass),
    [3, 6, 9, 12],
  )
  assert.equal((await own.client.get(`${path}?search=ORG-11`)).body.total, 1)
  assert.equal((await own.client.get(`${path}?type=other`)).body.name, 'invalid_parameter')
  const other = await mail.signUp()
  assert.equal((await other.client.get(path)).status, 404)
})
