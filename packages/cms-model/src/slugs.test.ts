import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isReservedSlug, nextFreeSlug, slug, slugFromTitle } from './slugs.ts'

const anyCharacter = fc.integer({ min: 0, max: 0x24ff }).map((code) => String.fromCodePoint(code))

describe('a slug', () => {
  for (const right of ['a', '0', 'hello-world', 'a1-b2-3', 'a'.repeat(200)])
    test(`may be ${right.slice(0, 20)}`, () => assert.equal(slug.safeParse(right).success, true))

  for (const wrong of [
    '',
    '-',
    '-a',
    'a-',
    'a--b',
    'A',
    'a b',
    'ä',
    'a/b',
    'a.b',
    'a\n',
    'a_b',
    '..',
    'a'.repeat(201),
    5,
    null,
  ])
    test(`must not be ${JSON.stringify(wrong)?.slice(0, 20)}`, () => assert.equal(slug.safeParse(wrong).success, false))

  test('is checked in no time, however long', () => {
    assert.equal(slug.safeParse('a-'.repeat(500_000)).success, false)
  })
})

describe('a slug from a title', () => {
  for (const [title, expected, locale] of [
    ['Hello, World!', 'hello-world'],
    ['  What’s new — in 2026?  ', 'whats-new-in-2026'],
    ["Don't stop", 'dont-stop'],
    ['Größe & Äpfel', 'groesse-aepfel', 'de'],
    ['Größe & Äpfel', 'groesse-aepfel', 'de-AT'],
    ['Größe & Äpfel', 'grosse-apfel', 'sv'],
    ['Größe & Äpfel', 'grosse-apfel'],
    ['Zażółć gęślą jaźń', 'zazolc-gesla-jazn'],
    ['Příliš žluťoučký kůň', 'prilis-zlutoucky-kun'],
    ['Árvíztűrő tükörfúrógép', 'arvizturo-tukorfurogep', 'hu'],
    ['Δοκιμή ουρανού', 'dokimi-ouranou'],
    ['Москва и Щёлково', 'moskva-i-shchyolkovo'],
    ['Київ і Галич', 'kyiv-i-halych', 'uk'],
    ['Щастие', 'shtastie', 'bg'],
    ['Điện thoại Việt Nam', 'dien-thoai-viet-nam'],
    ['İstanbul’da Işık Çeşme', 'istanbulda-isik-cesme', 'tr'],
    ['Ærø på Åland', 'aeroe-paa-aaland', 'da'],
    ['Ærø på Åland', 'aero-pa-aland'],
    ['Þórður Íslands', 'thordur-islands'],
    ['Œuvre naïve façade', 'oeuvre-naive-facade', 'fr'],
    ['საქართველო', 'sakartvelo'],
    ['ﬁne ① ½ Ⅳ™', 'fine-1-1-2-ivtm'],
    ['日本語', ''],
    ['日本語 2026', '2026'],
    ['🎉🎉', ''],
    ['', ''],
  ] as const)
    test(`is ${expected || 'empty'} for ${title} ${locale ?? ''}`, () =>
      assert.equal(slugFromTitle(title, locale), expected))

  test('is always a slug, or empty', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 40 }),
        fc.constantFrom('de', 'uk', 'tr', ''),
        (title, locale) => {
          const made = slugFromTitle(title, locale)
          if (made !== '') assert.equal(slug.safeParse(made).success, true, made)
          assert.equal(slugFromTitle(made, locale), made)
        },
      ),
      { seed: 20260301, numRuns: 150 },
    )
  })

  test('of a very long title is cut, between words if it can be', () => {
    assert.equal(slugFromTitle('a'.repeat(1_000_000)).length, 200)
    assert.equal(slugFromTitle('Å-'.repeat(500_000)).length, 199)
    assert.equal(slugFromTitle(`${' '.repeat(1_000_000)}a`), 'a')
    assert.equal(slugFromTitle(`${'ß'.repeat(1_000_000)}`).length, 200)
  })
})

describe('the next free slug', () => {
  test('is the slug itself, or has a number', () => {
    assert.equal(nextFreeSlug('a', new Set()), 'a')
    assert.equal(nextFreeSlug('a', new Set(['a'])), 'a-2')
    assert.equal(nextFreeSlug('a', new Set(['a', 'a-2', 'a-3', 'a-5'])), 'a-4')
  })

  test('is never a reserved one', () => {
    assert.equal(isReservedSlug('single'), true)
    assert.equal(nextFreeSlug('single', new Set()), 'single-2')
  })

  test('stays short enough', () => {
    const long = `${'a'.repeat(198)}-b`
    const free = nextFreeSlug(long, new Set([long]))
    assert.equal(free, `${'a'.repeat(198)}-2`)
    assert.equal(
      slug.safeParse(nextFreeSlug('a'.repeat(200), { has: (taken) => !taken.endsWith('-11') })).success,
      true,
    )
  })
})
