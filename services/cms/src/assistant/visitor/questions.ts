import { createHash } from 'node:crypto'
import { type List, toList } from '@stoa/cms-model/lists.ts'
import type { VisitorQuestion, VisitorQuestionQuery, VisitorSource } from '@stoa/cms-model/visitor.ts'
import { inBatches } from '@stoa/kit/db/batches.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Ctx } from '../../context.ts'
import { recordActivity } from '../../events/events.ts'
import type { Tables } from '../../tables.ts'
import { findVisitorSettings } from './queries.ts'
import {
  countQuestion,
  countQuestions,
  deleteOldQuestions,
  deleteQuestions,
  listQuestions,
  OLD_AT_ONCE,
} from './queries-questions.ts'

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

/** Forgets questions that nobody has asked for as long as the settings say. */
export const forgetOldQuestions = async (ctx: Pick<Ctx, 'db' | 'tx' | 'now'>): Promise<void> => {
  const { retentionDays } = await findVisitorSettings(ctx.db)
  const before = new Date(ctx.now().getTime() - retentionDays * DAY_MS)
  await inBatches<Tables>(ctx, OLD_AT_ONCE, (tx, limit) => deleteOldQuestions(tx, before, limit))
}
