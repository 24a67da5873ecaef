import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { issueText } from './issue-text.ts'

const textsOf = (schema: z.ZodType, value: unknown): string[] =>
  (schema.safeParse(value, { error: issueText }).error?.issues ?? []).map(({ message }) => message)

const cases: [kind: string, schema: z.ZodType, value: unknown, text: string][] = [
  ['invalid_type', z.string(), 5, 'must be text, not 5'],
  ['invalid_type', z.number(), 'secret', 'must be a number, not text'],
  ['invalid_type', z.int(), 1.5, 'must be a whole number, not 1.5'],
  ['invalid_type', z.boolean(), null, 'must be true or false, not null'],
  ['invalid_type', z.array(z.string()), {}, 'must be a list, not an object'],
  ['invalid_type', z.object({}), [], 'must be an object, not a list'],
  ['invalid_type', z.string(), undefined, 'is required'],
  ['too_small', z.string().min(1), '', 'must not be empty'],
  ['too_small', z.string().min(8), 'secret', 'must have at least 8 characters'],
  ['too_small', z.array(z.string()).min(2), ['a'], 'must have at least 2 items'],
  ['too_small', z.number().min(1), 0, 'must be 1 or more, not 0'],
  ['too_small', z.number().positive(), 0, 'must be more than 0, not 0'],
  ['too_small', z.string().length(2), 'a', 'must have exactly 2 characters'],
  ['too_small', z.date().min(new Date(0)), new Date(-1), 'must be later: the limit is 1970-01-01T00:00:00.000Z'],
  ['too_big', z.string().max(1), 'ab', 'must have at most 1 character'],
  ['too_big', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
  ['too_big', z.number().max(100), 500, 'must be 100 or less, not 500'],
  ['too_big', z.number().lt(1), 1, 'must be less than 1, not 1'],
  ['invalid_format', z.email(), 'x', 'must be an email address like name@example.com'],
  ['invalid_format', z.uuid(), 'x', 'must be an ID like 01890a5d-ac96-774b-bcce-b302099a8057'],
  ['invalid_format', z.url(), 'x', 'must be a full URL like https://example.com'],
  ['invalid_format', z.iso.datetime(), 'x', 'must be a time like 2026-01-31T12:00:00Z'],
  ['invalid_format', z.iso.date(), 'x', 'must be a date like 2026-01-31'],
  ['invalid_format', z.string().startsWith('a'), 'x', 'must start with "a"'],
  ['invalid_format', z.string().regex(/a/), 'secret', "doesn't have the expected format"],
  ['not_multiple_of', z.number().multipleOf(5), 7, 'must be a multiple of 5, not 7'],
  ['unrecognized_keys', z.strictObject({}), { a: 1 }, 'must not have "a"'],
  ['invalid_union', z.union([z.string(), z.array(z.string())]), 5, 'must be text or a list, not 5'],
  [
    'invalid_union',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    {},
    "doesn't have one of the allowed formats",
  ],
  [
    'invalid_union',
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
    { kind: 'b' },
    "doesn't have one of the allowed formats",
  ],
  [
    'invalid_key',
    z.record(z.string().max(1), z.string()),
    { ab: 'x' },
    'has an invalid name: it must have at most 1 character',
  ],
  [
    'invalid_element',
    z.map(z.object({}), z.string()),
    new Map([[{}, 5]]),
    'has an invalid item: it must be text, not 5',
  ],
  ['invalid_value', z.enum(['draft', 'published']), 'live', 'must be one of draft, published'],
  ['invalid_value', z.literal(true), 1, 'must be true'],
  ['custom', z.string().refine(() => false), 'secret', "isn't allowed here"],
]

describe('what people read of a value that is not right', () => {
  for (const [kind, schema, value, text] of cases)
    test(`${kind}: ${text}`, () => {
      const [issue] = schema.safeParse(value).error?.issues ?? []
      assert.equal(issue?.code, kind)
      assert.deepEqual(textsOf(schema, value), [text])
      assert.notEqual(issue?.message, text)
      assert.ok(!text.includes('secret'))
    })

  test('is of every kind of issue that there is', () => {
    const all = ['invalid_type', 'too_big', 'too_small', 'invalid_format', 'not_multiple_of', 'unrecognized_keys']
    all.push('invalid_union', 'invalid_key', 'invalid_element', 'invalid_value', 'custom')
    assert.deepEqual(new Set(cases.map(([kind]) => kind)), new Set(all))
  })

  test('is what the schema says, where it says something', () => {
    assert.deepEqual(textsOf(z.string('must be a name').min(2, 'must be longer'), 'a'), ['must be longer'])
    assert.deepEqual(textsOf(z.object({ a: z.string('must be a name') }), { a: 5 }), ['must be a name'])
  })

  test('stays one short line, whatever was given', () => {
    const [text = ''] = textsOf(z.strictObject({}), { [`x"\n\u0000${'y'.repeat(5_000)}`]: 1 })
    assert.ok(text.length < 120 && !/[\p{Cc}]/u.test(text), text)
    const many = Array.from({ length: 500 }, (_, index) => `choice${index}`)
    assert.ok((textsOf(z.enum(many), 'x')[0] ?? '').length < 500)
  })
})
