import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import { migrate } from '@stoa/kit/db/migrate.ts'
import { createLogger } from '@stoa/kit/log.ts'
import { ensureDatabase } from '@stoa/kit/postgres/databases.ts'
import { startPostgres } from '@stoa/kit/postgres/server.ts'
import { startBackupTask } from '../backup/backup-task.ts'
import { checkFiles, differences, inFolder, readFingerprint } from '../backup/comparison.ts'
import { openMailboxes } from '../mail-load.ts'
import { fetchOlderPostgres } from '../older-postgres.ts'
import type { Report } from '../outcomes.ts'
import { SECRET } from '../service-process.ts'
import { openLook } from '../table.ts'

const migrations = new URL('../../../services/mail/migrations/', import.meta.url)
const log = createLogger({ name: 'faults', level: 'silent' })

/** An instance on the embedded PostgreSQL of another major: it is refused, and moves by the commands that the refusal names. */
export const majors = async ({ rows = 10_000 } = {}): Promise<Report> => {
  const folder = await mkdtemp(join(tmpdir(), 'stoa-majors-'))
  const dataDir = join(folder, 'data')
  const cluster = join(dataDir, 'postgres')
  const place = join(folder, 'backups')
  const env = { DATA_DIR: dataDir, SECRET }
  const broken: string[] = []

  const old = await startPostgres({ folder: cluster, binaries: await fetchOlderPostgres(folder) })
  const url = await ensureDatabase(old, 'stoa_mail')
  await migrate(url, migrations, log)
  await fill(url, join(dataDir, 'blobs/mail'), rows)
  const backup = startBackupTask('backup', [place, 'mail'], { ...env, MAIL_DATABASE_URL: url })
  if ((await backup.ends()) !== 0) broken.push(`the backup failed: ${backup.output()}`)
  const expected = await readFingerprint(url)
  await old.stop()

  const refusal = await startPostgres({ folder: cluster }).then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  )
  if (!/is of PostgreSQL 17; .*\n.*npm run backup.*\n.*\n.*npm run restore/.test(refusal)) broken.push(refusal)
  await rename(cluster, `${cluster}-17`)
  const restore = startBackupTask('restore', [place, 'mail'], env)
  if ((await restore.ends()) !== 0) broken.push(`the restore failed: ${restore.output()}`)

  const now = await startPostgres({ folder: cluster })
  const restored = await ensureDatabase(now, 'stoa_mail')
  const found = await readFingerprint(restored)
  // The run was under way when its snapshot was taken.
  for (const each of [expected, found]) delete each['public.backup_run']
  broken.push(...differences(expected, found))
  const checked = await checkFiles(restored, { read: inFolder(join(dataDir, 'blobs/mail')), tables: ['blob_link'] })
  broken.push(...checked.wrong)
  await now.stop()
  await rm(folder, { recursive: true, force: true })
  return { figures: { tables: Object.keys(found).length, rows, files: checked.files }, broken }
}

const fill = async (url: string, folder: string, rows: number): Promise<void> => {
  const boxes = await openMailboxes(url, 2)
  await boxes.close()
  const blobs = await openLocalBlobs(folder)
  const { key, size } = await blobs.put(Buffer.from('a file'), { maxBytes: 100 })
  const look = openLook(url)
  await look.rows(
    `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
     values (gen_random_uuid(), $1, 'export', gen_random_uuid(), $2, now())`,
    [key, size],
  )
  await look.rows(
    `insert into audit (id, actor, action, target, detail, created_at)
     select gen_random_uuid(), 'drill', 'drill.row', md5(n::text), jsonb_build_object('n', n), now()
     from generate_series(1, $1::integer) as n`,
    [rows],
  )
  await look.close()
}
