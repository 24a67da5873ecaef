import type { CmsTx } from '../../context.ts'
import type { StoredEntry } from './record.ts'

/** The public knew the entry by this slug until now. Delivery answers for it (`site/delivery/old-slugs.ts`). */
export const keepOldSlug = async (
  tx: CmsTx,
  { id, type, slug }: Pick<StoredEntry, 'id' | 'type' | 'slug'>,
  at: Date,
): Promise<void> => {
  await tx.query({
    name: 'keep-old-slug',
    text: `insert into entry_old_slug (type, slug, entry_id, left_at) values ($1, $2, $3, $4)
      on conflict (type, slug, entry_id) do update set left_at = excluded.left_at`,
    values: [type, slug, id, at],
  })
}
