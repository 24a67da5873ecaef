import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import type { Look } from '../table.ts'

/** What must be true of the tables whatever was asked of the service: each statement counts what is wrong. */
const WRONG: Record<string, string> = {
  'counters of published entries that are not the number of them': `
    select count(*) from (
      select type, locale, count(*)::int as published from entry
      where status = 'published' and deleted_at is null group by type, locale
    ) as real full join entry_count as counted using (type, locale)
    where coalesce(real.published, 0) <> coalesce(counted.published, 0)`,
  'owners too many or too few': `
    select abs(count(*) - 1) from account where role = 'owner' and deactivated_at is null`,
  'entries without exactly one search document': `
    select count(*) from entry e where 1 <> (select count(*) from entry_search s where s.entry_id = e.id)`,
  'entries without a revision': `
    select count(*) from entry e where not exists (select from revision r where r.entry_id = e.id)`,
  'entries that are live without a live version, or the other way round': `
    select count(*) from entry where (status = 'published' and deleted_at is null) <> (live_version is not null)`,
  'live entries whose links are not written down as live': `
    select count(*) from entry_link l join entry e on e.id = l.entry_id where l.is_live and e.status <> 'published'`,
  'terms under a parent of another taxonomy': `
    select count(*) from term t join term p on p.id = t.parent_id where p.taxonomy_id <> t.taxonomy_id`,
  'terms that are above themselves': `
    with recursive above as (
      select id as term, parent_id from term where parent_id is not null
      union select a.term, t.parent_id from above a join term t on t.id = a.parent_id where t.parent_id is not null
    ) cycle parent_id set is_cycle using path
    select count(*) from above where parent_id = term`,
  'terms on the same place': `
    select count(*) from (select from term group by taxonomy_id, parent_id, position having count(*) > 1) as doubled`,
  'more than one entry of a single type': `
    select count(*) from (select from entry e join content_type t on t.name = e.type and t.kind = 'single'
      where e.deleted_at is null and e.translation_of is null group by e.type, e.locale having count(*) > 1) as doubled`,
  'links to files that are not there': `
    select count(*) from entry_link l where l.kind = 'media'
      and not exists (select from media m where m.id = l.target_id)
      and exists (select from entry e where e.id = l.entry_id and e.deleted_at is null)`,
  'guesses of passwords that were never decided': 'select count(*) from login_limit where pending <> 0',
  'people who are still seen at an entry': 'select count(*) from presence',
  'sessions without an account that is there': `
    select count(*) from session s join account a on a.id = s.account_id
    where s.revoked_at is null and a.deactivated_at is not null`,
}

/** Every invariant that does not hold, with the number of rows that break it. */
export const checkInvariants = async (look: Look, mediaFolder: string): Promise<string[]> => {
  const broken: string[] = []
  for (const [what, text] of Object.entries(WRONG)) {
    const count = await look.count(text)
    if (count !== 0) broken.push(`${count} ${what}`)
  }
  const keys = await look.rows<{ key: string }>(
    'select blob_key as key from media union select blob_key from rendition',
  )
  const lost = keys.filter(({ key }) => !existsSync(join(mediaFolder, blobPath(key))))
  if (lost.length > 0) broken.push(`${lost.length} files without their bytes`)
  return broken
}
