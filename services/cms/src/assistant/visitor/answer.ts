import { ALL_TYPES } from '@stoa/cms-model/keys.ts'
import { fillPreviewUrl } from '@stoa/cms-model/preview-url.ts'
import type { Settings } from '@stoa/cms-model/settings.ts'
import {
  MAX_SOURCES,
  type VisitorAnswer,
  type VisitorQuestionInput,
  type VisitorSettings,
  type VisitorSource,
} from '@stoa/cms-model/visitor.ts'
import { newId } from '@stoa/kit/ids.ts'
import type { Ctx } from '../../context.ts'
import { requireConnected } from '../connection/connection.ts'
import type { Connected } from '../providers/providers.ts'
import { areCurrent, findPassages, type Ideas, type Passage, parseIdeas } from '../retrieval/retrieval.ts'
import { citationsIn, excerptOf, mapCitations, plainAnswer, repeatsRules } from './answer-text.ts'
import { askModel } from './ask-model.ts'
import type { CachedAnswer } from './cache.ts'
import { ANSWER_RULES, answerMessage, type History, REWRITE_RULES, rewriteMessage } from './prompt.ts'
import { logQuestion, wording } from './questions.ts'
import { refusalFor } from './refusal.ts'

/** About 150 words in any language. */
const MAX_ANSWER_TOKENS = 400
const MAX_REWRITE_TOKENS = 200

export type VisitorQuestion = {
  readonly input: VisitorQuestionInput
  readonly settings: VisitorSettings
  /** Names of content types that may be used; `*` for all. */
  readonly types: readonly string[]
}

/** Answers a question from published content in scope, and writes down that it was asked. */
export const answerQuestion = async (ctx: Ctx, asked: VisitorQuestion): Promise<VisitorAnswer> => {
  const site = await ctx.delivery.site.read()
  const { input, settings } = asked
  const locale = input.locale ?? site.settings.locale
  const types = asked.types.includes(ALL_TYPES) ? [...site.types.keys()] : [...asked.types]
  const history = input.history ?? []
  const { versions } = ctx.delivery
  const version = versions.public()
  const key = [version, settings.version, locale, types.toSorted(), wording(input.question)]
  const isKept = history.length === 0 && versions.isCurrent()
  const kept = isKept ? ctx.visitor.answers.get(key, ctx.now()) : undefined
  const given =
    kept ?? (await workOut(ctx, { question: input.question, history, locale, types, settings, site: site.settings }))
  // An answer made from content that has changed meanwhile must not be cached.
  if (isKept && !kept && versions.public() === version) ctx.visitor.answers.set(key, given, ctx.now())
  await logQuestion(ctx, { question: input.question, locale, found: given.found, sources: given.sources })
  return { id: newId(), ...given }
}

type Work = {
  question: string
  history: History
  locale: string
  types: readonly string[]
  settings: VisitorSettings
  site: Settings
}

const workOut = async (ctx: Ctx, work: Work): Promise<CachedAnswer> => {
  const connected = await requireConnected(ctx)
  const refusal = { answer: refusalFor(work.settings, work.locale, work.site.locale), sources: [], found: false }
  // For everything that the model is asked about this question.
  const signal = AbortSignal.timeout(ctx.ai.timeouts.visitorMs)
  const passages = await retrieve(ctx, { connected, signal }, work)
  if (passages.length === 0) return refusal
  const text = await askModel(ctx, connected, {
    system: ANSWER_RULES,
    message: answerMessage(passages, work.question, work.history),
    maxOutputTokens: MAX_ANSWER_TOKENS,
    signal,
  })
  const answer = text === null ? null : citedAnswer(ctx, work, passages, text)
  if (answer === null) return refusal
  // Models take their time: what was unpublished meanwhile is not returned.
  return (await areCurrent(ctx, work.types, passages)) ? answer : refusal
}

/** Follow-up questions are short: with the one before they say what they are about. */
const retrieve = async (
  ctx: Ctx,
  { connected, signal }: { connected: Connected; signal: AbortSignal },
  { question, history, locale, types, settings, site }: Work,
): Promise<Passage[]> => {
  const find = (text: string, ideas: Ideas | null = null) =>
    findPassages(ctx, { question: text, ideas, locale, locales: site.locales, types, synonyms: settings.synonyms })
  if (settings.rewrite) {
    const reply = await askModel(ctx, connected, {
      system: REWRITE_RULES,
      message: rewriteMessage(question, history, site.locales),
      maxOutputTokens: MAX_REWRITE_TOKENS,
      signal,
    })
    const ideas = parseIdeas(reply ?? '')
    if (ideas) return find(question, ideas)
  }
  const found = await find(question)
  const before = history.findLast(({ role }) => role === 'user')?.text
  return found.length > 0 || before === undefined ? found : find(`${question} ${before}`)
}

/** The model's words with their sources; null when nothing in them rests on a passage. */
const citedAnswer = (ctx: Ctx, work: Work, passages: readonly Passage[], text: string): CachedAnswer | null => {
  const known = passages.map(({ title, heading, body }) => `${title} ${heading} ${body}`).join('\n')
  const cleaned = plainAnswer(text, known)
  if (repeatsRules(cleaned, ANSWER_RULES)) return null
  const cited = citationsIn(cleaned).flatMap((n) => passages[n - 1] ?? [])
  const entries = [...new Set(cited.map(({ entryId }) => entryId))].slice(0, MAX_SOURCES)
  const answer = mapCitations(cleaned, (n) => {
    const place = entries.indexOf(passages[n - 1]?.entryId ?? '')
    return place === -1 ? null : place + 1
  })
  const isEmpty = answer.replace(/\[\d+\]/g, '').trim() === ''
  if (entries.length === 0 || isEmpty) return null
  const sources = entries.flatMap((id) => {
    const passage = cited.find(({ entryId }) => entryId === id)
    return passage ? [sourceOf(ctx, work, passage)] : []
  })
  return { answer, sources, found: true }
}

const sourceOf = (ctx: Pick<Ctx, 'config'>, { site }: Work, passage: Passage): VisitorSource => ({
  id: passage.entryId,
  type: passage.type,
  slug: passage.slug,
  title: passage.title,
  url:
    passage.template === null
      ? null
      : fillPreviewUrl(passage.template, { ...passage, id: passage.entryId }, site.url ?? ctx.config.publicUrl),
  excerpt: excerptOf(passage.body || passage.title),
})
