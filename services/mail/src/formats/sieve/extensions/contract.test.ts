import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sieveExtensions } from '@stoa/mail-model/sieve-extensions.ts'
import { base } from '../base/base.ts'
import type { SieveExtension } from '../define.ts'
import { runScripts } from '../run.ts'
import { createLanguage, standardLanguage } from '../standard.ts'
import { compiled, environmentOf, problemOf } from '../testing/run.ts'
import { extensions } from './index.ts'

/** Names that cannot be those of files, or that the registry's own file has. */
const fileNames: Readonly<Record<string, string>> = {
  'comparator-i;octet': 'comparator-octet',
  'comparator-i;ascii-casemap': 'comparator-ascii-casemap',
  'comparator-i;ascii-numeric': 'comparator-ascii-numeric',
  'comparator-i;unicode-casemap': 'comparator-unicode-casemap',
  index: 'header-index',
}

const all: readonly SieveExtension[] = [base, ...Object.values(extensions)]
const namesOf = (record: object | undefined): string[] => Object.keys(record ?? {})

test('every name has its extension, in its order and in the file of its name', () => {
  assert.deepEqual(Object.keys(extensions), [...sieveExtensions])
  assert.deepEqual(
    Object.values(extensions).map(({ name }) => name),
    [...sieveExtensions],
  )
  const files = readdirSync(new URL('.', import.meta.url))
  for (const name of sieveExtensions) assert.ok(files.includes(`${fileNames[name] ?? name}.ts`), name)
})

test('no two extensions define the same word', () => {
  for (const words of [
    all.flatMap(({ commands }) => namesOf(commands)),
    all.flatMap(({ tests }) => namesOf(tests)),
    all.flatMap(({ matchTypes }) => namesOf(matchTypes)),
    all.flatMap(({ addressParts }) => namesOf(addressParts)),
    all.flatMap(({ tags }) =>
      Object.entries(tags ?? {}).flatMap(([on, own]) => namesOf(own).map((tag) => `${on} :${tag}`)),
    ),
  ])
    assert.equal(new Set(words).size, words.length, words.join(' '))
})

test('tags are added to commands and tests that there are', () => {
  const known = new Set(all.flatMap(({ commands, tests }) => [...namesOf(commands), ...namesOf(tests)]))
  for (const { tags } of all) for (const on of namesOf(tags)) assert.ok(known.has(on), on)
})

for (const name of sieveExtensions)
  describe(`the extension ${name}`, () => {
    const extension: SieveExtension = extensions[name]
    test('can be required alone, and the script keeps', async () => {
      const { actions, error } = await runScripts([compiled(`require "${name}";`)], environmentOf())
      assert.equal(error, null)
      assert.deepEqual(
        actions.map(({ kind }) => kind),
        ['keep'],
      )
    })
    test('cannot be required where it is not offered', () => {
      const without = createLanguage(Object.values(extensions).filter((other) => other.name !== name))
      assert.match(problemOf(`require "${name}";`, without), /line 1, column 1: .* isn't an available extension/)
    })
    test('has words in lower case that are refused without it', () => {
      for (const word of namesOf(extension.commands)) {
        assert.match(word, /^[a-z_][a-z0-9_]*$/)
        assert.match(problemOf(`${word};`), /unknown command .* add require/)
      }
      for (const word of namesOf(extension.tests)) {
        assert.match(word, /^[a-z_][a-z0-9_]*$/)
        assert.match(problemOf(`if ${word} {}`), /unknown test .* add require/)
      }
    })
    test('brings in only extensions that there are', () => {
      for (const included of extension.includes ?? []) assert.ok(standardLanguage.extensions.has(included))
    })
  })
