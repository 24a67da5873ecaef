import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defineJob } from '@stoa/kit/jobs/define.ts'
import { createJobs, type Jobs } from '@stoa/kit/jobs/jobs.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { z } from 'zod'
import { defineTask } from './task.ts'

const echo = defineJob({ name: 'test.echo', data: z.object({ word: z.string() }) })
const received = Promise.withResolvers<unknown>()
const task = defineTask(
  echo,
  async (ctx, { data, attempt }) => {
    const [row] = await ctx.db.query<{ one: number }>({ text: 'select 1 as one' })
    received.resolve({ principal: ctx.principal, word: data.word, attempt, now: ctx.now(), ...row })
  },
  { schedule: { cron: '0 3 * * *', data: { word: 'nightly' } } },
)

let service: CmsService
let jobs: Jobs
before(async () => {
  service = await startCms()
  const { database, bus, log } = service.cms.services
  jobs = createJobs(database, { log, bus, jobs: [task.job] })
  task.register(jobs, service.cms.services)
  await jobs.start()
})
after(async () => {
  await jobs.stop()
  await service.close()
})

test('a task does its job as the system, with a context like that of a request', async () => {
  await service.cms.database.tx((tx) => jobs.enqueue(tx, echo, { word: 'hello' }))
  assert.deepEqual(await received.promise, {
    principal: { kind: 'system', name: 'test.echo' },
    word: 'hello',
    attempt: 1,
    now: service.clock.now(),
    one: 1,
  })
})

test('a task with a schedule is scheduled', async () => {
  const rows = await service.cms.database.db.query({ text: 'select name, cron, data from jobs.schedule' })
  assert.deepEqual(rows, [{ name: 'test.echo', cron: '0 3 * * *', data: { word: 'nightly' } }])
})
