import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { contextFor } from '../../context.ts'
import { findPassages } from './retrieval.ts'
import { demoQuestions, type QuestionClass } from './testing/demo-questions.ts'
import { correctionsOf, withSynonyms, wordsOf } from './words.ts'

describe('the demo’s bookshop', () => {
  let service: CmsService
  before(async () => {
    service = await startCms()
    const owner = await service.claim()
    const made = await owner.client.post('/api/demo')
    assert.equal(made.status, 201, made.text)
  })
  after(() => service.close())

  const find = async (question: string) => {
    const ctx = contextFor(service.cms.services, { kind: 'system', name: 'test' } as const)
    const { types, settings } = await ctx.delivery.site.read()
    const { locale, locales } = settings
    return findPassages(ctx, { question, locale, locales, types: [...types.keys()], synonyms: [] })
  }
  const missed = async (kind: QuestionClass) => {
    const wrong: string[] = []
    for (const { question, slugs } of demoQuestions.filter((labelled) => labelled.kind === kind)) {
      const passages = await find(question)
      const isRight = slugs.length === 0 ? passages.length === 0 : passages.some(({ slug }) => slugs.includes(slug))
      if (!isRight) wrong.push(question)
    }
    return wrong
  }

  test('finds the page for questions in its words, also mistyped ones', async () => {
    assert.deepEqual([await missed('plain'), await missed('typo')], [[], []])
  })

  test('finds nothing where there is nothing', async () => {
    assert.deepEqual(await missed('unanswerable'), [])
  })

  test('gives six passages at most, two of one entry', async () => {
    const passages = await find('book books page tide sea reading morning shop')
    assert.ok(passages.length > 0 && passages.length <= 6)
    for (const { entryId } of passages) assert.ok(passages.filter((passage) => passage.entryId === entryId).length <= 2)
  })

  test('costs the same few statements however long the question is', async () => {
    const statements = async (question: string) => {
      const watch = service.cms.database.watchStatements()
      await find(question)
      watch.stop()
      return watch.texts.length
    }
    const long = Array.from({ length: 83 }, (_, n) => `word${n}`).join(' ')
    assert.equal(await statements(long), await statements('nowhere to be seen'))
  })
})

test('words are told apart by what is no letter and no digit, each once, and not without end', () => {
  assert.deepEqual(wordsOf("What's the café's price, price? 20 € — d’accord!"), [
    "what's",
    'the',
    "café's",
    'price',
    '20',
    'd’accord',
  ])
  assert.equal(wordsOf(Array.from({ length: 250 }, (_, n) => `w${n}`).join(' ')).length, 48)
  assert.deepEqual(wordsOf('!?…'), [])
})

test('what means the same stands beside the word; of several words all must be asked', () => {
  const groups = [
    ['opening hours', 'open times'],
    ['bike', 'bicycle'],
  ]
  assert.deepEqual(withSynonyms(['opening', 'hours', 'bike'], groups), [
    ['opening', 'open times'],
    ['hours', 'open times'],
    ['bike', 'bicycle'],
  ])
  assert.deepEqual(withSynonyms(['opening', 'tin'], groups), [['opening'], ['tin']])
})

test('a mistyped word is corrected by what it resembles, and a short one not at all', () => {
  const titles = ['orders and deliveries', 'cleaning the kettle', 'book repairs']
  assert.deepEqual(correctionsOf('delivreies', titles), ['deliveries'])
  assert.deepEqual(correctionsOf('cleean', titles), ['cleaning'])
  assert.deepEqual(correctionsOf('kéttel', titles), ['kettle'])
  assert.deepEqual(correctionsOf('bok', titles), [])
  assert.deepEqual(correctionsOf('quantum', titles), [])
})
