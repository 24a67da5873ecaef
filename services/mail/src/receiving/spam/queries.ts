import type { Db, Tx } from '@stoa/kit/db/database.ts'
import type { SpamPendingTable } from '../../tables/receiving.ts'
import type { Tables } from '../../tables.ts'
import type { WordCount } from './bayes.ts'

type LearnedRow = { learnedSpam: number; learnedHam: number; spam: number | null; ham: number | null }

/** What a mailbox has learned about these words; null when it has learned nothing at all, which costs one look-up. */
export const findLearned = async (
  db: Db<Tables>,
  addressId: string,
  words: readonly number[],
): Promise<{ learned: WordCount; words: WordCount[] } | null> => {
  const rows = await db.query<LearnedRow>({
    name: 'find-spam-words',
    text: `select t.spam as "learnedSpam", t.ham as "learnedHam", w.spam, w.ham
      from spam_training t
      left join spam_word w on w.address_id = t.address_id and w.word = any($2::bigint[])
      where t.address_id = $1`,
    values: [addressId, words],
  })
  const [first] = rows
  if (!first) return null
  return {
    learned: { spam: first.learnedSpam, ham: first.learnedHam },
    words: rows.flatMap(({ spam, ham }) => (spam === null || ham === null ? [] : [{ spam, ham }])),
  }
}

export type TrainingVerdict = SpamPendingTable['verdict']

/** The verdict that was learned for a blob, which nobody changes before the transaction ends. */
export const lockSample = async (
  tx: Tx<Tables>,
  addressId: string,
  blobKey: string,
): Promise<TrainingVerdict | null> => {
  const [row] = await tx.query<{ verdict: TrainingVerdict }>({
    name: 'lock-spam-sample',
    text: 'select verdict from spam_lesson where address_id = $1 and blob_key = $2 for update',
    values: [addressId, blobKey],
  })
  return row?.verdict ?? null
}

/** Writes the verdict down; false when somebody else did so in between. */
export const insertSample = async (
  tx: Tx<Tables>,
  addressId: string,
  blobKey: string,
  verdict: TrainingVerdict,
): Promise<boolean> => {
  const rows = await tx.query({
    name: 'insert-spam-sample',
    text: `insert into spam_lesson (address_id, blob_key, verdict) values ($1, $2, $3)
      on conflict (address_id, blob_key) do nothing returning 1`,
    values: [addressId, blobKey, verdict],
  })
  return rows.length > 0
}

export const updateSample = async (
  tx: Tx<Tables>,
  addressId: string,
  blobKey: string,
  verdict: TrainingVerdict,
): Promise<void> => {
  await tx.query({
    name: 'update-spam-sample',
    text: 'update spam_lesson set verdict = $3 where address_id = $1 and blob_key = $2',
    values: [addressId, blobKey, verdict],
  })
}

/** Adds to how much was learned; answers the sums. The row stays locked, so that samples of a mailbox wait in line. */
export const addTraining = async (tx: Tx<Tables>, addressId: string, change: WordCount): Promise<WordCount> => {
  const [row] = await tx.query<{ spam: number; ham: number }>({
    name: 'add-spam-training',
    text: `insert into spam_training as t (address_id, spam, ham) values ($1, greatest(0, $2::int), greatest(0, $3::int))
      on conflict (address_id) do update set spam = greatest(0, t.spam + $2), ham = greatest(0, t.ham + $3)
      returning spam, ham`,
    values: [addressId, change.spam, change.ham],
  })
  return row ?? { spam: 0, ham: 0 }
}

/** Adds to the counts of words, which may be negative. */
export const addWords = async (
  tx: Tx<Tables>,
  addressId: string,
  words: readonly number[],
  change: WordCount,
): Promise<void> => {
  await tx.query({
    name: 'add-spam-words',
    text: `insert into spam_word as w (address_id, word, spam, ham)
      select $1, word, greatest(0, $3::int), greatest(0, $4::int) from unnest($2::bigint[]) as word
      on conflict (address_id, word) do update set spam = greatest(0, w.spam + $3), ham = greatest(0, w.ham + $4)`,
    values: [addressId, words, change.spam, change.ham],
  })
}

/** Halves everything: what was learned long ago counts less, and words of which nothing is left go. */
export const halveTraining = async (tx: Tx<Tables>, addressId: string): Promise<void> => {
  const values = [addressId]
  await tx.query({ text: 'update spam_training set spam = spam / 2, ham = ham / 2 where address_id = $1', values })
  await tx.query({ text: 'delete from spam_word where address_id = $1 and spam < 2 and ham < 2', values })
  await tx.query({ text: 'update spam_word set spam = spam / 2, ham = ham / 2 where address_id = $1', values })
}
