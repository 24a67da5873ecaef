import type { Dice } from './dice.ts'
import type { Pools } from './pools.ts'

/** The content type that random entries are of. */
export const TYPE = 'everything'

const choice = (value: string) => ({ value, label: value })

/** One of each type. */
export const FIELDS = [
  { key: 'line', type: 'text', indexed: true },
  { key: 'lines', type: 'textarea' },
  { key: 'body', type: 'richtext' },
  { key: 'notes', type: 'markdown' },
  { key: 'price', type: 'number', indexed: true },
  { key: 'isNew', type: 'boolean' },
  { key: 'day', type: 'date' },
  { key: 'moment', type: 'datetime' },
  { key: 'size', type: 'select', options: [choice('s'), choice('m')] },
  { key: 'tags', type: 'multiselect', options: [choice('a'), choice('b')] },
  { key: 'cover', type: 'media' },
  { key: 'pictures', type: 'gallery' },
  { key: 'related', type: 'reference', to: TYPE },
  {
    key: 'rows',
    type: 'list',
    fields: [
      { key: 'label', type: 'text' },
      { key: 'link', type: 'reference', to: TYPE },
    ],
  },
  { key: 'free', type: 'json' },
  { key: 'tint', type: 'color' },
  { key: 'link', type: 'url' },
  { key: 'sku', type: 'email', unique: true },
]

/** Values of the fields above, mostly right ones. */
export const dataFor = (dice: Dice, pools: Pools): Record<string, unknown> => {
  const one = (group: string) => dice.pickAny(pools.get(group) ?? [])
  const values: Record<string, () => unknown> = {
    line: () => dice.pick(['short', 'a longer one', 'ünïcödé']),
    lines: () => 'two\nlines',
    body: () => '<h2>Title</h2><p>Text with <a href="https://example.com">a link</a><script>x</script></p>',
    notes: () => '# Title\n\n- one\n- two',
    price: () => dice.int(-5, 5_000) / 4,
    isNew: () => dice.chance(0.5),
    day: () => '2026-03-01',
    moment: () => new Date(dice.int(0, 2e12)).toISOString(),
    size: () => dice.pick(['s', 'm', 'l']),
    tags: () => ['a', 'b'],
    cover: () => one('media'),
    pictures: () => [one('media'), one('media')],
    related: () => [one('entries')],
    rows: () => [{ label: 'first', link: [one('entries')] }, { label: 'second' }],
    free: () => ({ any: [1, { thing: null }] }),
    tint: () => '#ff8800',
    link: () => 'https://example.com/path?x=1',
    sku: () => `unique${dice.int(0, 500)}@example.test`,
  }
  const chosen = Object.entries(values).filter(() => dice.chance(0.4))
  return Object.fromEntries(chosen.map(([key, make]) => [key, make() ?? null]))
}
