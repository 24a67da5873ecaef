import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { describe, test } from 'node:test'
import { drained } from './drained.ts'

describe('waiting for a peer to read', () => {
  test('leaves no listener behind, however often it waits', async () => {
    const socket = new Socket()
    for (let n = 0; n < 20; n += 1) {
      const waiting = drained(socket, 60_000)
      socket.emit('drain')
      await waiting
    }
    for (const event of ['drain', 'close', 'error']) assert.equal(socket.listenerCount(event), 0, event)
  })

  test('ends when the peer goes, and fails when it takes too long', async () => {
    const socket = new Socket()
    await assert.rejects(drained(socket, 5))
    const waiting = drained(socket, 60_000)
    socket.destroy()
    await waiting
    assert.equal(socket.listenerCount('drain'), 0)
  })
})
