import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { base } from '@stoa/mail/formats/sieve/base/base.ts'
import { compileScript } from '@stoa/mail/formats/sieve/compile.ts'
import { standardExtensions, standardLanguage } from '@stoa/mail/formats/sieve/standard.ts'
import type { Filter } from '@stoa/mail-model/filters.ts'
import { moved } from './edited-rules.ts'
import { describeScript, groupFilters, groupsFor, positionFor } from './filter-groups.ts'
import { findProblems } from './rule-problems.ts'
import { missingExtension, problemsIn, spanOf, withRequire } from './script-problems.ts'
import { sieveWords } from './sieve-words.ts'
import { templates } from './templates.ts'
import { writeSieve } from './write-sieve.ts'

const filter = (id: string, position: number, addressId: string | null = null): Filter => ({
  object: 'filter',
  id,
  name: id,
  address_id: addressId,
  script: 'keep;',
  enabled: true,
  position,
  extensions: [],
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
})

describe('the list of filters', () => {
  const all = [filter('a', 0, 'zoe'), filter('b', 1), filter('c', 2, 'ann'), filter('d', 3), filter('e', 4, 'zoe')]
  const groups = groupFilters(all, (id) => id)

  test('filters of all addresses come first, then those of each address', () => {
    assert.deepEqual(
      groups.map((group) => [group.addressId, group.filters.map(({ id }) => id).join('')]),
      [
        ['', 'bd'],
        ['ann', 'c'],
        ['zoe', 'ae'],
      ],
    )
    assert.deepEqual(
      groupsFor(groups, 'zoe').map(({ addressId }) => addressId),
      ['', 'zoe'],
    )
  })

  test('a place in a group becomes the place among all, upwards and downwards', () => {
    const common = groups[0] ?? assert.fail()
    for (const [from, to] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const id: string = common.filters[from]?.id ?? ''
      // As the service does it
      const wanted = all.filter((one) => one.id !== id).toSpliced(positionFor(common, to) ?? 0, 0, filter(id, 0))
      const order = wanted.filter((one) => common.filters.some((member) => member.id === one.id)).map((one) => one.id)
      assert.deepEqual(
        order,
        moved(
          common.filters.map((one) => one.id),
          from,
          to,
        ),
      )
    }
  })

  test('a filter is described in words', () => {
    assert.deepEqual(describeScript('if header :contains "subject" "x" { discard; }'), {
      words: 'If the subject contains “x”: discard it.',
      isText: false,
    })
    assert.deepEqual(describeScript('require "variables";\nset "a" "b";'), {
      words: 'Sieve script, 2 lines.',
      isText: true,
    })
  })
})

describe('templates', () => {
  test('each compiles, and only what is a person’s own is missing', () => {
    for (const { id, rules } of templates) {
      const filled = rules.map((rule) => ({
        ...rule,
        actions: rule.actions.map((action) =>
          action.do === 'redirect' ? { ...action, to: 'bob@outside.test' } : action,
        ),
      }))
      assert.deepEqual(compileScript(writeSieve(filled), standardLanguage).problems, [], id)
      assert.deepEqual(findProblems(filled), {}, id)
    }
  })
})

describe('the words that are offered', () => {
  test('are those of the service', () => {
    const byName = new Map(standardExtensions.map((extension) => [extension.name, extension]))
    for (const { word, kind, extension } of sieveWords) {
      const owner = extension === undefined ? base : byName.get(extension)
      assert.ok(owner, word)
      if (kind === 'command') assert.ok(owner.commands && word in owner.commands, `${word} of ${extension}`)
      if (kind === 'test') assert.ok(owner.tests && word in owner.tests, `${word} of ${extension}`)
    }
  })
})

describe('problems of a script', () => {
  test('are read out of a refusal with their places', () => {
    assert.deepEqual(problemsIn('Line 1, column 4: unknown command "x"; it needs y; line 2, column 1: bad.'), [
      { line: 1, column: 4, message: 'unknown command "x"; it needs y' },
      { line: 2, column: 1, message: 'bad.' },
    ])
    assert.deepEqual(problemsIn('Enter a script.'), [])
  })

  test('of a missing extension are fixed with one click', () => {
    for (const script of [
      'fileinto "a";',
      'require "copy";\nfileinto :copy "a";',
      '# mine\nrequire ["copy", "body"] ;\nfileinto "a";',
      'if true { fileinto "a"; }',
    ]) {
      const [problem] = compileScript(script, standardLanguage).problems
      const missing = missingExtension(problem ?? assert.fail())
      assert.equal(missing, 'fileinto')
      assert.deepEqual(compileScript(withRequire(script, missing ?? ''), standardLanguage).problems, [], script)
    }
    assert.equal(missingExtension({ line: 1, column: 1, message: 'unknown command "x"' }), undefined)
  })

  test('have a place in the text, whatever they say', () => {
    const text = 'keep;\n  fileinto "a b";\n'
    const at = (line: number, column: number) => {
      const { from, to } = spanOf(text, { line, column })
      assert.ok(from >= 0 && to >= from && to <= text.length)
      return text.slice(from, to)
    }
    assert.equal(at(2, 3), 'fileinto')
    assert.equal(at(2, 12), '"a b"')
    assert.equal(at(1, 99), ';')
    assert.equal(at(99, 1), '')
    assert.equal(at(0, 0), 'keep')
  })
})
