import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '@stoa/kit/db/database.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { NO_STOP_DEADLINE } from '@stoa/kit/stop-deadline.ts'
import { startFakeS3 } from '@stoa/tests/lib/fake-s3.ts'
import { freePort } from '@stoa/tests/lib/free-port.ts'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { passTime, until } from '@stoa/tests/lib/waiting.ts'
import { MAILBOX_PASSWORD, plantAddress } from './hosting/addresses/testing/hosting.ts'
import { serve } from './serve.ts'
import type { Tables } from './tables.ts'

const MESSAGE = `Subject: large\r\n\r\n${'a line of text\r\n'.repeat(20_000)}`

test('a download from the object store that began before a stop comes whole', async (t) => {
  const own = await serviceDatabase('mail')
  const s3 = await startFakeS3()
  const folder = await mkdtemp(join(tmpdir(), 'stoa-serve-'))
  const port = await freePort()
  t.after(async () => {
    await s3.close()
    await own.drop()
    await rm(folder, { recursive: true })
  })
  const service = await serve({
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    SECRET: 'a secret of the tests, long enough for anyone',
    MAIL_DATABASE_URL: own.url,
    MAIL_HOST: '127.0.0.1',
    MAIL_PORT: String(port),
    MAIL_ROLES: 'http',
    DNS_RESOLVERS: '127.0.0.1:1',
    DATA_DIR: folder,
    STORAGE_DRIVER: 'object',
    STORAGE_LOCAL_DIR: folder,
    OBJECT_ENDPOINT: s3.endpoint,
    OBJECT_BUCKET: s3.bucket,
    OBJECT_ACCESS_KEY: s3.accessKey,
    OBJECT_SECRET_KEY: s3.secretKey,
  })
  const log = createLogger({ name: 'test', level: 'silent' })
  const database = openDatabase<Tables>({ url: own.url, poolSize: 1, log })
  const { id, email } = await plantAddress(database, 'ada@hosted.test')
  await database.close()

  const headers = { authorization: `Basic ${Buffer.from(`${email}:${MAILBOX_PASSWORD}`).toString('base64')}` }
  const url = `http://127.0.0.1:${port}`
  const uploaded = await fetch(`${url}/jmap/upload/${id}`, { method: 'POST', headers, body: MESSAGE })
  const { blobId } = await uploaded.json()
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  s3.fail({
    match: ({ method }) => method === 'GET',
    until: () => {
      asked.resolve()
      return released.promise
    },
  })
  const download = fetch(`${url}/jmap/download/${id}/${blobId}/x.eml`, { headers })
  await asked.promise
  const stopped = service.stop(NO_STOP_DEADLINE)
  await until(
    () =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      ),
    'new connections are refused',
  )
  await passTime(200, 'everything that does not wait for the download has stopped')
  released.resolve()
  const answer = await download
  assert.equal(answer.status, 200)
  assert.equal((await answer.text()) === MESSAGE, true)
  await stopped
})
