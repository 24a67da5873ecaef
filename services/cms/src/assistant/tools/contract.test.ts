import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Json } from '../../people/call-route/call-route.ts'
import { repairArguments, schemaOf } from './schema.ts'
import type { Tool } from './tool.ts'
import { describeTools, tools } from './tools.ts'

type Declared = { name: string; kind: string; permission: string; description: string; input_schema: object }
const contract: Declared[] = JSON.parse(readFileSync(new URL('./testing/contract.json', import.meta.url), 'utf8'))
const named = (name: string): Tool => {
  const found = tools.find((tool) => tool.name === name)
  assert.ok(found, name)
  return found
}

describe('the tools and their contract', () => {
  test('are 45, each once, in its order: 19 read, 25 propose, one moves', () => {
    assert.deepEqual(
      tools.map(({ name }) => name),
      contract.map(({ name }) => name),
    )
    for (const [kind, count] of [
      ['read', 19],
      ['propose', 25],
      ['move', 1],
    ] as const)
      assert.equal(tools.filter((each) => each.kind === kind).length, count, kind)
  })

  for (const tool of tools)
    test(`${tool.name} is as the contract has it`, () => {
      const declared = contract.find(({ name }) => name === tool.name)
      assert.ok(declared)
      assert.equal(tool.kind, declared.kind)
      // "content.write (content.publish when …)": the first one is what it takes to be offered.
      assert.equal(tool.permission, declared.permission.split(' ')[0])
      assert.equal(tool.description, declared.description)
      assert.deepEqual(schemaOf(tool), declared.input_schema)
    })

  test('models get their names, with no keyword that a provider does not know', () => {
    const described = describeTools(tools)
    assert.deepEqual(
      described.map(({ name }) => name),
      tools.map(({ name }) => name).sort(),
    )
    assert.doesNotMatch(JSON.stringify(described), /\$schema|\$ref|anyOf|oneOf|propertyNames|9007199254740991/)
  })
})

describe('arguments of a model', () => {
  const repaired = (name: string, args: Json | undefined) => repairArguments(named(name), args)

  test('that came as text are read once', () => {
    assert.deepEqual(repaired('get_entry', '{"id":"x"}'), { id: 'x' })
    assert.equal(repaired('get_entry', '"{\\"id\\":\\"x\\"}"'), '"{\\"id\\":\\"x\\"}"')
    assert.equal(repaired('get_entry', '{"id":'), '{"id":')
    assert.deepEqual(repaired('list_entries', { type: 'a', fields: '["x","y"]' }), { type: 'a', fields: ['x', 'y'] })
  })

  test('that are missing are none', () => {
    for (const nothing of [undefined, null, '', {}]) assert.deepEqual(repaired('list_menus', nothing), {})
  })

  test('have numbers and switches where the schema has them, and texts where it has texts', () => {
    assert.deepEqual(repaired('list_entries', { type: '5', limit: '7', offset: '0', query: '12' }), {
      type: '5',
      limit: 7,
      offset: 0,
      query: '12',
    })
    assert.deepEqual(repaired('list_media', { missingAlt: 'true', limit: 'many' }), { missingAlt: true, limit: 'many' })
  })

  test('are left out where they are null and may be', () => {
    assert.deepEqual(repaired('list_entries', { type: 'a', status: null, limit: null }), { type: 'a' })
    assert.deepEqual(repaired('list_entries', { type: null }), { type: null })
  })

  test('keep what nobody declared, to be refused', () => {
    const args: Json = JSON.parse('{"id":"x","__proto__":1,"constructor":2}')
    assert.deepEqual(Object.keys(repaired('get_entry', args) as object), ['id', '__proto__', 'constructor'])
    for (const other of [5, true, ['x'], 'hello']) assert.deepEqual(repaired('get_entry', other), other)
  })
})
