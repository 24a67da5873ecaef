import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { RequestError } from '@stoa/ui/request/request.ts'
import { mediaFixture as media } from '../testing/fixtures.ts'
import type { UploadOptions } from './upload-file.ts'
import { createUploads } from './uploads.ts'

type Sent = {
  file: File
  options: UploadOptions
  finish: (media: MediaRecord) => void
  refuse: (error: unknown) => void
}

/** Uploads whose sending is in the hands of the test. */
const openUploads = () => {
  const sent: Sent[] = []
  const uploads = createUploads(
    (file, options) =>
      new Promise((finish, refuse) => {
        options.signal?.addEventListener('abort', () => refuse(options.signal?.reason))
        sent.push({ file, options, finish, refuse })
      }),
  )
  const statuses = () =>
    uploads
      .list()
      .map(({ status }) => status)
      .join()
  return { uploads, sent, statuses }
}

const given = (...names: string[]) => names.map((name) => ({ file: new File(['x'], name) }))
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('uploads', () => {
  test('three go at once, the next when one has ended, into the folder that was named', async () => {
    const { uploads, sent, statuses } = openUploads()
    let calls = 0
    uploads.subscribe(() => {
      calls += 1
    })
    uploads.add(given('a', 'b', 'c', 'd'), { folder: 'press' })
    assert.equal(statuses(), 'sending,sending,sending,waiting')
    assert.deepEqual(
      sent.map(({ options }) => options.folder),
      ['press', 'press', 'press'],
    )
    sent[1]?.finish(media)
    await settle()
    assert.equal(statuses(), 'sending,done,sending,sending')
    assert.equal(sent[3]?.file.name, 'd')
    assert.ok(calls >= 5)
  })

  test('a cancelled file is aborted and makes room; trying again sends it anew', async () => {
    const { uploads, sent, statuses } = openUploads()
    uploads.add(given('a', 'b', 'c', 'd'))
    const [first] = uploads.list()
    assert.ok(first)
    uploads.cancel(first.id)
    assert.equal(sent[0]?.options.signal?.aborted, true)
    await settle()
    assert.equal(statuses(), 'cancelled,sending,sending,sending')
    uploads.retry(first.id)
    assert.equal(statuses(), 'waiting,sending,sending,sending')
    sent[1]?.finish(media)
    await settle()
    assert.equal(statuses(), 'sending,done,sending,sending')
    assert.equal(sent.at(-1)?.file.name, 'a')
  })

  test('a refusal of the file is final, a lost connection is not', async () => {
    const { uploads, sent } = openUploads()
    uploads.add(given('a', 'b'))
    sent[0]?.refuse(new RequestError({ message: 'Not a picture.', fields: [] }, 415, 'UNSUPPORTED_MEDIA'))
    sent[1]?.refuse(new RequestError({ message: 'Lost.', fields: [] }, 0, 'no_answer'))
    await settle()
    assert.deepEqual(
      uploads.list().map(({ status, problem, retryable }) => [status, problem, retryable]),
      [
        ['failed', 'Not a picture.', false],
        ['failed', 'Lost.', true],
      ],
    )
    uploads.retryAll()
    assert.deepEqual(
      uploads.list().map(({ status }) => status),
      ['failed', 'sending'],
    )
  })

  test('files that were refused before are listed and not sent', () => {
    const { uploads, sent } = openUploads()
    const batch = uploads.add([{ file: new File(['x'], 'a'), problem: 'Too large' }, ...given('b')])
    assert.deepEqual(
      uploads.list().map((item) => [item.batch, item.status]),
      [
        [batch, 'failed'],
        [batch, 'sending'],
      ],
    )
    assert.equal(sent.length, 1)
  })

  test('another person finds none of the files of the one before', async () => {
    const { uploads, sent } = openUploads()
    uploads.claim('ada')
    uploads.add(given('a'))
    uploads.claim('ada')
    assert.equal(uploads.list().length, 1)
    uploads.claim('bob')
    assert.equal(sent[0]?.options.signal?.aborted, true)
    await settle()
    assert.deepEqual(uploads.list(), [])
  })
})
