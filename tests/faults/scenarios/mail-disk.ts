import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { readBytes } from '@stoa/mail/store/blobs/blobs.ts'
import { checkBlobs } from '@stoa/mail/store/mailbox/check.ts'
import { getWholeMessage } from '@stoa/mail/store/messages/list.ts'
import { freePort } from '../../lib/free-port.ts'
import { serviceDatabase } from '../../lib/service-database.ts'
import { openMailboxes, startMailLoad } from '../mail-load.ts'
import type { Report } from '../outcomes.ts'
import { until } from '../readiness.ts'
import { startService } from '../service-process.ts'
import { mountSmallDisk } from '../small-disk.ts'

const DISK_MEGABYTES = 64
const MESSAGE_BYTES = 200_000

/** The disk of the messages fills up while mail comes in and is freed again; then stored bytes are damaged. */
export const mailDisk = async ({ rounds = 3, perSecond = 10 } = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-faults-'))
  const disk = join(folder, 'disk')
  const room = mountSmallDisk(disk, DISK_MEGABYTES)
  const database = await serviceDatabase('mail')
  const port = await freePort()
  const service = await startService('mail', {
    MAIL_DATABASE_URL: database.url,
    SMTP_PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    STORAGE_LOCAL_DIR: disk,
    LIMIT_EXEMPT: '127.0.0.0/8',
    DNS_RESOLVERS: '127.0.0.1:1',
  })
  const boxes = await openMailboxes(database.url, 3)
  const broken: string[] = []
  try {
    const load = startMailLoad({ port, recipients: boxes.emails, perSecond, bytes: MESSAGE_BYTES })
    const refused = () => load.refusals.get('452') ?? 0
    for (let round = 0; round < rounds; round += 1) {
      const [known, before] = [load.acknowledged.size, refused()]
      await until('mail comes in', () => load.acknowledged.size > known + 3)
      room.fill()
      await until('mail is refused', () => refused() > before + 3)
      room.free()
      const stuck = load.acknowledged.size
      await until('mail comes in again', () => load.acknowledged.size > stuck + 3)
    }
    await load.finish()
    broken.push(...(await boxes.check(load)))
    const odd = [...load.refusals.keys()].filter((code) => code !== '452')
    broken.push(...odd.map((code) => `a sender was answered ${code}`))
    if (service.hasExited()) broken.push('the service ended')
    const blobs = await openLocalBlobs(join(disk, 'mail'))
    for (const id of boxes.ids)
      broken.push(
        ...(await checkBlobs(boxes.database.db, blobs, id)).map(({ problem }) => `a stored message is ${problem}`),
      )
    broken.push(...(await damage(disk, boxes)))
    const figures = { rounds, acknowledged: load.acknowledged.size, refused: refused() }
    return { figures, broken }
  } finally {
    await service.stop()
    await boxes.close()
    await database.drop()
    room.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Boxes = Awaited<ReturnType<typeof openMailboxes>>

/** One byte of one message is turned over: that message is refused, the others are read. */
const damage = async (disk: string, { database, ids }: Boxes): Promise<string[]> => {
  const log = createLogger({ name: 'faults', level: 'silent' })
  const blobs = await openLocalBlobs(join(disk, 'mail'))
  const [addressId = ''] = ids
  const rows = await database.db
    .selectFrom('message')
    .select(['id', 'blob_key'])
    .where('address_id', '=', addressId)
    .execute()
  const [hurt, ...others] = rows
  if (!hurt || others.length === 0) return ['there is no mail to damage']
  const file = join(disk, 'mail', blobPath(hurt.blob_key))
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const read = async (id: string): Promise<boolean> =>
    readBytes(blobs, await getWholeMessage(database.db, addressId, id), { log }).then(
      () => true,
      () => false,
    )
  const broken = (await read(hurt.id)) ? ['a damaged message was read as if it were whole'] : []
  for (const { id } of others) if (!(await read(id))) broken.push('another message cannot be read')
  return broken
}
