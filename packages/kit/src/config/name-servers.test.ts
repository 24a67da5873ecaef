import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { describe, test } from 'node:test'
import { lookUpNameServers } from './name-servers.ts'

describe('name servers', () => {
  test('named by a host are used by its address, and addresses as they are', async () => {
    const servers = await lookUpNameServers(['10.0.0.1:53', '[::1]:5353', 'localhost:5300'])
    assert.deepEqual(servers.slice(0, 2), ['10.0.0.1:53', '[::1]:5353'])
    assert.match(servers[2] ?? '', /^(127\.0\.0\.1|\[::1\]):5300$/)
    new Resolver().setServers(servers)
  })

  test('without an address stop the start with what to do', async () => {
    await assert.rejects(lookUpNameServers(['nowhere.invalid:53']), {
      name: 'StartError',
      message: /nowhere\.invalid.*Enter/,
    })
  })
})
