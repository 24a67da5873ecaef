import { setTimeout as sleep } from 'node:timers/promises'
import { serviceDatabase } from '@stoa/tests/lib/service-database.ts'
import { type Report, summary } from '../outcomes.ts'
import { startService } from '../service-process.ts'
import { checkWriter, prepareWriters, startWriters } from '../writers.ts'

const WRITERS = 4

/** The service is killed at random points of a stream of writes. What was acknowledged must be there, once. */
export const killedService = async ({ kills = 40 } = {}): Promise<Report> => {
  const database = await serviceDatabase('cms')
  const service = await startService('cms', { CMS_DATABASE_URL: database.url })
  const { token, writers } = await prepareWriters(service.url, WRITERS)
  const load = startWriters(service.url, token, writers)
  const broken: string[] = []
  while (writers.every(({ acknowledged }) => acknowledged === 0)) await sleep(20)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(50 + Math.random() * 300)
    await service.kill()
    await service.restart()
    for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  }
  const outcomes = await load.stop()
  for (const writer of writers) broken.push(...(await checkWriter(service.url, token, writer)))
  await service.stop()
  await database.drop()
  return { figures: { kills, ...summary(outcomes) }, broken }
}
