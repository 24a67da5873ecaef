import { findPassages } from '@stoa/cms/assistant/retrieval/retrieval.ts'
import {
  demoQuestions,
  type LabelledQuestion,
  unseenQuestions,
} from '@stoa/cms/assistant/retrieval/testing/demo-questions.ts'
import { resyncTypes } from '@stoa/cms/content/entries/resync.ts'
import { contextFor } from '@stoa/cms/context.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { corpus, corpusQuestions } from './corpus.ts'

const LEAST_RECALL = 0.9
const MOST_WRONG = 0.05

/** How many of labelled questions the search of the visitor assistant finds the page for, and how often it finds one where there is none. */
export const run = async (): Promise<void> => {
  await measure('demo', [...demoQuestions, ...unseenQuestions], async (service) => {
    const owner = await service.claim()
    const { status, text } = await owner.client.post('/api/demo')
    if (status !== 201) throw new Error(text)
  })
  await measure('2,000 pages', corpusQuestions(), fill)
}

const print = (line: string): void => void process.stdout.write(`retrieval: ${line}\n`)

const measure = async (
  name: string,
  questions: readonly LabelledQuestion[],
  prepare: (service: CmsService) => Promise<void>,
): Promise<void> => {
  const service = await startCms()
  try {
    await prepare(service)
    const ctx = contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const)
    const { types, settings } = await ctx.delivery.site.read()
    const results = new Map<string, { right: number; all: number }>()
    const began = performance.now()
    for (const { kind, question, slugs, locale = settings.locale } of questions) {
      const passages = await findPassages(ctx, {
        question,
        locale,
        locales: settings.locales,
        types: [...types.keys()],
        synonyms: [],
      })
      const isRight = slugs.length === 0 ? passages.length === 0 : passages.some(({ slug }) => slugs.includes(slug))
      const result = results.get(kind) ?? { right: 0, all: 0 }
      results.set(kind, { right: result.right + Number(isRight), all: result.all + 1 })
      if (!isRight)
        print(`  ${name}, ${kind}: “${question}” found ${passages.map(({ slug }) => slug).join(' ') || 'nothing'}`)
    }
    for (const [kind, { right, all }] of results)
      print(
        kind === 'unanswerable' || kind === 'near'
          ? `${name}: found where there is nothing (${kind}) ${all - right} of ${all} = ${((all - right) / all).toFixed(3)}${kind === 'near' ? '' : ` (goal <= ${MOST_WRONG})`}`
          : `${name}: recall@6 of ${kind} ${right} of ${all} = ${(right / all).toFixed(3)} (goal >= ${LEAST_RECALL})`,
      )
    print(`${name}: ${((performance.now() - began) / questions.length).toFixed(1)} ms a question`)
  } finally {
    await service.close()
  }
}

/** Rows as an import would leave them; the job that catches up after an update cuts them into pieces. */
const fill = async (service: CmsService): Promise<void> => {
  const { client } = await service.person('admin')
  await client.put('/api/settings', { locales: ['en', 'de'] })
  const type = { name: 'page', label: 'Page', previewUrl: '/{slug}', fields: [{ key: 'body', type: 'richtext' }] }
  const made = await client.post('/api/types', type)
  if (made.status !== 201) throw new Error(made.text)
  const entries = corpus()
  const { database } = service.cms
  await database.pool.query(
    `insert into entry (id, type, slug, title, data, status, locale, version, live_version, live_updated_at, published_at, created_at, updated_at)
      select id, 'page', slug, title, jsonb_build_object('body', body), 'published', locale, 1, 1, now(), now(), now(), now()
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) as e (id, slug, title, body, locale)`,
    [
      entries.map(() => newId()),
      entries.map(({ slug }) => slug),
      entries.map(({ title }) => title),
      entries.map(({ body }) => body),
      entries.map(({ locale }) => locale),
    ],
  )
  await database.pool.query('update content_type set search_version = search_version + 1')
  await resyncTypes(
    contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const),
    new AbortController().signal,
  )
  await database.pool.query('vacuum analyze')
  print(`${entries.length} pages`)
}
