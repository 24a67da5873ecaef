import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { createLogger } from '@stoa/kit/log.ts'
import { selfSignedCertificate } from '@stoa/tests/lib/certificate.ts'
import { until } from '@stoa/tests/lib/waiting.ts'
import { type DoorOptions, startDoor } from './listen.ts'

const pair = selfSignedCertificate(['localhost'])

/** A door that greets, begins TLS where it is not implicit, and waits for the end. */
const start = (options: Partial<DoorOptions>) =>
  startDoor(
    {
      host: '127.0.0.1',
      port: 0,
      certificate: { current: () => pair, onChange: () => undefined },
      isImplicit: true,
      trustedProxies: [],
      maxPerIp: 50,
      limitExempt: [],
      handshakeMs: 60_000,
      ...options,
    },
    {
      name: 'test',
      log: createLogger({ name: 'test', level: 'silent' }),
      tooManyFromYou: 'too many from you',
      tooMany: 'too many',
      async serve({ socket, startTls }, stopping) {
        socket.write('hello')
        const talking = (await startTls?.(socket).catch(() => null)) ?? socket
        if (talking.destroyed) return
        stopping.addEventListener('abort', () => talking.destroy())
        talking.resume().on('end', () => talking.destroy())
        await once(talking, 'close')
      },
    },
  )

const openSilent = async (port: number) => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined).resume()
  await once(socket, 'connect')
  return socket
}

/** What it is greeted with; null when it is cut before. */
const greetingOf = async (port: number, localAddress = '127.0.0.1'): Promise<string | null> => {
  const plain = connect({ port, host: '127.0.0.1', localAddress })
  const socket = connectTls({ socket: plain, rejectUnauthorized: false })
  const [greeting] = await once(socket, 'data').catch(() => [null])
  socket.destroy()
  return greeting && String(greeting)
}

describe('a TLS handshake that is not completed', () => {
  for (const isImplicit of [true, false]) {
    const when = isImplicit ? 'TLS from the start' : 'STARTTLS'

    test(`ends the connection after a while: ${when}`, async () => {
      const door = await start({ isImplicit, handshakeMs: 100 })
      const silent = await openSilent(door.port)
      await until(() => silent.closed, 'the silent client is let go')
      await until(() => door.connections() === 0, 'the door has forgotten it')
      await door.stop()
    })

    test(`does not delay a stop: ${when}`, async () => {
      const door = await start({ isImplicit })
      const silent = await openSilent(door.port)
      await until(() => door.connections() === 1, 'the client is let in')
      if (!isImplicit) await until(() => silent.bytesRead > 0, 'the client is greeted')
      const started = Date.now()
      await door.stop()
      assert.ok(Date.now() - started < 3_000)
    })
  }

  test('counts for the limit of an address, and keeps nobody else out', async () => {
    const door = await start({ maxPerIp: 2 })
    const silent = [await openSilent(door.port), await openSilent(door.port)]
    await until(() => door.connections() === 2, 'both are let in')
    const third = await openSilent(door.port)
    await until(() => third.closed, 'a third one is let go')
    assert.equal(await greetingOf(door.port, '127.0.0.2'), 'hello')
    silent[0]?.destroy()
    await until(() => door.connections() === 1, 'one has left')
    for (const _ of [1, 2, 3]) await until(async () => (await greetingOf(door.port)) === 'hello')
    silent[1]?.destroy()
    await door.stop()
  })
})
