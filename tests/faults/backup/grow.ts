import { randomBytes } from 'node:crypto'
import { inParallel } from '@stoa/kit/backup/stored-blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import type { Look } from '../table.ts'

const ROWS: Record<'cms' | 'mail', string> = {
  cms: `insert into activity (id, at, actor_kind, actor_name, via, action, target_kind, target_label, changed)
    select gen_random_uuid(), now() - make_interval(secs => n), 'system', 'Drill', 'system', 'entry.updated', 'entry',
      md5(n::text) || repeat(' word', 20), array['title', 'body'] from generate_series(1, $1::integer) as n`,
  mail: `insert into audit (id, actor, action, target, detail, created_at)
    select gen_random_uuid(), 'drill', 'drill.row', md5(n::text),
      jsonb_build_object('n', n, 'text', repeat('word ', 20)), now() - make_interval(secs => n)
    from generate_series(1, $1::integer) as n`,
}
const MAX_FILE_BYTES = 40_000
const PARALLEL_PUTS = 32

/** Rows for a backup to copy. */
export const growRows = (look: Look, service: 'cms' | 'mail', rows: number) => look.rows(ROWS[service], [rows])

/** Files of mail for a backup to copy. */
export const growFiles = async (look: Look, folder: string, files: number): Promise<void> => {
  const blobs = await openLocalBlobs(folder)
  await inParallel(Array(files).keys(), PARALLEL_PUTS, async () => {
    const content = randomBytes(Math.ceil(Math.random() * MAX_FILE_BYTES))
    const { key, size } = await blobs.put(content, { maxBytes: MAX_FILE_BYTES })
    await look.rows(
      `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
       values (gen_random_uuid(), $1, 'export', gen_random_uuid(), $2, now())`,
      [key, size],
    )
  })
}
