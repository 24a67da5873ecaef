import { type VisitorQuestion, type VisitorQuestionQuery, visitorQuestion } from '@stoa/cms-model/visitor.ts'
import type { CmsDb, CmsTx } from '../../context.ts'

export type AskedQuestion = Pick<VisitorQuestion, 'id' | 'question' | 'locale' | 'found' | 'sources'> & {
  hash: Buffer
  at: Date
}

/** Counts the question with those of the same wording, language and outcome. */
export const countQuestion = async (tx: CmsTx, asked: AskedQuestion): Promise<void> => {
  await tx.query({
    name: 'count-visitor-question',
    text: `insert into visitor_question as q (id, question_hash, question, locale, found, sources, count, asked_at)
      values ($1, $2, $3, $4, $5, $6, 1, $7)
      on conflict (question_hash, locale, found) do update
        set question = excluded.question, sources = excluded.sources, count = q.count + 1, asked_at = excluded.asked_at`,
    values: [asked.id, asked.hash, asked.question, asked.locale, asked.found, JSON.stringify(asked.sources), asked.at],
  })
}

type Filter = Pick<VisitorQuestionQuery, 'found' | 'from'>

const matching = (db: CmsDb, { found, from }: Filter) => {
  let query = db.selectFrom('visitor_question')
  if (found !== undefined) query = query.where('found', '=', found)
  if (from !== undefined) query = query.where('asked_at', '>=', from)
  return query
}

const sources = visitorQuestion.shape.sources

/** Last asked first. */
export const listQuestions = async (
  db: CmsDb,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<VisitorQuestion[]> => {
  const rows = await matching(db, filter)
    .select(['id', 'asked_at', 'question', 'found', 'sources', 'locale', 'count'])
    .orderBy('asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.asked_at.toISOString(),
    question: row.question,
    found: row.found,
    sources: sources.parse(row.sources),
    locale: row.locale,
    count: row.count,
  }))
}

export const countQuestions = async (db: CmsDb, filter: Filter): Promise<number> => {
  const { total } = await matching(db, filter)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export const deleteQuestions = async (tx: CmsTx): Promise<number> => {
  const { numDeletedRows } = await tx.deleteFrom('visitor_question').executeTakeFirst()
  return Number(numDeletedRows)
}

export const OLD_AT_ONCE = 1_000

/** Some of the questions that nobody has asked since then. */
export const deleteOldQuestions = async (tx: CmsTx, before: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    name: 'delete-old-visitor-questions',
    text: `delete from visitor_question where id = any (array(
      select id from visitor_question where asked_at < $1 order by asked_at limit $2 for update skip locked))
    returning 1`,
    values: [before, limit],
  })
  return rows.length
}
