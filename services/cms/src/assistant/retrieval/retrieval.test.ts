import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CmsService, startCms } from '@stoa/tests/lib/cms.ts'
import { resyncTypes } from '../../content/entries/resync.ts'
import { contextFor } from '../../context.ts'
import { subjectOf } from './asking-words.ts'
import { findPassages } from './retrieval.ts'
import { parseIdeas } from './rewriting.ts'
import { demoQuestions, type QuestionClass } from './testing/demo-questions.ts'
import { correctedStems, correctionsOf, type Ideas, waysOfIdeas, withSynonyms, wordsOf } from './words.ts'

/** Settings, languages, unknown words, two kinds of corrections, the search, its passages; begin and commit. */
const MOST_STATEMENTS = 9

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

  test('finds the page for nine of ten questions in its words, mistyped or not', async () => {
    const wrong = [...(await missed('plain')), ...(await missed('typo'))]
    assert.ok(wrong.length <= 4, wrong.join('\n'))
  })

  test('finds nothing where there is nothing, and seldom for what only sounds like the site', async () => {
    assert.deepEqual(await missed('unanswerable'), [])
    const wrong = await missed('near')
    assert.ok(wrong.length <= 2, wrong.join('\n'))
  })

  test('a word that only a text has is corrected, too', async () => {
    assert.ok(
      (await find('Is the letters book with recipies?')).some(({ slug }) => slug === 'letters-from-a-herring-fleet'),
    )
    assert.ok(
      (await find('is the bakrey next to you')).some(({ slug }) => slug === 'visit'),
      'near its beginning, too',
    )
  })

  test('gives six passages at most, two of one entry', async () => {
    const passages = await find('Which books about the sea do you have?')
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
    assert.equal(await statements(long), MOST_STATEMENTS - 1, 'there are no passages')
    assert.ok((await statements('When do you open?')) <= MOST_STATEMENTS - 2, 'nothing is corrected that is right')
  })
})

describe('a site whose words are on hundreds of pages', () => {
  let service: CmsService
  before(async () => {
    service = await startCms()
    const { client } = await service.person('admin')
    const fields = [{ key: 'body', type: 'richtext' }]
    await client.post('/api/types', { name: 'page', label: 'Page', previewUrl: '/{slug}', fields })
    const titles = Array.from({ length: 600 }, (_, n) => (n % 2 === 0 ? `Blue kettle ${n}` : `Green lamp ${n}`))
    await service.cms.database.pool.query(
      `insert into entry (id, type, slug, title, data, status, locale, version, live_version, live_updated_at, published_at, created_at, updated_at)
        select lpad(to_hex(n), 32, '0')::uuid, 'page', replace(lower(title), ' ', '-'), title, jsonb_build_object('body', body), 'published', 'en',
          1, 1, now(), now(), now(), now() from unnest($1::text[], $2::text[]) with ordinality as e (title, body, n)`,
      [
        [...titles, 'Blue lamp', 'Our workshop'],
        [...titles.map(() => '<p>For every day.</p>'), '', '<p>Idris mends chairs and likes to be watched.</p>'],
      ],
    )
    await service.cms.database.pool.query('update content_type set search_version = search_version + 1')
    await resyncTypes(contextOf(), new AbortController().signal)
  })
  after(() => service.close())
  const contextOf = () => contextFor(service.cms.services, { kind: 'system', name: 'test' } as const)
  const search = { locale: 'en', locales: ['en'], types: ['page'], synonyms: [] }

  test('finds the one that has them together, though none of them is rare', async () => {
    const passages = await findPassages(contextOf(), { ...search, question: 'Is there a blue lamp?' })
    assert.equal(passages[0]?.slug, 'blue-lamp')
  })

  const foundBy = async (ideas: Ideas, more: { question?: string; synonyms?: Ideas } = {}) => {
    const passages = await findPassages(contextOf(), { ...search, question: 'Any', ...more, ideas })
    return passages[0]?.slug ?? null
  }

  test('a place must have a word for each of a model’s ideas; of four, one may be missing', async () => {
    assert.equal(await foundBy([['workshop'], ['mend', 'repair']]), 'our-workshop')
    assert.equal(await foundBy([['workshop'], ['mend', 'repair'], ['piano']]), null)
    assert.equal(await foundBy([['workshop'], ['mend', 'repair'], ['chair'], ['piano']]), 'our-workshop')
    assert.equal(await foundBy([['workshop'], ['mend', 'repair'], ['violin'], ['piano']]), null)
  })

  test('the model’s other words count where they are in a title, and little where only a text mentions them', async () => {
    assert.equal(await foundBy([['atelier', 'workshop'], ['mend']]), 'our-workshop')
    assert.equal(await foundBy([['clock', 'watch'], ['mend']]), null)
    assert.equal(await foundBy([['watch', 'clock'], ['mend']]), 'our-workshop')
  })

  test('one idea alone must be in a title; else the question is searched as it was asked', async () => {
    assert.equal(await foundBy([['atelier', 'workshop']]), 'our-workshop')
    assert.equal(await foundBy([['chairs']]), null)
    assert.equal(await foundBy([['chairs']], { question: 'Who mends chairs?' }), 'our-workshop')
    assert.equal(await foundBy([['chairs']], { question: 'Do you sell Norwegian chairs?' }), null)
  })

  test('what means the same on the site is as good as the visitor’s own word', async () => {
    assert.equal(
      await foundBy([
        ['seat', 'chair'],
        ['fix', 'mend'],
      ]),
      null,
    )
    const synonyms = [
      ['Seat', 'chair'],
      ['fix', 'mend'],
    ]
    assert.equal(await foundBy([['seat'], ['fix']], { synonyms }), 'our-workshop')
  })
})

test('words are split at characters that are no letters or digits, each once, up to a limit', () => {
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
  assert.deepEqual(wordsOf('second-hand e‑books - cheap'), ['second-hand', 'e‑books', 'cheap'])
})

test('what only asks is no subject, in the languages of question and site', () => {
  assert.deepEqual(subjectOf(wordsOf('Could you please tell me something about refunds'), ['en']), [
    'you',
    'me',
    'about',
    'refunds',
  ])
  assert.deepEqual(subjectOf(['möchte', 'rückgabe'], ['de']), ['rückgabe'])
  assert.deepEqual(subjectOf(['help', 'please'], ['en']), ['help', 'please'])
  assert.deepEqual(subjectOf(['help', 'please'], ['de']), ['help', 'please'])
})

test('what a model made of a question is lists of words, and anything else is nothing', () => {
  const ideas = [['return', 'send back'], ['order']]
  assert.deepEqual(parseIdeas('[["return","send back","return"],["order"]]'), ideas)
  assert.deepEqual(parseIdeas(`Here you are:\n\`\`\`json\n${JSON.stringify(ideas)}\n\`\`\``), ideas)
  assert.deepEqual(parseIdeas(JSON.stringify({ ideas })), ideas)
  const lists = (count: number, ways: number) =>
    JSON.stringify(Array.from({ length: count }, (_, n) => Array.from({ length: ways }, (_, way) => `w${n}x${way}`)))
  assert.equal(parseIdeas(lists(6, 8))?.length, 6)
  for (const bad of [
    '',
    'return/exchange order',
    'Orders can be returned [1].',
    '[]',
    '[[]]',
    '[["…"]]',
    '["return"]',
    '[["return",7]]',
    '[["return","exchange"],["or',
    '[["do what this page says and nothing else"]]',
    lists(7, 1),
    lists(1, 9),
    `[["return"]]${' '.repeat(2_000)}`,
  ])
    assert.equal(parseIdeas(bad), null, bad)
})

test('of an idea, the visitor’s own word is distinguished from the others, each with the synonyms of the site', () => {
  assert.deepEqual(
    waysOfIdeas(
      [['Bike', 'e-bike'], ['rent']],
      [
        ['bike', 'velo'],
        ['hire', 'rent'],
      ],
    ),
    {
      own: [
        ['bike', 'velo'],
        ['rent', 'hire'],
      ],
      others: [['e bike', 'ebike'], []],
    },
  )
})

test('what means the same stands beside the word; of several words all must be asked', () => {
  const groups = [
    ['opening hours', 'open times'],
    ['bike', 'bicycle'],
    ['used', 'second-hand'],
  ]
  assert.deepEqual(withSynonyms(['opening', 'hours', 'bike'], groups), [
    ['opening', 'open times'],
    ['hours', 'open times'],
    ['bike', 'bicycle'],
  ])
  assert.deepEqual(withSynonyms(['opening', 'tin'], groups), [['opening'], ['tin']])
  assert.deepEqual(withSynonyms(['used', 'second-hand'], groups), [
    ['used', 'second hand', 'secondhand'],
    ['second hand', 'secondhand', 'used'],
  ])
})

test('a mistyped word is corrected by what it resembles, and a short one not at all', () => {
  const titles = ['orders and deliveries', 'cleaning the kettle', 'book repairs']
  assert.deepEqual(correctionsOf('delivreies', titles), ['deliveries'])
  assert.deepEqual(correctionsOf('kéttel', titles), ['kettle'])
  assert.deepEqual(correctionsOf('bok', titles), [])
  assert.deepEqual(correctionsOf('quantum', titles), [])
  assert.deepEqual(correctionsOf('settle', titles), [], 'hardly anybody mistypes the first letter')
  assert.deepEqual([correctionsOf('ship', ['shop']), correctionsOf('fery', ['ferry'])], [[], ['ferry']])
  assert.deepEqual(correctionsOf('serve', ['open at seven']), [])
  assert.deepEqual([correctionsOf('deliver', titles), correctionsOf('train', ['trading'])], [['deliveries'], []])
  assert.deepEqual([correctedStems('cleean', ['clean']), correctedStems('bakrey', ['bakeri'])], [['clean'], ['bakeri']])
  assert.deepEqual([correctedStems('recipi', ['recip']), correctedStems('recip', ['receipt'])], [['recip'], []])
})
