import type { CmsTx } from '../../../context.ts'

/** What an entry holds under the keys asked for, in their order: as the public sees it, and with unpublished changes. */
export type HeldValues = { live: unknown[]; pending: unknown[] | null }

/** Enough to keep the database busy, and little enough to stay small in memory and to let other requests through. */
const PAGE_SIZE = 500

/** The values of all entries outside the trash, page by page. */
export async function* scanValues(
  tx: CmsTx,
  type: string,
  keys: readonly string[],
): AsyncGenerator<HeldValues[], void, undefined> {
  const values = (data: string) =>
    `(select jsonb_agg(${data} -> asked.key order by asked.position)
      from unnest($2::text[]) with ordinality as asked (key, position))`
  await tx.query({
    text: `declare held no scroll cursor for
      select ${values('data')} as live, case when pending is not null then ${values("(pending -> 'data')")} end as pending
      from entry where type = $1 and deleted_at is null`,
    values: [type, keys],
  })
  for (;;) {
    const page = await tx.query<HeldValues>({ text: `fetch ${PAGE_SIZE} from held` })
    if (page.length > 0) yield page
    if (page.length < PAGE_SIZE) break
  }
  await tx.query({ text: 'close held' })
}
