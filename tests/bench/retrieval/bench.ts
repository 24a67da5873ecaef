import { findPassages, type Ideas, parseIdeas } from '@stoa/cms/assistant/retrieval/retrieval.ts'
import {
  demoQuestions,
  type LabelledQuestion,
  type QuestionClass,
} from '@stoa/cms/assistant/retrieval/testing/demo-questions.ts'
import { unseenQuestions } from '@stoa/cms/assistant/retrieval/testing/unseen-questions.ts'
import { contextFor } from '@stoa/cms/context.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { createGoals } from '../goals.ts'
import { corpus, corpusQuestions } from './corpus.ts'
import { measureCost } from './cost.ts'
import { fill, fillDemo, print } from './fill.ts'
import { DEMO_REWRITTEN } from './recorded/demo.ts'
import { replyOf } from './recorded/recorded.ts'
import { shopRewritten } from './recorded/shop.ts'
import { nearQuestions, unseenShopQuestions } from './shop-questions.ts'
import { smallSites, unseenSites } from './sites/sites.ts'

/**
 * How many of labelled questions the search of the visitor assistant finds the page for, and how often it finds one where there
 * is none; as visitors ask them, and as a model rewrites them. Values were tuned on the questions to the demo and to the shop.
 * Those for ideas, and the least coverage, were also chosen with the two small sites in sight: these do not say any more what a
 * new site can expect. Nothing was tuned on the climbing hall.
 */
export const run = async (): Promise<void> => {
  for (const site of SITES) await measure(site)
  const goals = createGoals()
  for (const group of ['tuned on', 'small sites', 'not tuned on', 'every site'] as const) {
    for (const { kinds, isRewritten = false, most } of TOTALS) {
      const results = measured.filter(
        (result) =>
          (group === 'every site' || result.group === group) &&
          result.isRewritten === isRewritten &&
          kinds.includes(result.kind),
      )
      if (results.length === 0) continue
      const line = `retrieval, ALL ${group}${isRewritten ? ', rewritten' : ''}, ${kinds.join(' and ')}: ${summaryOf(results)}`
      // One site has so few questions of a kind that each is seven percent: it is shown, and counts among all
      if (most === undefined || group === 'not tuned on') process.stdout.write(`${line}\n`)
      else goals.check(line, shareOfWrong(results), most)
    }
  }
  await measureCost(goals)
  goals.finish()
}

type Site = {
  name: string
  group: 'tuned on' | 'small sites' | 'not tuned on'
  questions: readonly LabelledQuestion[]
  fill: (service: CmsService) => Promise<void>
  /** What a model makes of a question. */
  rewritten: (question: string) => string | undefined
}

const SITES: readonly Site[] = [
  {
    name: 'demo',
    group: 'tuned on',
    questions: [...demoQuestions, ...unseenQuestions],
    fill: fillDemo,
    rewritten: (question) => DEMO_REWRITTEN[question],
  },
  {
    name: '2,000 pages',
    group: 'tuned on',
    questions: [...corpusQuestions(), ...nearQuestions, ...unseenShopQuestions],
    fill: (service) => fill(service, ['en', 'de'], corpus()),
    rewritten: shopRewritten,
  },
  ...[...smallSites, ...unseenSites].map(
    (site): Site => ({
      name: site.name,
      group: unseenSites.includes(site) ? 'not tuned on' : 'small sites',
      questions: site.questions,
      fill: (service) => fill(service, site.locales, site.pages),
      rewritten: (question) => site.rewritten[question],
    }),
  ),
]

const MOST_MISSED = 0.1
const MOST_MISSED_REWRITTEN = 0.15
const MOST_WRONG = 0.05

/** The goals over all sites of a group. What is asked in other words has one where the question is rewritten. */
const TOTALS: readonly { kinds: readonly QuestionClass[]; isRewritten?: boolean; most?: number }[] = [
  { kinds: ['plain', 'typo'], most: MOST_MISSED },
  { kinds: ['unseen'], most: MOST_MISSED },
  { kinds: ['paraphrase'] },
  { kinds: ['language'] },
  { kinds: ['unanswerable'], most: MOST_WRONG },
  { kinds: ['near'], most: MOST_WRONG },
  { kinds: ['unseen near'], most: MOST_WRONG },
  { kinds: ['paraphrase'], isRewritten: true, most: MOST_MISSED_REWRITTEN },
  { kinds: ['plain', 'typo', 'unseen'], isRewritten: true, most: MOST_MISSED_REWRITTEN },
  { kinds: ['near', 'unseen near'], isRewritten: true, most: MOST_WRONG },
]

type Result = { site: string; group: Site['group']; kind: QuestionClass; isRewritten: boolean; isRight: boolean }

const measured: Result[] = []

const measure = async ({ name, group, questions, fill, rewritten }: Site): Promise<void> => {
  const service = await startCms()
  try {
    await fill(service)
    const ctx = contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const)
    const { types, settings } = await ctx.delivery.site.read()
    const site = { locales: settings.locales, types: [...types.keys()], synonyms: [] }
    const ask = async ({ kind, question, slugs, locale = settings.locale }: LabelledQuestion, ideas: Ideas | null) => {
      const passages = await findPassages(ctx, { ...site, locale, question, ideas })
      const isRight = slugs.length === 0 ? passages.length === 0 : passages.some(({ slug }) => slugs.includes(slug))
      measured.push({ site: name, group, kind, isRewritten: ideas !== null, isRight })
      if (isRight) return
      const found = passages.map(({ slug }) => slug).join(' ') || 'nothing'
      print(`  ${name}${ideas ? ', rewritten' : ''}, ${kind}: “${question}” found ${found}`)
    }
    for (const labelled of questions) {
      await ask(labelled, null)
      const recorded = rewritten(labelled.question)
      if (recorded === undefined) continue
      const ideas = parseIdeas(replyOf(recorded))
      if (ideas === null) throw new Error(`This is no reply: ${recorded}`)
      await ask(labelled, ideas)
    }
  } finally {
    await service.close()
  }
  for (const isRewritten of [false, true])
    for (const kind of new Set(questions.map((question) => question.kind))) {
      const results = measured.filter(
        (result) => result.site === name && result.kind === kind && result.isRewritten === isRewritten,
      )
      if (results.length > 0) print(`${name}${isRewritten ? ', rewritten' : ''}: ${kind}: ${summaryOf(results)}`)
    }
}

const UNANSWERED: ReadonlySet<QuestionClass> = new Set(['unanswerable', 'near', 'unseen near'])

const wrongIn = (results: readonly Result[]): number => results.filter(({ isRight }) => !isRight).length

const shareOfWrong = (results: readonly Result[]): number => wrongIn(results) / results.length

const summaryOf = (results: readonly Result[]): string => {
  const wrong = wrongIn(results)
  const all = results.length
  return results.some(({ kind }) => UNANSWERED.has(kind))
    ? `found where there is nothing ${wrong} of ${all} = ${(wrong / all).toFixed(3)}`
    : `recall@6 ${all - wrong} of ${all} = ${((all - wrong) / all).toFixed(3)}, missed ${(wrong / all).toFixed(3)}`
}
