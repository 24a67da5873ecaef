import { findPassages, type Search } from '@stoa/cms/assistant/retrieval/retrieval.ts'
import { rewrittenSearch } from '@stoa/cms/assistant/retrieval/rewriting.ts'
import { demoQuestions, type LabelledQuestion } from '@stoa/cms/assistant/retrieval/testing/demo-questions.ts'
import { unseenQuestions } from '@stoa/cms/assistant/retrieval/testing/unseen-questions.ts'
import { resyncTypes } from '@stoa/cms/content/entries/resync.ts'
import { contextFor } from '@stoa/cms/context.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { newId } from '@stoa/kit/ids.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { corpus, corpusQuestions } from './corpus.ts'
import { REWRITTEN } from './rewriting.ts'
import { nearQuestions, unseenShopQuestions } from './shop-questions.ts'

const LEAST_RECALL = 0.9
const MOST_WRONG = 0.05
const UNANSWERED: ReadonlySet<string> = new Set(['unanswerable', 'near', 'unseen near'])

/** How many of labelled questions the search of the visitor assistant finds the page for, and how often it finds one where there is none. */
export const run = async (): Promise<void> => {
  await measure('demo', [...demoQuestions, ...unseenQuestions], fillDemo)
  const inOtherWords = demoQuestions.filter(({ question }) => REWRITTEN[question] !== undefined)
  await measure('demo, rewritten by a script', inOtherWords, fillDemo, true)
  await measure('2,000 pages', [...corpusQuestions(), ...nearQuestions, ...unseenShopQuestions], fill)
  await measureCost()
}

const fillDemo = async (service: CmsService): Promise<void> => {
  const owner = await service.claim()
  const { status, text } = await owner.client.post('/api/demo')
  if (status !== 201) throw new Error(text)
}

const print = (line: string): void => void process.stdout.write(`retrieval: ${line}\n`)

const measure = async (
  name: string,
  questions: readonly LabelledQuestion[],
  prepare: (service: CmsService) => Promise<void>,
  isRewriting = false,
): Promise<void> => {
  const service = await startCms()
  try {
    await prepare(service)
    const ctx = contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const)
    const { types, settings } = await ctx.delivery.site.read()
    const results = new Map<string, { right: number; all: number }>()
    const began = performance.now()
    for (const { kind, question, slugs, locale = settings.locale } of questions) {
      const scope = { locale, locales: settings.locales, types: [...types.keys()] }
      const find = (text: string, synonyms: Search['synonyms'] = []) =>
        findPassages(ctx, { ...scope, question: text, synonyms })
      const rewritten = isRewriting ? rewrittenSearch(REWRITTEN[question] ?? '') : null
      // As the visitor assistant does: in the model's words, else in the visitor's.
      const inOthers = rewritten ? await find(rewritten.question, rewritten.synonyms) : []
      const passages = inOthers.length > 0 ? inOthers : await find(question)
      const isRight = slugs.length === 0 ? passages.length === 0 : passages.some(({ slug }) => slugs.includes(slug))
      const result = results.get(kind) ?? { right: 0, all: 0 }
      results.set(kind, { right: result.right + Number(isRight), all: result.all + 1 })
      if (!isRight)
        print(`  ${name}, ${kind}: “${question}” found ${passages.map(({ slug }) => slug).join(' ') || 'nothing'}`)
    }
    for (const [kind, { right, all }] of results)
      print(
        UNANSWERED.has(kind)
          ? `${name}: found where there is nothing (${kind}) ${all - right} of ${all} = ${((all - right) / all).toFixed(3)} (goal <= ${MOST_WRONG})`
          : `${name}: recall@6 of ${kind} ${right} of ${all} = ${(right / all).toFixed(3)} (goal >= ${LEAST_RECALL})`,
      )
    print(`${name}: ${((performance.now() - began) / questions.length).toFixed(1)} ms a question`)
  } finally {
    await service.close()
  }
}

/** What a question costs on a large site, where each of its words is in thousands of places. */
const measureCost = async (): Promise<void> => {
  const service = await startCms()
  try {
    await fill(service)
    const { pool } = service.cms.database
    const { rows: originals } = await pool.query<{ id: string }>('select id from entry')
    for (let n = 1; n <= COPIES; n += 1)
      for (let from = 0; from < originals.length; from += AT_ONCE)
        await pool.query(COPY, [originals.slice(from, from + AT_ONCE).map(({ id }) => id), n])
    await unhurried(pool, 'analyze entry, entry_search, search_chunk')
    const { rows } = await pool.query<{ count: string }>('select count(*) from search_chunk')
    const ctx = contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const)
    const { types, settings } = await ctx.delivery.site.read()
    const times: number[] = []
    let tooLong = 0
    for (const { question, locale = settings.locale } of [...corpusQuestions(), ...nearQuestions]) {
      const began = performance.now()
      const search = { question, locale, locales: settings.locales, types: [...types.keys()], synonyms: [] }
      await findPassages(ctx, search).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error
        tooLong += 1
      })
      times.push(performance.now() - began)
    }
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`
    print(
      `${rows[0]?.count} places: median ${at(0.5)}, 95 of 100 within ${at(0.95)}, slowest ${at(1)} a question, ${tooLong} given up`,
    )
  } finally {
    await service.close()
  }
}

/** Takes longer than any statement of the service may. */
const unhurried = async (pool: CmsService['cms']['database']['pool'], text: string): Promise<void> => {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const statement = { text, query_timeout: 600_000 }
    await client.query(statement)
  } finally {
    client.release(true)
  }
}

const COPIES = 25
const AT_ONCE = 200
const COPY = `with copied as (select e.*, gen_random_uuid() as copy from entry e where e.id = any ($1::uuid[])),
  entries as (
    insert into entry (id, type, slug, title, data, status, locale, version, live_version, live_updated_at, published_at, created_at, updated_at)
    select copy, type, slug || '-' || $2::integer, title, data, status, locale, 1, 1, now(), now(), now(), now() from copied),
  documents as (
    insert into entry_search (entry_id, public_document, full_document, words, fields_version)
    select c.copy, s.public_document, s.full_document, s.words, s.fields_version from copied c join entry_search s on s.entry_id = c.id)
  insert into search_chunk (entry_id, n, type, locale, config, title, heading, body, words, tsv)
  select c.copy, k.n, k.type, k.locale, k.config, k.title, k.heading, k.body, k.words, k.tsv
  from copied c join search_chunk k on k.entry_id = c.id`

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
  await unhurried(database.pool, 'vacuum analyze')
  print(`${entries.length} pages`)
}
