import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, describe, test } from 'node:test'
import { newId } from '@stoa/kit/ids.ts'
import { untilWaiting } from '@stoa/tests/lib/cms.ts'
import { resolveTerms, resolveTermsOf, setEntryTerms, setEntryTermsOf, termsOfEntries } from './entry-terms.ts'
import { type Ground, type NewTerm, startGround } from './testing/ground.ts'
import { insertEntry, insertType } from './testing/queries.ts'

let ground: Ground
let news: NewTerm
let sport: NewTerm
let red: NewTerm
before(async () => {
  ground = await startGround()
  for (const name of ['article', 'page']) await insertType(ground.service, name)
  await ground.newTaxonomy({ name: 'categories', types: ['article'] })
  await ground.newTaxonomy({ name: 'colours' })
  news = await ground.newTerm('categories', { name: 'News' })
  sport = await ground.newTerm('categories', { name: 'Sport' })
  red = await ground.newTerm('colours', { name: 'Red' })
})
after(() => ground.close())

const db = () => ground.service.cms.database.db
const inTx: Ground['service']['cms']['database']['tx'] = (run) => ground.service.cms.database.tx(run)
const slugsOf = async (entryId: string) => (await termsOfEntries(db(), [entryId])).get(entryId)?.map(({ slug }) => slug)
const newEntry = () => insertEntry(ground.service, { type: 'article' })

describe('resolving terms', () => {
  test('gives each id once, in one statement', async () => {
    const watch = ground.service.cms.database.watchStatements()
    const resolved = await resolveTerms(db(), 'article', [
      { taxonomy: 'colours', slug: 'red' },
      { taxonomy: 'categories', slug: 'news' },
      { taxonomy: 'colours', slug: 'red' },
    ])
    watch.stop()
    assert.deepEqual(resolved, { termIds: [red.id, news.id], problems: [] })
    assert.equal(watch.texts.length, 1)
    assert.deepEqual(await resolveTerms(db(), 'article', []), { termIds: [], problems: [] })
  })

  test('names what is unknown, of another taxonomy, or not for the type', async () => {
    const { problems } = await resolveTerms(db(), 'page', [
      { taxonomy: 'colours', slug: 'red' },
      { taxonomy: 'colours', slug: 'news' },
      { taxonomy: 'categories', slug: 'news' },
      { taxonomy: 'constructor', slug: 'red' },
    ])
    assert.deepEqual(
      problems.map(({ key }) => key),
      ['terms.1.slug', 'terms.2.taxonomy', 'terms.3.taxonomy'],
    )
  })

  test('of one taxonomy takes slugs, also none', async () => {
    assert.deepEqual(await resolveTermsOf(db(), 'article', 'categories', ['sport', 'news']), {
      termIds: [sport.id, news.id],
      problems: [],
    })
    assert.deepEqual(await resolveTermsOf(db(), 'article', 'categories', []), { termIds: [], problems: [] })
    const keys = async (type: string, taxonomy: string, slugs: string[]) =>
      (await resolveTermsOf(db(), type, taxonomy, slugs)).problems.map(({ key }) => key)
    assert.deepEqual(await keys('article', 'categories', ['news', 'red']), ['terms.1'])
    assert.deepEqual(await keys('page', 'categories', ['news']), ['taxonomy'])
    assert.deepEqual(await keys('page', 'missing', []), ['taxonomy'])
  })
})

describe('terms of an entry', () => {
  test('are replaced as a whole, and only a change is recorded', async () => {
    const entryId = await newEntry()
    assert.equal(await inTx((tx) => setEntryTerms(tx, entryId, [red.id, sport.id])), true)
    assert.deepEqual(await slugsOf(entryId), ['sport', 'red'])
    assert.equal(await inTx((tx) => setEntryTerms(tx, entryId, [sport.id, red.id])), false)
    assert.equal(await inTx((tx) => setEntryTerms(tx, entryId, [news.id])), true)
    assert.deepEqual(await slugsOf(entryId), ['news'])
    assert.equal(await inTx((tx) => setEntryTerms(tx, entryId, [])), true)
    assert.deepEqual(await slugsOf(entryId), [])
  })

  test('of one taxonomy leave the others alone', async () => {
    const entryId = await newEntry()
    await inTx((tx) => setEntryTerms(tx, entryId, [red.id, sport.id]))
    assert.equal(await inTx((tx) => setEntryTermsOf(tx, entryId, 'categories', [news.id, red.id])), true)
    assert.deepEqual(await slugsOf(entryId), ['news', 'red'])
    assert.equal(await inTx((tx) => setEntryTermsOf(tx, entryId, 'categories', [])), true)
    assert.deepEqual(await slugsOf(entryId), ['red'])
    assert.equal(await inTx((tx) => setEntryTermsOf(tx, entryId, 'missing', [news.id])), false)
    assert.deepEqual(await slugsOf(entryId), ['red'])
  })

  test('of many entries come in one statement, by taxonomy and place', async () => {
    const [first, second, third] = [await newEntry(), await newEntry(), newId()]
    await inTx((tx) => setEntryTerms(tx, first, [red.id, sport.id, news.id]))
    const watch = ground.service.cms.database.watchStatements()
    const terms = await termsOfEntries(db(), [first, second, third])
    watch.stop()
    assert.equal(watch.texts.length, 1)
    assert.deepEqual(terms.get(first), [
      { id: news.id, slug: 'news', name: 'News', taxonomy: 'categories' },
      { id: sport.id, slug: 'sport', name: 'Sport', taxonomy: 'categories' },
      { id: red.id, slug: 'red', name: 'Red', taxonomy: 'colours' },
    ])
    assert.deepEqual([terms.get(second), terms.get(third)], [[], []])
  })

  test('leave out a term that someone deletes at this moment', async () => {
    const entryId = await newEntry()
    const gone = await ground.newTerm('categories', { name: 'Gone' })
    let saved: Promise<boolean> | undefined
    // Within one transaction no other may begin.
    const elsewhere = AsyncLocalStorage.snapshot()
    await inTx(async (tx) => {
      await tx.deleteFrom('term').where('id', '=', gone.id).execute()
      saved = elsewhere(() => inTx((other) => setEntryTerms(other, entryId, [gone.id, red.id])))
      await untilWaiting(tx, 1)
    })
    assert.equal(await saved, true)
    assert.deepEqual(await slugsOf(entryId), ['red'])
  })
})
