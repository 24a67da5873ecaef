import { existsSync, readFileSync } from 'node:fs'
import { findPassages } from '@stoa/cms/assistant/retrieval/retrieval.ts'
import { contextFor } from '@stoa/cms/context.ts'
import { Fault } from '@stoa/kit/errors.ts'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import type { Goals } from '../goals.ts'
import { corpus, corpusQuestions } from './corpus.ts'
import { fill, type Pool, print, unhurried } from './fill.ts'
import { nearQuestions } from './shop-questions.ts'

/**
 * What a question costs on a large site, where each of its words is in thousands of places: beside what it costs on one with
 * few of them, and beside a search that ranks every place with one of the words.
 */
export const measureCost = async (goals: Goals): Promise<void> => {
  const service = await startCms()
  try {
    await fill(service, ['en', 'de'], corpus())
    const small = await timesOf(service)
    const { pool } = service.cms.database
    const { rows: originals } = await pool.query<{ id: string }>('select id from entry')
    for (let n = 1; n <= COPIES; n += 1)
      for (let from = 0; from < originals.length; from += AT_ONCE)
        await pool.query(COPY, [originals.slice(from, from + AT_ONCE).map(({ id }) => id), n])
    await unhurried(pool, 'vacuum analyze entry, entry_search, search_chunk')
    const large = await timesOf(service)
    const grown = large.ours.cpuMs / small.ours.cpuMs
    print(
      `a question at ${small.places} places: ${spread(small.ours)}, ${small.wrong} of ${small.ours.all.length} wrong`,
    )
    print(
      `a question at ${large.places} places: ${spread(large.ours)}, ${large.givenUp} given up, ${large.wrong} of ${large.ours.all.length} wrong`,
    )
    goals.check(
      `retrieval, growth: the site ${(large.places / small.places).toFixed(0)} times, a question ${grown.toFixed(1)} times`,
      grown,
      MOST_GROWN,
    )
    const ratio = large.ours.cpuMs / large.ranked.cpuMs
    goals.check(
      `retrieval, ranking every place with one of the words: ${spread(large.ranked)}; ratio of ours ${ratio.toFixed(2)}`,
      ratio,
      MOST_OF_RANKED,
    )
  } finally {
    await service.close()
  }
}

const MOST_GROWN = 4
const MOST_OF_RANKED = 0.5
/** Every so many of the questions. */
const EVERY = 3

const timesOf = async (service: CmsService) => {
  const { pool } = service.cms.database
  const ctx = contextFor(service.cms.services, { kind: 'system', name: 'bench' } as const)
  const { types, settings } = await ctx.delivery.site.read()
  const { rows } = await pool.query<{ count: string }>('select count(*) from search_chunk')
  let givenUp = 0
  let wrong = 0
  const questions = [...corpusQuestions(), ...nearQuestions].filter((_, n) => n % EVERY === 0)
  const ours = await timed(pool, questions, async ({ question, slugs, locale = settings.locale }) => {
    const search = { question, locale, locales: settings.locales, types: [...types.keys()], synonyms: [] }
    const passages = await findPassages(ctx, search).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error
      givenUp += 1
      return []
    })
    // A copy of the page is as good
    const isPage = (slug: string) => slugs.some((page) => slug === page || slug.startsWith(`${page}-`))
    const isRight = slugs.length === 0 ? passages.length === 0 : passages.some(({ slug }) => isPage(slug))
    if (isRight) return
    wrong += 1
    print(`  ${rows[0]?.count} places: “${question}” found ${passages.map(({ slug }) => slug).join(' ') || 'nothing'}`)
  })
  const ranked = await timed(pool, questions, ({ question, locale }) =>
    pool.query(RANK_ALL, [locale === 'de' ? 'german' : 'english', question]),
  )
  return { places: Number(rows[0]?.count), ours, ranked, givenUp, wrong }
}

type Times = { all: readonly number[]; cpuMs: number }

const timed = async <T>(pool: Pool, items: readonly T[], run: (item: T) => Promise<unknown>): Promise<Times> => {
  const all: number[] = []
  const before = await cpuOf(pool)
  for (const item of items) {
    const began = performance.now()
    await run(item)
    all.push(performance.now() - began)
  }
  // Connections come and go: one that ended since has taken its part with it.
  const worked = [...(await cpuOf(pool))].map(([pid, ms]) => ms - (before.get(pid) ?? 0))
  return { all, cpuMs: worked.reduce((a, b) => a + b, 0) / items.length }
}

/** What each of the database's processes has worked, in ms: other than times, it says the same on a busy machine. Linux only. */
const cpuOf = async (pool: Pool): Promise<ReadonlyMap<number, number>> => {
  const { rows } = await pool.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  return new Map(
    rows.map(({ pid }) => {
      const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
      const [user = 0, system = 0] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
        .map(Number)
      return [pid, (user + system) * MS_PER_TICK]
    }),
  )
}

const MS_PER_TICK = 10

const RANK_ALL = `select entry_id, n from search_chunk,
    (select replace(plainto_tsquery($1::text::regconfig, $2)::text, '&', '|')::tsquery as query) q
  where tsv @@ query order by ts_rank_cd(tsv, query, 32) desc limit 6`

const at = (times: readonly number[], share: number): number => {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

const spread = (times: Times): string =>
  `${times.cpuMs.toFixed(0)} ms of the database's CPU; median ${at(times.all, 0.5).toFixed(0)} ms, 95 of 100 within ${at(times.all, 0.95).toFixed(0)} ms, slowest ${at(times.all, 1).toFixed(0)} ms`

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
