import { randomBytes } from 'node:crypto'
import { inParallel } from '@stoa/kit/backup/stored-blobs.ts'
import { openLocalBlobs } from '@stoa/kit/blobs/local.ts'
import type { Look } from '../table.ts'

type Service = 'cms' | 'mail'

const ROWS: Record<Service, string> = {
  cms: `insert into activity (id, at, actor_kind, actor_name, via, action, target_kind, target_label, changed)
    select gen_random_uuid(), now() - make_interval(secs => n), 'system', 'Drill', 'system', 'entry.updated', 'entry',
      md5(n::text) || repeat(' word', 20), array['title', 'body'] from generate_series(1, $1::integer) as n`,
  mail: `insert into audit (id, actor, action, target, detail, created_at)
    select gen_random_uuid(), 'drill', 'drill.row', md5(n::text),
      jsonb_build_object('n', n, 'text', repeat('word ', 20)), now() - make_interval(secs => n)
    from generate_series(1, $1::integer) as n`,
}
const FILES: Record<Service, string> = {
  cms: `insert into media (id, filename, blob_key, mime_type, size, hash, alt, is_decorative, caption, folder, focal_x,
      focal_y, words, created_at, updated_at)
    select gen_random_uuid(), left(key, 8) || '.bin', key, 'application/octet-stream', size, key, '', false, '', '', 0.5,
      0.5, '', now(), now() from unnest($1::text[], $2::integer[]) as file (key, size)`,
  mail: `insert into blob_link (owner_id, blob_key, kind, ref_id, size, created_at)
    select gen_random_uuid(), key, 'export', gen_random_uuid(), size, now()
    from unnest($1::text[], $2::integer[]) as file (key, size)`,
}
const MAX_FILE_BYTES = 40_000
const PARALLEL_PUTS = 32

/** Rows for a backup to copy. */
export const growRows = (look: Look, service: Service, rows: number) => look.rows(ROWS[service], [rows])

/** Files for a backup to copy, each with other bytes, in the service's folder. */
export const growFiles = async (
  look: Look,
  service: Service,
  { folder, files }: { folder: string; files: number },
): Promise<void> => {
  const blobs = await openLocalBlobs(folder)
  const stored: { key: string; size: number }[] = []
  await inParallel(Array(files).keys(), PARALLEL_PUTS, async () => {
    const content = randomBytes(Math.ceil(Math.random() * MAX_FILE_BYTES))
    stored.push(await blobs.put(content, { maxBytes: MAX_FILE_BYTES }))
  })
  await look.rows(FILES[service], [stored.map(({ key }) => key), stored.map(({ size }) => size)])
}
