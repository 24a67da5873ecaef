import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { diffContent, isSameJson } from './entry-diff.ts'
import { fieldList } from './fields/field.ts'
import { visualDefinition } from './visual.ts'

const fields = fieldList.parse([
  { key: 'body', type: 'richtext' },
  { key: 'price', type: 'number' },
  { key: 'isNew', type: 'boolean' },
  { key: 'rows', type: 'list', fields: [{ key: 'name', type: 'text' }] },
])
const content = (data: Record<string, unknown>, title = 'T') => ({ title, slug: 's', data })
const diffed = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  diffContent(fields, content(before), content(after)).map(({ path, op }) => `${path} ${op}`)

const section = (id: string, label: string, hidden = false) => ({ id, label, hidden })
const [HERO, NEWS, TEAM, FOOT] = [
  section('hero', 'Hero'),
  section('news', 'Latest news'),
  section('team', 'Team'),
  section('foot', 'Footer'),
] as const
const { sections } = visualDefinition.parse({
  sections: [HERO, NEWS, TEAM, FOOT].map(({ id, label }) => ({
    id,
    label,
    selector: `#${id}`,
    movable: id !== 'hero',
  })),
})
const layoutChange = (before: unknown, after: unknown) =>
  diffContent(fields, content({ __layout: before }), content({ __layout: after }), sections)

describe('the difference between two states of an entry', () => {
  test('names what was added, removed and changed, in the order of the form', () => {
    assert.deepEqual(diffed({ price: 1, body: '<p>a</p>' }, { price: null, body: '<p>b</p>', rows: [{ name: 'x' }] }), [
      'data.body change',
      'data.price remove',
      'data.rows add',
    ])
    assert.deepEqual(
      diffContent(fields, content({}, ''), content({}, 'New')).map(({ label, op, after }) => [label, op, after]),
      [['Title', 'add', 'New']],
    )
  })

  test('is nothing where only the order of members, or a value that the field does not read, differs', () => {
    assert.deepEqual(diffed({ price: 1, body: '' }, { body: '', price: 1, gone: 'x' }), [])
    assert.deepEqual(diffed({ price: 'much' }, {}), [])
  })

  test('knows the layout, by ids where the page declares no sections', () => {
    const changes = diffContent(fields, content({}), content({ __layout: { order: ['b', 'a'], hidden: ['c'] } }))
    assert.deepEqual(changes, [
      {
        path: 'data.__layout',
        label: 'Layout',
        fieldType: null,
        op: 'add',
        before: [],
        after: [section('b', 'b'), section('a', 'a'), section('c', 'c', true)],
      },
    ])
  })

  test('shows a layout as the order of the labels of the page, hidden ones marked', () => {
    const [change, ...others] = layoutChange(undefined, { order: ['team', 'news'], hidden: ['news', 'hero'] })
    assert.deepEqual(others, [])
    assert.equal(change?.op, 'change')
    assert.deepEqual(change?.before, [HERO, NEWS, TEAM, FOOT])
    // The hero keeps its place; the footer, which is not named, stays behind the team.
    assert.deepEqual(change?.after, [{ ...HERO, hidden: true }, TEAM, FOOT, { ...NEWS, hidden: true }])
  })

  test('is no difference where a layout says what the page says, or names sections that it does not have', () => {
    assert.deepEqual(layoutChange(undefined, { order: ['hero', 'news', 'team'], hidden: [] }), [])
    assert.deepEqual(layoutChange({ order: ['gone'], hidden: ['gone'] }, undefined), [])
  })
})

test('JSON is the same as its copy, and not as one with a change', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.ok(isSameJson(value, JSON.parse(JSON.stringify(value))))
      assert.ok(!isSameJson([value], [value, value]))
      assert.ok(!isSameJson({ a: value }, { b: value }))
      assert.ok(!isSameJson([value], { 0: value }))
    }),
    { seed: 4, numRuns: 200 },
  )
})
