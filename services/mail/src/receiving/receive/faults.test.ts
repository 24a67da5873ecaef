import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startTcpProxy, type TcpProxy } from '@stoa/tests/lib/tcp-proxy.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

const using = async (run: (ground: ReceiveGround) => Promise<void>, options = {}): Promise<void> => {
  const ground = await startReceiving(options)
  try {
    await run(ground)
  } finally {
    await ground.close()
  }
}

const inData = async (ground: ReceiveGround, to: string) => {
  const client = await ground.connect()
  await client.say('MAIL FROM:<ann@example.org>')
  assert.equal((await client.say(`RCPT TO:<${to}>`)).code, 250)
  assert.equal((await client.say('DATA')).code, 354)
  return client
}

describe('with the database away', () => {
  test('recipients and messages are put off with 451, and taken when it is back', async () => {
    let proxy: TcpProxy | undefined
    const through = async (url: string) => {
      const target = new URL(url)
      proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(target.port) })
      target.port = String(proxy.port)
      return target.href
    }
    await using(
      async (ground) => {
        const bob = await ground.address('bob@ours.test')
        const client = await inData(ground, 'bob@ours.test')
        const port = proxy?.port ?? 0
        await proxy?.close()
        const message = plainMessage()
        client.raw(`${message}.\r\n`)
        assert.match((await client.reply(10_000)).text, /^451 4\.3\.0 /)
        await client.say('MAIL FROM:<ann@example.org>')
        assert.match((await client.say('RCPT TO:<bob@ours.test>')).text, /^451 4\.3\.0 /)
        client.close()
        const again = await startReceivingProxy(ground.databaseUrl, port)
        try {
          assert.equal((await ground.send({ to: 'bob@ours.test', message })).code, 250)
          assert.equal((await ground.mails(bob)).length, 1)
        } finally {
          await ground.database.close()
          await again.close()
        }
      },
      { through },
    ).catch((error: unknown) => {
      // Its database is closed already.
      if (!(error instanceof Error) || !/more than once/.test(error.message)) throw error
    })
  })
})

/** The same way to the database once more. */
const startReceivingProxy = async (url: string, port: number) => {
  const server = createServer((inbound) => {
    const outbound = connect(Number(new URL(url).port), '127.0.0.1')
    inbound.pipe(outbound).pipe(inbound)
    inbound.on('error', () => outbound.destroy())
    outbound.on('error', () => inbound.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}

describe('a message whose transaction', () => {
  test('is ended before its commit is put off, and never acknowledged', async () => {
    await using(async (ground) => {
      const bob = await ground.address('bob@ours.test')
      const client = await inData(ground, 'bob@ours.test')
      const holder = await ground.database.pool.connect()
      try {
        await holder.query('begin; lock table message in share mode')
        client.raw(`${plainMessage()}.\r\n`)
        const text = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        const waiting = await until(async () => {
          const { rows } = await ground.database.pool.query<{ pid: number }>(text)
          return rows.length > 0 && rows
        }, 'the delivery waits for the lock')
        for (const { pid } of waiting) await ground.database.pool.query('select pg_terminate_backend($1)', [pid])
        assert.match((await client.reply(10_000)).text, /^451 4\.3\.0 /)
      } finally {
        await holder.query('rollback')
        holder.release()
      }
      client.close()
      assert.deepEqual(await ground.mails(bob), [])
    })
  })
})

describe('with the disk away', () => {
  test('messages are 452 4.3.1, nothing is left of them, and they are taken when it is back', async () => {
    await using(async (ground) => {
      const bob = await ground.address('bob@ours.test')
      const temporary = join(ground.blobFolder, 'tmp')
      await rename(temporary, `${temporary}-away`)
      assert.match((await ground.send({ to: 'bob@ours.test', message: plainMessage() })).text, /^452 4\.3\.1 /)
      await mkdir(temporary)
      assert.equal((await ground.send({ to: 'bob@ours.test', message: plainMessage() })).code, 250)
      assert.equal((await ground.mails(bob)).length, 1)
      assert.deepEqual(await readdir(temporary), [])
      await ground.check(bob)
    })
  })
})

describe('a message that does not come to its end', () => {
  test('leaves nothing', async () => {
    await using(async (ground) => {
      const bob = await ground.address('bob@ours.test')
      const client = await inData(ground, 'bob@ours.test')
      client.raw(plainMessage({}, 'x'.repeat(200_000)))
      await until(async () => (await readdir(join(ground.blobFolder, 'tmp'))).length > 0, 'it has begun to be stored')
      client.close()
      await until(() => ground.server.connections() === 0, 'the session has ended')
      assert.deepEqual(await ground.mails(bob), [])
      assert.deepEqual(await readdir(join(ground.blobFolder, 'tmp')), [])
    })
  })

  test('because the service stops is answered 421, and leaves nothing', async () => {
    await using(async (ground) => {
      const bob = await ground.address('bob@ours.test')
      const client = await inData(ground, 'bob@ours.test')
      client.raw(plainMessage())
      await passTime(50, 'the server has read what there is of it')
      const stopped = ground.server.stop()
      assert.match(await client.rest(), /^421 4\.3\.2 /)
      await stopped
      assert.deepEqual(await ground.mails(bob), [])
      assert.deepEqual(await readdir(join(ground.blobFolder, 'tmp')), [])
    })
  })

  test('because it is too large is 552, and leaves nothing', async () => {
    await using(
      async (ground) => {
        const bob = await ground.address('bob@ours.test')
        const message = plainMessage({}, `${'x'.repeat(998)}\r\n`.repeat(200))
        assert.match((await ground.send({ to: 'bob@ours.test', message })).text, /^552 5\.3\.4 /)
        assert.deepEqual(await ground.mails(bob), [])
        assert.deepEqual(await readdir(ground.blobFolder), ['tmp'])
        assert.deepEqual(await readdir(join(ground.blobFolder, 'tmp')), [])
      },
      { maxMessageBytes: 100_000 },
    )
  })
})

/** Bytes outside of the heap that are still in use. */
const held = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

describe('memory', () => {
  test('stays flat while a message of 50 MB arrives', async () => {
    await using(
      async (ground) => {
        await ground.address('bob@ours.test')
        const client = await inData(ground, 'bob@ours.test')
        client.raw(plainMessage({}, ''))
        const piece = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(256))
        const before = held()
        let most = 0
        for (let count = 0; count * piece.length < 50_000_000; count += 1) {
          if (!client.socket.write(piece)) await once(client.socket, 'drain')
          if (count % 20 === 19) most = Math.max(most, held() - before)
        }
        client.raw('.\r\n')
        assert.equal((await client.reply(60_000)).code, 250)
        assert.ok(most < 16_000_000, `${most} bytes were held`)
        client.close()
      },
      { maxMessageBytes: 52_428_800 },
    )
  })
})
