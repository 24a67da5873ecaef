import { setTimeout as sleep } from 'node:timers/promises'
import { openObjectBlobs } from '@stoa/kit/blobs/s3.ts'
import { Secret } from '@stoa/kit/secret.ts'
import { checkBlobs } from '@stoa/mail/store/mailbox/check.ts'
import { type FakeS3, type FakeS3Failure, startFakeS3 } from '../../lib/fake-s3.ts'
import { within } from '../limits.ts'
import { type MailGround, openMailGround } from '../mail-ground.ts'
import { startMailLoad } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'

/** Large enough to be an object, instead of a part of its row. */
const MESSAGE_BYTES = 40_000
/** RFC 5321 §4.5.3.2.6: a sender waits ten minutes for the answer to a message; nobody should have to wait for one of them. */
const MAX_ANSWER_MS = within(60_000)
const SLOW_MS = 2_000

/** Ways in which an object store does not do what it is asked. */
const FAULTS: Readonly<Record<string, FakeS3Failure>> = {
  slow: { delayMs: SLOW_MS },
  failing: { status: 503 },
  cutting: { cut: 'before' },
  losing: { cut: 'after' },
  silent: { delayMs: 3_600_000 },
}

/** The object store is slow, fails, cuts and is silent in turn while mail comes in. */
export const mailStore = async ({
  seconds = 20,
  perSecond = 10,
  faults = Object.keys(FAULTS),
} = {}): Promise<Report> => {
  const store = await startFakeS3()
  const ground = await openMailGround({
    env: {
      STORAGE_DRIVER: 'object',
      OBJECT_ENDPOINT: store.endpoint,
      OBJECT_BUCKET: store.bucket,
      OBJECT_REGION: store.region,
      OBJECT_ACCESS_KEY: store.accessKey,
      OBJECT_SECRET_KEY: store.secretKey,
    },
  })
  const { boxes, smtpPort } = ground
  const load = startMailLoad({ port: smtpPort, recipients: boxes.emails, perSecond, bytes: MESSAGE_BYTES })
  const recovery: number[] = []
  const during: Record<string, number> = {}
  for (const fault of faults) {
    const known = load.acknowledged.size
    await until('mail comes in', () => load.acknowledged.size > known + 3, { limitMs: 60_000 })
    const at = load.acknowledged.size
    const stop = breakStore(store, FAULTS[fault] ?? {})
    await sleep(seconds * 1_000)
    during[`taken_while_${fault}`] = load.acknowledged.size - at
    stop()
    const before = load.acknowledged.size
    recovery.push(await until('mail comes in again', () => load.acknowledged.size > before + 3, { limitMs: 60_000 }))
  }
  await load.finish()
  const broken = [...(await boxes.check(load)), ...(await checkObjects(ground, store))]
  const odd = [...load.refusals.keys()].filter((code) => !['451', '452', '421', 'cut'].includes(code))
  broken.push(...odd.map((code) => `a sender was answered ${code}`))
  if (load.slowestMs() > MAX_ANSWER_MS) broken.push(`a sender waited ${Math.round(load.slowestMs())} ms`)
  broken.push(...(await ground.close()))
  await store.close()
  return {
    figures: {
      acknowledged: load.acknowledged.size,
      ...during,
      ...Object.fromEntries([...load.refusals].map(([code, times]) => [`answered_${code}`, times])),
      slowest_ms: Math.round(load.slowestMs()),
      recovery_ms: Math.round(Math.max(...recovery)),
    },
    broken,
  }
}

/** Until it is stopped, every request meets the fault. */
const breakStore = (store: FakeS3, failure: FakeS3Failure): (() => void) => {
  let isOn = true
  const { delayMs, ...rest } = failure
  // One that waits is let go when the fault is over, so that none of a silent store outlives it.
  const wait = async (): Promise<void> => {
    for (const end = performance.now() + (delayMs ?? 0); isOn && performance.now() < end; ) await sleep(50)
  }
  store.fail({ ...rest, match: () => isOn, times: Number.POSITIVE_INFINITY, until: wait })
  return () => {
    isOn = false
  }
}

const checkObjects = async ({ boxes, folder }: MailGround, store: FakeS3): Promise<string[]> => {
  const { endpoint, bucket, region, accessKey, secretKey } = store
  const temporaryFolder = `${folder}/check`
  const options = {
    endpoint,
    bucket,
    region,
    accessKey,
    secretKey: new Secret(secretKey),
    prefix: 'mail',
    temporaryFolder,
  }
  const blobs = await openObjectBlobs(options)
  const found: string[] = []
  for (const id of boxes.ids)
    for (const { problem } of await checkBlobs(boxes.database.db, blobs, id))
      found.push(`a stored message is ${problem}`)
  if (store.objects.size === 0) found.push('nothing was stored as an object')
  return found
}
