import type { Entry, EntryTermsInput } from '@stoa/cms-model/entries.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { failFields } from '../../errors.ts'
import type { WantedVersion } from '../../version-conflict.ts'
import { resolveTermsOf, setEntryTermsOf } from '../taxonomies/taxonomies.ts'
import { recordEntryChange } from './changes.ts'
import { isLive, type StoredEntry } from './record.ts'
import { requireEdit } from './rights.ts'
import { showEntry } from './show.ts'
import { type Opened, openEntry, storeEntry } from './write.ts'

/** The terms that an entry has of one taxonomy. They have no working copy: a published entry shows them at once. */
export const changeTerms = (ctx: Ctx, id: string, input: EntryTermsInput, wanted: WantedVersion): Promise<Entry> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, id, { wanted, may: requireEdit })
    return showEntry(ctx, tx, await applyTerms(ctx, tx, opened, [input]))
  })

export type TermsOf = { taxonomy: string; terms: readonly string[] }

/** Replaces the entry's terms in each taxonomy named. */
export const applyTerms = async (
  ctx: Ctx,
  tx: CmsTx,
  opened: Opened,
  choices: readonly TermsOf[],
): Promise<StoredEntry> => {
  const { entry } = opened
  let isChanged = false
  for (const { taxonomy, terms } of choices) {
    const { termIds, problems } = await resolveTermsOf(tx, entry.type, taxonomy, terms)
    if (problems.length > 0) failFields(problems)
    if (await setEntryTermsOf(tx, entry.id, taxonomy, termIds)) isChanged = true
  }
  if (!isChanged) return entry
  const after = await storeEntry(ctx, tx, opened, {
    next: {},
    revision: { reason: 'save', changed: ['terms'] },
    isPublicChange: true,
  })
  const names = isLive(after) ? (['entry.updated', 'entry.published'] as const) : (['entry.updated'] as const)
  await recordEntryChange(ctx, tx, opened, { before: entry, after, names, changed: ['terms'] })
  return after
}
