import { createHash } from 'node:crypto'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import {
  type VisitorQuestion,
  type VisitorQuestionQuery,
  type VisitorSource,
  visitorQuestion,
} from '@stoa/cms-model/visitor.ts'
import { inBatches } from '@stoa/kit/db/batches.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { CmsDb, CmsTx, Ctx } from '../../context.ts'
import { recordActivity } from '../../events/events.ts'
import type { Tables } from '../../tables.ts'
import { findVisitorSettings } from './queries.ts'

const DAY_MS = 86_400_000
/** More is for a database, not for a spreadsheet. */
const MAX_EXPORTED = 10_000

/** Case and space make no other question. */
export const wording = (question: string): string => question.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()

type Logged = { question: string; locale: string; found: boolean; sources: readonly VisitorSource[] }

/** Writes down what was asked, and nothing of who asked. */
export const logQuestion = (
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { question, locale, found, sources }: Logged,
): Promise<void> =>
  ctx.tx((tx) =>
    countQuestion(tx, {
      id: newId(),
      hash: createHash('sha256').update(wording(question)).digest(),
      question,
      locale,
      found,
      sources: sources.map(({ id, type, slug, title, url }) => ({ id, type, slug, title, url })),
      at: ctx.now(),
    }),
  )

export const showQuestions = async (
  ctx: Pick<Ctx, 'db'>,
  query: VisitorQuestionQuery,
): Promise<List<VisitorQuestion>> => {
  const { page, limit } = query
  const [items, total] = await Promise.all([
    listQuestions(ctx.db, query, { limit, offset: (page - 1) * limit }),
    countQuestions(ctx.db, query),
  ])
  return toList(items, total, { page, limit })
}

export const exportQuestions = async (ctx: Pick<Ctx, 'db'>, query: VisitorQuestionQuery): Promise<string> => {
  const items = await listQuestions(ctx.db, query, { limit: MAX_EXPORTED, offset: 0 })
  const rows = items.map(({ at, question, found, locale, count, sources }) => [
    at,
    question,
    found ? 'yes' : 'no',
    locale,
    String(count),
    sources.map(({ title, url }) => url ?? title).join(' '),
  ])
  return [['at', 'question', 'found', 'locale', 'count', 'sources'], ...rows]
    .map((row) => `${row.map(csvCell).join(',')}\r\n`)
    .join('')
}

/** RFC 4180 §2; what a spreadsheet would run as a formula is made text (OWASP, CSV injection). */
const csvCell = (text: string): string => {
  const safe = /^[\s]*[=+\-@\t\r|%]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}

export const clearQuestions = (ctx: Ctx): Promise<void> =>
  ctx.tx(async (tx) => {
    if ((await deleteQuestions(tx)) === 0) return
    await recordActivity(ctx, tx, {
      action: 'visitor.questionsDeleted',
      target: { kind: 'visitor', id: null, label: 'Visitor questions' },
    })
  })

/** Deletes questions that nobody has asked for as long as the settings say. */
export const expireQuestions = async (ctx: Pick<Ctx, 'db' | 'tx' | 'now'>): Promise<void> => {
  const { retentionDays } = await findVisitorSettings(ctx.db)
  const before = new Date(ctx.now().getTime() - retentionDays * DAY_MS)
  await inBatches<Tables>(ctx, OLD_AT_ONCE, (tx, limit) => deleteOldQuestions(tx, before, limit))
}

type AskedQuestion = Pick<VisitorQuestion, 'id' | 'question' | 'locale' | 'found' | 'sources'> & {
  hash: Buffer
  at: Date
}

/** Counts the question with those of the same wording, language and outcome. */
const countQuestion = async (tx: CmsTx, asked: AskedQuestion): Promise<void> => {
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
const listQuestions = async (
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

const countQuestions = async (db: CmsDb, filter: Filter): Promise<number> => {
  const { total } = await matching(db, filter)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

const deleteQuestions = async (tx: CmsTx): Promise<number> => {
  const { numDeletedRows } = await tx.deleteFrom('visitor_question').executeTakeFirst()
  return Number(numDeletedRows)
}

const OLD_AT_ONCE = 1_000

/** Some of the questions that nobody has asked since then. */
const deleteOldQuestions = async (tx: CmsTx, before: Date, limit: number): Promise<number> => {
  const rows = await tx.query({
    name: 'delete-old-visitor-questions',
    text: `delete from visitor_question where id = any (array(
      select id from visitor_question where asked_at < $1 order by asked_at limit $2 for update skip locked))
    returning 1`,
    values: [before, limit],
  })
  return rows.length
}
