import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../lib/free-port.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { startService } from '../service-process.ts'

/** Large enough that many kills hit a message on its way. */
const MESSAGE_BYTES = 33_000

/**
 * Mail that comes in while the service is killed: senders try again what was not acknowledged, as mail servers do. Every
 * message that was acknowledged is there, none is there twice, and the store agrees with itself.
 */
export const mailData = async ({ kills = 200, perSecond = 20 } = {}): Promise<Report> => {
  const database = await serviceDatabase('mail')
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const port = await freePort()
  const service = await startService('mail', {
    MAIL_DATABASE_URL: database.url,
    DATA_DIR: folder,
    SMTP_PORT: String(port),
    MAIL_ROLES: 'smtp',
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const boxes = await openMailboxes(database.url, 3)
  const load = startMailLoad({ port, recipients: boxes.emails, perSecond, bytes: MESSAGE_BYTES })
  await until('a first message', () => load.acknowledged.size > 0)
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(100 + Math.random() * 700)
    await service.kill()
    await service.restart()
  }
  await load.finish()
  const broken = await boxes.check(load)
  const exit = await service.stop()
  if (exit !== 0) broken.push(`the service ended with ${exit}`)
  await boxes.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
  return { figures: { kills, acknowledged: load.acknowledged.size, cut: load.refusals.get('cut') ?? 0 }, broken }
}
